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

package io.github.zklock.zookeeper.node;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A contender's node in the queue of a key: {@code <prefix><infix><sequence>}. The
 * infixes are those of Curator's recipes, so that both see each other. Before them stands
 * the number of permits, unless it is 1, or a mark: the node may be kept without a
 * holder, or its contender may leave a stamp behind.
 *
 * @param name the name of the node
 * @param mode the mode of the contender
 * @param permits how many may hold the key at once, in the eyes of the contender
 * @param sequence the number that ZooKeeper gave it
 */
public record QueueNode(String name, LockMode mode, int permits, long sequence) {

	/**
	 * The numbers are 32 bits wide and wrap: no lock is granted beyond this one.
	 */
	public static final long MAX_SEQUENCE = (1L << 31) - (1L << 20);

	private static final LockMode[] MODES = LockMode.values();

	// Not a hexadecimal digit, so no unique prefix contains it by chance.
	private static final String PERMITS = "p";

	private static final String CACHEABLE = "k-";

	private static final String STAMPING = "s-";

	/**
	 * Return what follows the unique beginning of the name of a request's node.
	 */
	public static String infix(LockRequest request) {
		return mark(request) + infix(request.mode());
	}

	private static String infix(LockMode mode) {
		return switch (mode) {
			case EXCLUSIVE -> "lock-";
			case READ -> "__READ__";
			case WRITE -> "__WRIT__";
		};
	}

	// No request has more than one of these.
	private static String mark(LockRequest request) {
		if (request.permits() > 1) {
			return PERMITS + request.permits() + "-";
		}
		if (request.cache()) {
			return CACHEABLE;
		}
		return request.atLeast().isZero() ? "" : STAMPING;
	}

	/**
	 * Return the node of a name, or {@code null} if the name is not one of a contender.
	 */
	public static @Nullable QueueNode parse(String name) {
		for (LockMode mode : MODES) {
			String infix = infix(mode);
			int start = name.lastIndexOf(infix);
			if (start >= 0) {
				try {
					return new QueueNode(name, mode, permits(name, start),
							Long.parseLong(name, start + infix.length(), name.length(), 10));
				}
				catch (NumberFormatException ex) {
					return null;
				}
			}
		}
		return null;
	}

	private static int permits(String name, int infix) {
		String mark = "-" + PERMITS;
		int start = ContenderNames.isContender(name) ? name.lastIndexOf(mark, infix) : -1;
		return (start >= 0) ? Integer.parseInt(name, start + mark.length(), infix - 1, 10) : 1;
	}

	/**
	 * Return whether the node of a path may be kept by its process without a holder.
	 */
	public static boolean isCacheable(@Nullable String path) {
		return path != null && isMarked(path.substring(path.lastIndexOf('/') + 1), CACHEABLE);
	}

	private static boolean isMarked(String name, String mark) {
		return ContenderNames.isContender(name) && name.contains("-" + mark);
	}

	public boolean isBeyondLimit() {
		return this.sequence < 0 || this.sequence > MAX_SEQUENCE;
	}

	/**
	 * Return whether its contender, once it was first, leaves a stamp that keeps the key.
	 */
	boolean leavesStamp() {
		return isMarked(this.name, STAMPING);
	}

	boolean isCompatibleWith(QueueNode other) {
		return this.permits == other.permits && this.mode.isCompatibleWith(other.mode);
	}

}
