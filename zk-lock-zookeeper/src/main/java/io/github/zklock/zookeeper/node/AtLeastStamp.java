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
import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A node beside the queue of a key that says how long the key stays taken, whatever
 * becomes of the node of its holder. Its name is
 * {@code <contender><number>-least-<milliseconds>-<slack>}, with {@code -rleast-} for a
 * reader. Curator's recipes sort it behind every contender.
 *
 * @param name the name of the node
 * @param mode the mode of the holder
 * @param millis how long the key stays taken, counted from the grant
 * @param slack how much later than this node the grant may have been, in milliseconds
 */
public record AtLeastStamp(String name, LockMode mode, long millis, long slack) {

	private static final String INFIX = "least-";

	private static final int MOST_NUMBER_DIGITS = 8;

	// The numbers have fewer digits than this.
	private static final int MOST_DIGITS = 18;

	/** The greatest slack, in milliseconds. */
	public static final long MAX_SLACK_MS = 30_000;

	public static AtLeastStamp of(String contender, int number, LockRequest request, long slack) {
		// Rounded up, or the key would be free too early.
		long millis = request.lockAtLeastFor().plusNanos(TimeUnit.MILLISECONDS.toNanos(1) - 1).toMillis();
		String shared = (request.mode() == LockMode.READ) ? "r" : "";
		String name = contender + Integer.toHexString(number) + "-" + shared + INFIX + millis + "-" + slack;
		return new AtLeastStamp(name, request.mode(), millis, slack);
	}

	/**
	 * Return the stamp of a name, or {@code null} if the name is not one of a stamp.
	 */
	public static @Nullable AtLeastStamp parse(String name) {
		NameReader reader = NameReader.of(name);
		if (reader == null || !reader.contender() || !reader.hex(1, MOST_NUMBER_DIGITS) || !reader.text("-")) {
			return null;
		}
		LockMode mode = reader.text("r") ? LockMode.READ : LockMode.EXCLUSIVE;
		if (!reader.text(INFIX)) {
			return null;
		}
		long millis = reader.number(1, MOST_DIGITS, LockRequest.LONGEST_AT_LEAST.toMillis());
		long slack = (millis >= 0 && reader.text("-")) ? reader.number(1, MOST_DIGITS, MAX_SLACK_MS) : -1;
		return (slack >= 0 && reader.isAtEnd()) ? new AtLeastStamp(name, mode, millis, slack) : null;
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
