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

import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.UnavailablePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What is done around a method: built and checked once per method.
 *
 * @param method the method of the target class
 * @param targetClass the target class
 * @param locks the locks to take, at least one
 * @param onNotAcquired what to do when others hold one, unless there is a fallback
 * method; {@link NotAcquiredPolicy#AUTO} stands for a method that is not scheduled
 * @param onUnavailable what to do when ZooKeeper could not be asked;
 * {@link UnavailablePolicy#AUTO} stands for a method that is not scheduled
 * @param fallback the method to call instead, or {@code null}
 * @param release when the locks are released
 * @param parameters the parameters that are filled in with the lock
 * @param oncePerTick whether the run of a scheduled task is a tick, which only one node
 * runs
 * @since 0.1.0
 */
public record LockOperation(Method method, Class<?> targetClass, List<LockSpecification> locks,
		NotAcquiredPolicy onNotAcquired, UnavailablePolicy onUnavailable, @Nullable LockFallback fallback,
		ReleasePolicy release, LockParameters parameters, Ticks oncePerTick) {

	/**
	 * Check the values.
	 * @throws InvalidLockUsageException if the method cannot be skipped although it is to
	 * be, or is to be told one fencing token of several
	 */
	public LockOperation {
		Objects.requireNonNull(method, "method must not be null");
		Objects.requireNonNull(targetClass, "targetClass must not be null");
		Objects.requireNonNull(onUnavailable, "onUnavailable must not be null");
		Objects.requireNonNull(release, "release must not be null");
		Objects.requireNonNull(oncePerTick, "oncePerTick must not be null");
		locks = List.copyOf(locks);
		parameters.check(locks);
		LockTarget target = new LockTarget(method, targetClass);
		if (onNotAcquired == NotAcquiredPolicy.SKIP) {
			checkSkippable(target, "the lock is not acquired",
					"set onNotAcquired = THROW, or name a fallbackMethod instead.");
		}
		if (onUnavailable == UnavailablePolicy.SKIP) {
			checkSkippable(target, "ZooKeeper cannot be asked", "or set onUnavailable = THROW.");
		}
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

}
