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

package io.github.zklock.core;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The holder of a lock, as far as the backend can tell.
 *
 * @param application the name of the application, or a word for an unknown client
 * @param instance the instance of the application, if known
 * @param host the host name, if known
 * @param pid the process id, or {@code 0} if unknown
 * @param thread the name of the thread that asked for the lock, if known
 * @param name the lock's low-cardinality name, if known
 * @param heldFor how long the holder has been in the queue for the lock, if known
 * @param traceId the trace in which the holder asked for the lock, as W3C Trace Context
 * writes it, if known
 * @since 0.1.0
 */
public record LockHolder(String application, @Nullable String instance, @Nullable String host, long pid,
		@Nullable String thread, @Nullable String name, @Nullable Duration heldFor, @Nullable String traceId) {

	/**
	 * Create a holder whose trace is not known.
	 * @param application the name of the application, or a word for an unknown client
	 * @param instance the instance of the application, if known
	 * @param host the host name, if known
	 * @param pid the process id, or {@code 0} if unknown
	 * @param thread the name of the thread that asked for the lock, if known
	 * @param name the lock's low-cardinality name, if known
	 * @param heldFor how long the holder has been in the queue for the lock, if known
	 */
	public LockHolder(String application, @Nullable String instance, @Nullable String host, long pid,
			@Nullable String thread, @Nullable String name, @Nullable Duration heldFor) {
		this(application, instance, host, pid, thread, name, heldFor, null);
	}

	/**
	 * Return the holder in the words of an exception message, like
	 * {@code app-7 (host-3, pid 4711), in the queue for 2s}, and its trace if that is
	 * known. When the lock was granted is not known: the holder may have waited first.
	 */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(
				LockKeys.abbreviate((this.instance != null) ? this.instance : this.application));
		if (this.host != null) {
			text.append(" (").append(LockKeys.abbreviate(this.host));
			if (this.pid > 0) {
				text.append(", pid ").append(this.pid);
			}
			text.append(')');
		}
		if (this.heldFor != null) {
			text.append(", in the queue for ").append(DurationText.of(this.heldFor));
		}
		if (this.traceId != null) {
			text.append(", trace ").append(LockKeys.abbreviate(this.traceId));
		}
		return text.toString();
	}

}
