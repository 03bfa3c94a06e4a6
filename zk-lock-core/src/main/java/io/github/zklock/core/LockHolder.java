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
import java.util.Objects;

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a lock, as far as the backend knows. Immutable.
 *
 * @since 0.1.0
 */
public final class LockHolder {

	private final String application;

	private final @Nullable String instance;

	private final @Nullable String host;

	private final long pid;

	private final @Nullable String thread;

	private final @Nullable String name;

	private final @Nullable Duration queuedFor;

	private final @Nullable String traceId;

	private LockHolder(Builder builder) {
		this.application = builder.application;
		this.instance = builder.instance;
		this.host = builder.host;
		this.pid = builder.pid;
		this.thread = builder.thread;
		this.name = builder.name;
		this.queuedFor = builder.queuedFor;
		this.traceId = builder.traceId;
	}

	/**
	 * Begin to describe a holder.
	 * @param application the name of the application, or a word for an unknown client
	 * @return a builder of which all else is not known
	 */
	public static Builder of(String application) {
		return new Builder(application);
	}

	/**
	 * Return a copy with another time in the queue.
	 * @param queuedFor the time, or {@code null} if it is not known
	 * @return the copy
	 */
	public LockHolder withQueuedFor(@Nullable Duration queuedFor) {
		return of(this.application).instance(this.instance)
			.host(this.host)
			.pid(this.pid)
			.thread(this.thread)
			.name(this.name)
			.queuedFor(queuedFor)
			.traceId(this.traceId)
			.build();
	}

	/**
	 * Return the name of the application.
	 * @return the name, or a word for an unknown client
	 */
	public String application() {
		return this.application;
	}

	/**
	 * Return the instance of the application.
	 * @return the instance, or {@code null} if it is not known
	 */
	public @Nullable String instance() {
		return this.instance;
	}

	/**
	 * Return the host.
	 * @return the name of the host, or {@code null} if it is not known
	 */
	public @Nullable String host() {
		return this.host;
	}

	/**
	 * Return the process.
	 * @return the process id, or {@code 0} if it is not known
	 */
	public long pid() {
		return this.pid;
	}

	/**
	 * Return the thread that requested the lock.
	 * @return the name of the thread, or {@code null} if it is not known
	 */
	public @Nullable String thread() {
		return this.thread;
	}

	/**
	 * Return the low-cardinality name of the lock.
	 * @return the name, or {@code null} if it is not known
	 */
	public @Nullable String name() {
		return this.name;
	}

	/**
	 * Return how long the holder has been in the queue for the lock, its wait included.
	 * For the runner of a tick it is the time since the run began.
	 * @return the time, or {@code null} if it is not known
	 */
	public @Nullable Duration queuedFor() {
		return this.queuedFor;
	}

	/**
	 * Return the trace in which the holder requested the lock.
	 * @return the trace id of W3C Trace Context, or {@code null} if it is not known
	 */
	public @Nullable String traceId() {
		return this.traceId;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof LockHolder holder && this.application.equals(holder.application)
				&& Objects.equals(this.instance, holder.instance) && Objects.equals(this.host, holder.host)
				&& this.pid == holder.pid && Objects.equals(this.thread, holder.thread)
				&& Objects.equals(this.name, holder.name) && Objects.equals(this.queuedFor, holder.queuedFor)
				&& Objects.equals(this.traceId, holder.traceId));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.application, this.instance, this.host, this.pid, this.thread, this.name,
				this.queuedFor, this.traceId);
	}

	/**
	 * Return the holder in the words of an exception message, like
	 * {@code app-7 (host-3, pid 4711), in the queue for 2s}, and its trace if that is
	 * known. When the lock was granted is not known: the holder may have waited first.
	 */
	@Override
	public String toString() {
		return process() + ((this.queuedFor != null) ? ", in the queue for " + DurationText.of(this.queuedFor) : "")
				+ ((this.traceId != null) ? ", trace " + LockKeys.abbreviate(this.traceId) : "");
	}

	/**
	 * Return the process of the holder in the words of an exception message, like
	 * {@code app-7 (host-3, pid 4711)}.
	 */
	String process() {
		String who = LockKeys.abbreviate((this.instance != null) ? this.instance : this.application);
		String process = (this.pid > 0) ? ", pid " + this.pid : "";
		return (this.host != null) ? who + " (" + LockKeys.abbreviate(this.host) + process + ")" : who;
	}

	/**
	 * Builds the description of a holder.
	 */
	public static final class Builder {

		private final String application;

		private @Nullable String instance;

		private @Nullable String host;

		private long pid;

		private @Nullable String thread;

		private @Nullable String name;

		private @Nullable Duration queuedFor;

		private @Nullable String traceId;

		private Builder(String application) {
			this.application = Objects.requireNonNull(application, "application must not be null");
		}

		/**
		 * Set the instance of the application.
		 * @param instance the instance, or {@code null} if it is not known
		 * @return this builder
		 */
		public Builder instance(@Nullable String instance) {
			this.instance = instance;
			return this;
		}

		/**
		 * Set the host.
		 * @param host the name of the host, or {@code null} if it is not known
		 * @return this builder
		 */
		public Builder host(@Nullable String host) {
			this.host = host;
			return this;
		}

		/**
		 * Set the process.
		 * @param pid the process id, or {@code 0} if it is not known
		 * @return this builder
		 */
		public Builder pid(long pid) {
			this.pid = pid;
			return this;
		}

		/**
		 * Set the thread that requested the lock.
		 * @param thread the name of the thread, or {@code null} if it is not known
		 * @return this builder
		 */
		public Builder thread(@Nullable String thread) {
			this.thread = thread;
			return this;
		}

		/**
		 * Set the low-cardinality name of the lock.
		 * @param name the name, or {@code null} if it is not known
		 * @return this builder
		 */
		public Builder name(@Nullable String name) {
			this.name = name;
			return this;
		}

		/**
		 * Set how long the holder has been in the queue for the lock.
		 * @param queuedFor the time, or {@code null} if it is not known
		 * @return this builder
		 */
		public Builder queuedFor(@Nullable Duration queuedFor) {
			this.queuedFor = queuedFor;
			return this;
		}

		/**
		 * Set the trace in which the holder requested the lock.
		 * @param traceId the trace id of W3C Trace Context, or {@code null} if it is not
		 * known
		 * @return this builder
		 */
		public Builder traceId(@Nullable String traceId) {
			this.traceId = traceId;
			return this;
		}

		/**
		 * Return the holder.
		 * @return the holder
		 */
		public LockHolder build() {
			return new LockHolder(this);
		}

	}

}
