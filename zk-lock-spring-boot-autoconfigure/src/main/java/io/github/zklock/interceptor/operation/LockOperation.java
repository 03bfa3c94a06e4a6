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

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.UnavailablePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What is done around a method: built and checked once per method. Immutable.
 *
 * @since 0.1.0
 */
public final class LockOperation {

	private final Method method;

	private final Class<?> targetClass;

	private final List<LockSpecification> locks;

	private final NotAcquiredPolicy onNotAcquired;

	private final UnavailablePolicy onUnavailable;

	private final @Nullable LockFallback fallback;

	private final ReleasePolicy release;

	private final LockParameters parameters;

	private final Ticks oncePerTick;

	private final @Nullable Recovery recovery;

	private LockOperation(Builder builder) {
		this.method = builder.method;
		this.targetClass = builder.targetClass;
		this.locks = builder.locks;
		this.onNotAcquired = builder.onNotAcquired;
		this.onUnavailable = builder.onUnavailable;
		this.fallback = builder.fallback;
		this.release = builder.release;
		this.parameters = new LockParameters(target());
		this.oncePerTick = builder.oncePerTick;
		this.recovery = builder.recovery;
		this.parameters.check(this.locks);
		LockTarget target = target();
		if (this.onNotAcquired == NotAcquiredPolicy.SKIP) {
			checkSkippable(target, "the lock is not acquired",
					"set onNotAcquired = THROW, or name a fallbackMethod instead.");
		}
		if (this.onUnavailable == UnavailablePolicy.SKIP) {
			checkSkippable(target, "ZooKeeper cannot be asked", "or set onUnavailable = THROW.");
		}
	}

	/**
	 * Begin the operation of a method.
	 * @param method the method of the target class
	 * @param targetClass the target class
	 * @param locks the locks to take, at least one
	 * @return the builder
	 */
	public static Builder of(Method method, Class<?> targetClass, List<LockSpecification> locks) {
		return new Builder(method, targetClass, locks);
	}

	/**
	 * Return the method of the target class.
	 * @return the method
	 */
	public Method method() {
		return this.method;
	}

	/**
	 * Return the target class.
	 * @return the class
	 */
	public Class<?> targetClass() {
		return this.targetClass;
	}

	/**
	 * Return the name of the bean that provides the locks, which is the same for all.
	 * @return the name, empty for the default provider
	 */
	public String provider() {
		return this.locks.get(0).provider();
	}

	/**
	 * Return the locks to take.
	 * @return the locks, at least one
	 */
	public List<LockSpecification> locks() {
		return this.locks;
	}

	/**
	 * Return what to do when others hold a lock, unless there is a fallback method.
	 * @return the policy; {@link NotAcquiredPolicy#AUTO}, the default, stands for a
	 * method that is not scheduled
	 */
	public NotAcquiredPolicy onNotAcquired() {
		return this.onNotAcquired;
	}

	/**
	 * Return what to do when ZooKeeper could not be asked.
	 * @return the policy; {@link UnavailablePolicy#AUTO}, the default, stands for a
	 * method that is not scheduled
	 */
	public UnavailablePolicy onUnavailable() {
		return this.onUnavailable;
	}

	/**
	 * Return the method to call instead.
	 * @return the fallback, or {@code null} if there is none
	 */
	public @Nullable LockFallback fallback() {
		return this.fallback;
	}

	/**
	 * Return when the locks are released.
	 * @return the policy. The default is {@link ReleasePolicy#TRANSACTION}
	 */
	public ReleasePolicy release() {
		return this.release;
	}

	/**
	 * Return the parameters that are filled in with the lock.
	 * @return the parameters
	 */
	public LockParameters parameters() {
		return this.parameters;
	}

	/**
	 * Return whether the run of a scheduled task is a tick, which only one node runs.
	 * @return whether it is. The default is {@link Ticks#NO}
	 */
	public Ticks oncePerTick() {
		return this.oncePerTick;
	}

	/**
	 * Return how a tick that did not come to its end is made up for.
	 * @return the recovery, or {@code null}, the default, if it is not
	 */
	public @Nullable Recovery recovery() {
		return this.recovery;
	}

	/**
	 * Return the method in the words of a message.
	 * @return the method and the target class
	 */
	public LockTarget target() {
		return new LockTarget(this.method, this.targetClass);
	}

	/**
	 * Return what a skipped call returns.
	 * @return an empty {@code Optional}, a completed future or an empty publisher, if the
	 * method returns one; {@code null} for all other return types
	 */
	public @Nullable Object skippedResult() {
		return MethodResult.empty(this.method);
	}

