/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.zklock.zookeeper;

import io.github.zklock.core.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * A contender's node in the queue of a key: {@code <prefix><infix><sequence>}. The
 * infixes are those of Curator's recipes, so that both see each other.
 *
 * @param name the name of the node
 * @param mode the mode of the contender
 * @param sequence the number that ZooKeeper gave it
 */
record QueueNode(String name, LockMode mode, long sequence) {

	/**
	 * The numbers are 32 bits wide and wrap: beyond this one nobody may hold a lock.
	 */
	static final long MAX_SEQUENCE = (1L << 31) - (1L << 20);

	private static final LockMode[] MODES = LockMode.values();

	static String infix(LockMode mode) {
		return switch (mode) {
			case EXCLUSIVE -> "lock-";
			case READ -> "__READ__";
			case WRITE -> "__WRIT__";
		};
	}

	/**
	 * Return the node of a name, or {@code null} if the name is not one of a contender.
	 */
	static @Nullable QueueNode parse(String name) {
		for (LockMode mode : MODES) {
			String infix = infix(mode);
			int start = name.lastIndexOf(infix);
			if (start >= 0) {
				return parse(name, mode, start + infix.length());
			}
		}
		return null;
	}

	boolean isBeyondLimit() {
		return this.sequence < 0 || this.sequence > MAX_SEQUENCE;
	}

	boolean mustWaitFor(QueueNode other) {
		return other.sequence < this.sequence && !this.mode.isCompatibleWith(other.mode);
	}

	private static @Nullable QueueNode parse(String name, LockMode mode, int start) {
		try {
			return new QueueNode(name, mode, Long.parseLong(name, start, name.length(), 10));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
