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

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockMode;
import org.jspecify.annotations.Nullable;

/**
 * A node beside the queue of a key that says how long the key stays taken, whatever
 * becomes of the node of its holder:
 * {@code <contender><number>-least-<milliseconds>-<slack>}. It has no place in the queue,
 * also not in the eyes of Curator's recipes, which sort it behind every contender.
 *
 * @param name the name of the node
 * @param mode the mode of the holder
 * @param millis how long the key stays taken, counted from the grant
 * @param slack how much later than this node the grant may have been, in milliseconds
 */
public record AtLeastStamp(String name, LockMode mode, long millis, long slack) {

	private static final String INFIX = "-least-";

	private static final String SHARED_INFIX = "-rleast-";

	public static AtLeastStamp of(String contender, int number, QueuePlace place, long slack) {
		// Rounded up, or the key would be free too early.
		long millis = place.atLeast().plusNanos(TimeUnit.MILLISECONDS.toNanos(1) - 1).toMillis();
		String infix = (place.mode() == LockMode.READ) ? SHARED_INFIX : INFIX;
		String name = contender + Integer.toHexString(number) + infix + millis + "-" + slack;
		return new AtLeastStamp(name, place.mode(), millis, slack);
	}

	/**
	 * Return the stamp of a name, or {@code null} if the name is not one of a stamp.
	 */
	public static @Nullable AtLeastStamp parse(String name) {
		if (!ContenderNames.isContender(name)) {
			return null;
		}
		int shared = name.lastIndexOf(SHARED_INFIX);
		int start = (shared >= 0) ? shared + SHARED_INFIX.length() : name.lastIndexOf(INFIX) + INFIX.length();
		int end = name.lastIndexOf('-');
		if (start < INFIX.length() || end < start) {
			return null;
		}
		try {
			return new AtLeastStamp(name, (shared >= 0) ? LockMode.READ : LockMode.EXCLUSIVE,
					Long.parseLong(name, start, end, 10), Long.parseLong(name, end + 1, name.length(), 10));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	public boolean excludes(LockMode other) {
		return !this.mode.isCompatibleWith(other);
	}

	public Duration atLeast() {
		return Duration.ofMillis(this.millis);
	}

	/**
	 * Return how long the key stays taken at most, counted from the creation of the node.
	 */
	public long nanos() {
		return TimeUnit.MILLISECONDS.toNanos(this.millis + this.slack);
	}

}