	private static void checkSkippable(LockTarget target, String moment, String action) {
		if (!MethodResult.hasEmpty(target.method())) {
			Class<?> type = target.method().getReturnType();
			throw target.invalid(
					"is to be skipped when " + moment + ", but returns "
							+ (type.isPrimitive() ? "the primitive " + type : "a " + type.getSimpleName())
							+ ", for which there is no empty value",
					(type.isPrimitive() ? "Return void, " + type + "'s wrapper or an Optional, "
							: "Return another type, ") + action);
		}
	}

	/**
	 * Whether the run of a scheduled task is a tick, of which only one node runs each.
	 */
	public enum Ticks {

		/**
		 * It is not: each node tries to get the lock.
		 */
		NO(null),

		/**
		 * It is, as nothing else is said, unless the task is repeated more often than
		 * once a second.
		 */
		BY_DEFAULT(Duration.ofSeconds(1)),

		/**
		 * It is.
		 */
		YES(Duration.ZERO);

		private final @Nullable Duration shortestPeriod;

		Ticks(@Nullable Duration shortestPeriod) {
			this.shortestPeriod = shortestPeriod;
		}

		/**
		 * Return the shortest period of runs that are ticks.
		 * @return the period, or {@code null} if no run is a tick
		 */
		public @Nullable Duration shortestPeriod() {
			return this.shortestPeriod;
		}

	}

	/**
	 * How a tick that did not come to its end is made up for.
	 *
	 * @param within how long after its time
	 * @param maxAttempts how often it may begin to run
	 */
	public record Recovery(Duration within, int maxAttempts) {

	}

	/**
	 * Builds an operation.
	 */
	public static final class Builder {

		private final Method method;

		private final Class<?> targetClass;

		private final List<LockSpecification> locks;

		private NotAcquiredPolicy onNotAcquired = NotAcquiredPolicy.AUTO;

		private UnavailablePolicy onUnavailable = UnavailablePolicy.AUTO;

		private @Nullable LockFallback fallback;

		private ReleasePolicy release = ReleasePolicy.TRANSACTION;

		private Ticks oncePerTick = Ticks.NO;

		private @Nullable Recovery recovery;

		private Builder(Method method, Class<?> targetClass, List<LockSpecification> locks) {
			this.method = Objects.requireNonNull(method, "method must not be null");
			this.targetClass = Objects.requireNonNull(targetClass, "targetClass must not be null");
			this.locks = List.copyOf(locks);
		}

		/**
		 * Set what to do when others hold a lock, unless there is a fallback method.
		 * @param onNotAcquired the policy; {@link NotAcquiredPolicy#AUTO}, the default,
		 * stands for a method that is not scheduled
		 * @return this builder
		 */
		public Builder onNotAcquired(NotAcquiredPolicy onNotAcquired) {
			this.onNotAcquired = Objects.requireNonNull(onNotAcquired, "onNotAcquired must not be null");
			return this;
		}

		/**
		 * Set what to do when ZooKeeper could not be asked.
		 * @param onUnavailable the policy; {@link UnavailablePolicy#AUTO}, the default,
		 * stands for a method that is not scheduled
		 * @return this builder
		 */
		public Builder onUnavailable(UnavailablePolicy onUnavailable) {
			this.onUnavailable = Objects.requireNonNull(onUnavailable, "onUnavailable must not be null");
			return this;
		}

		/**
		 * Set the method to call instead.
		 * @param fallback the fallback, or {@code null} if there is none
		 * @return this builder
		 */
		public Builder fallback(@Nullable LockFallback fallback) {
			this.fallback = fallback;
			return this;
		}

		/**
		 * Set when the locks are released.
		 * @param release the policy. The default is {@link ReleasePolicy#TRANSACTION}
		 * @return this builder
		 */
		public Builder release(ReleasePolicy release) {
			this.release = Objects.requireNonNull(release, "release must not be null");
			return this;
		}

		/**
		 * Set whether the run of a scheduled task is a tick, which only one node runs.
		 * @param oncePerTick whether it is. The default is {@link Ticks#NO}
		 * @return this builder
		 */
		public Builder oncePerTick(Ticks oncePerTick) {
			this.oncePerTick = Objects.requireNonNull(oncePerTick, "oncePerTick must not be null");
			return this;
		}

		/**
		 * Set how a tick that did not come to its end is made up for.
		 * @param recovery the recovery, or {@code null}, the default, if it is not
		 * @return this builder
		 */
		public Builder recovery(@Nullable Recovery recovery) {
			this.recovery = recovery;
			return this;
		}

		/**
		 * Return the operation.
		 * @return the operation
		 * @throws InvalidLockUsageException if the method cannot be skipped although it
		 * is to be, or one parameter is to get one fencing token of several locks
		 */
		public LockOperation build() {
			return new LockOperation(this);
		}

	}

}
