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

package io.github.zklock.interceptor.operation;

import java.time.Duration;
import java.util.Objects;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LossPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One lock of a method, read from its annotation and the configuration. Immutable.
 *
 * @since 0.1.0
 */
public final class LockSpecification {

	private final LockExpression key;

	private final String name;

	private final LockMode mode;

	private final Duration waitTime;

	private final int permits;

	private final @Nullable LockExpression permitsExpression;

	private final Duration atLeast;

	private final LossPolicy onLost;

	private final boolean cache;

	private final boolean unguarded;

	private final @Nullable LockExpression condition;

	private final String provider;

	private LockSpecification(Builder builder) {
		this.key = builder.key;
		this.name = builder.name;
		this.mode = builder.mode;
		this.waitTime = builder.waitTime;
		this.permits = builder.permits;
		this.permitsExpression = builder.permitsExpression;
		this.atLeast = builder.atLeast;
		this.onLost = builder.onLost;
		this.cache = builder.cache;
		this.unguarded = builder.unguarded;
		this.condition = builder.condition;
		this.provider = builder.provider;
	}

	/**
	 * Begin a specification.
	 * @param key the compiled key
	 * @param name the low-cardinality name
	 * @return the builder
	 */
	public static Builder of(LockExpression key, String name) {
		return new Builder(key, name);
	}

	/**
	 * Return the compiled key.
	 * @return the key
	 */
	public LockExpression key() {
		return this.key;
	}

	/**
	 * Return the low-cardinality name.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return the mode.
	 * @return the mode. The default is {@link LockMode#EXCLUSIVE}
	 */
	public LockMode mode() {
		return this.mode;
	}

	/**
	 * Return how long to wait.
	 * @return the time. The default is {@link LockRequest#DEFAULT_WAIT}
	 */
	public Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * Return how many may hold a key at once.
	 * @return the number, 0 if it is computed for each call. The default is 1
	 */
	public int permits() {
		return this.permits;
	}

	/**
	 * Return what computes the number of permits for each call.
	 * @return the expression, or {@code null} if the number is fixed
	 */
	public @Nullable LockExpression permitsExpression() {
		return this.permitsExpression;
	}

	/**
	 * Return how long to keep it at least.
	 * @return the time. The default is {@link Duration#ZERO}
	 */
	public Duration atLeast() {
		return this.atLeast;
	}

	/**
	 * Return what happens when it is lost.
	 * @return the policy. The default is {@link LossPolicy#FAIL_AT_EXIT}
	 */
	public LossPolicy onLost() {
		return this.onLost;
	}

	/**
	 * Return whether the process may keep it for the next call.
	 * @return whether it may. The default is {@code false}
	 */
	public boolean cache() {
		return this.cache;
	}

	/**
	 * Return whether methods run without it.
	 * @return whether they do. The default is {@code false}
	 */
	public boolean unguarded() {
		return this.unguarded;
	}

	/**
	 * Return what decides whether a call needs it.
	 * @return the condition, or {@code null} if each call needs it
	 */
	public @Nullable LockExpression condition() {
		return this.condition;
	}

	/**
	 * Return the name of the bean that provides the lock.
	 * @return the name, empty for the default provider
	 */
	public String provider() {
		return this.provider;
	}

	/**
	 * Create the request of one call.
	 * @param key the key of the call
	 * @param permits how many may hold it at once
	 * @return the request
	 * @throws io.github.zklock.core.LockKeyException if the key is not allowed
	 */
	public LockRequest request(String key, int permits) {
		return LockRequest.of(key)
			.withMode(this.mode)
			.withWait(this.waitTime)
			.withName(this.name)
			.withPermits(permits)
			.withAtLeast(this.atLeast)
			.withOnLost(this.onLost)
			.withCache(this.cache);
	}

	/**
	 * Builds a specification.
	 */
	public static final class Builder {

		private final LockExpression key;

		private final String name;

		private LockMode mode = LockMode.EXCLUSIVE;

		private Duration waitTime = LockRequest.DEFAULT_WAIT;

		private int permits = 1;

		private @Nullable LockExpression permitsExpression;

		private Duration atLeast = Duration.ZERO;

		private LossPolicy onLost = LossPolicy.FAIL_AT_EXIT;

		private boolean cache;

		private boolean unguarded;

		private @Nullable LockExpression condition;

		private String provider = "";

		private Builder(LockExpression key, String name) {
			this.key = Objects.requireNonNull(key, "key must not be null");
			this.name = Objects.requireNonNull(name, "name must not be null");
		}

		/**
		 * Set the mode.
		 * @param mode the mode. The default is {@link LockMode#EXCLUSIVE}
		 * @return this builder
		 */
		public Builder mode(LockMode mode) {
			this.mode = Objects.requireNonNull(mode, "mode must not be null");
			return this;
		}

		/**
		 * Set how long to wait.
		 * @param waitTime the time. The default is {@link LockRequest#DEFAULT_WAIT}
		 * @return this builder
		 */
		public Builder waitTime(Duration waitTime) {
			this.waitTime = Objects.requireNonNull(waitTime, "waitTime must not be null");
			return this;
		}

		/**
		 * Set how many may hold a key at once.
		 * @param permits the number, 0 if it is computed for each call. The default is 1
		 * @return this builder
		 */
		public Builder permits(int permits) {
			this.permits = permits;
			return this;
		}

		/**
		 * Set what computes the number of permits for each call.
		 * @param permitsExpression the expression, or {@code null} if the number is fixed
		 * @return this builder
		 */
		public Builder permitsExpression(@Nullable LockExpression permitsExpression) {
			this.permitsExpression = permitsExpression;
			return this;
		}

		/**
		 * Set how long to keep it at least.
		 * @param atLeast the time. The default is {@link Duration#ZERO}
		 * @return this builder
		 */
		public Builder atLeast(Duration atLeast) {
			this.atLeast = Objects.requireNonNull(atLeast, "atLeast must not be null");
			return this;
		}

		/**
		 * Set what happens when it is lost.
		 * @param onLost the policy. The default is {@link LossPolicy#FAIL_AT_EXIT}
		 * @return this builder
		 */
		public Builder onLost(LossPolicy onLost) {
			this.onLost = Objects.requireNonNull(onLost, "onLost must not be null");
			return this;
		}

		/**
		 * Set whether the process may keep it for the next call.
		 * @param cache whether it may. The default is {@code false}
		 * @return this builder
		 */
		public Builder cache(boolean cache) {
			this.cache = cache;
			return this;
		}

		/**
		 * Set whether methods run without it.
		 * @param unguarded whether they do. The default is {@code false}
		 * @return this builder
		 */
		public Builder unguarded(boolean unguarded) {
			this.unguarded = unguarded;
			return this;
		}

		/**
		 * Set what decides whether a call needs it.
		 * @param condition the condition, or {@code null} if each call needs it
		 * @return this builder
		 */
		public Builder condition(@Nullable LockExpression condition) {
			this.condition = condition;
			return this;
		}

		/**
		 * Set the name of the bean that provides the lock.
		 * @param provider the name. The default is empty: the default provider
		 * @return this builder
		 */
		public Builder provider(String provider) {
			this.provider = Objects.requireNonNull(provider, "provider must not be null");
			return this;
		}

		/**
		 * Return the specification.
		 * @return the specification
		 */
		public LockSpecification build() {
			return new LockSpecification(this);
		}

	}

}
