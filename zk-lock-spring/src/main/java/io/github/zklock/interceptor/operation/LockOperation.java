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

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.core.UnavailablePolicy;
import org.jspecify.annotations.Nullable;

/**
 * What is done around a method: built and checked once per method.
 *
 * @param target the method and the target class
 * @param schedule what its ticks are called: the explicit name of its first lock, else
 * the class and the method
 * @param locks the locks to take, at least one
 * @param onNotAcquired what to do when others hold a lock, unless there is a fallback
 * method; {@link NotAcquiredPolicy#AUTO} stands for a method that is not scheduled
 * @param onUnavailable what to do when ZooKeeper could not be asked;
 * {@link UnavailablePolicy#AUTO} stands for a method that is not scheduled
 * @param fallback the method to call instead, or {@code null} if there is none
 * @param release when the locks are released
 * @param oncePerTick whether the run of a scheduled task is a tick, which only one node
 * runs
 * @param recovery how a run is made up for whose node has died, or {@code null} if it is
 * not
 * @param sharding into how many shards a tick is split
 * @param parameters the parameters that are filled in with the lock
 * @since 0.1.0
 */
public record LockOperation(LockTarget target, String schedule, List<LockSpecification> locks,
		NotAcquiredPolicy onNotAcquired, UnavailablePolicy onUnavailable, @Nullable LockFallback fallback,
		ReleasePolicy release, Ticks oncePerTick, @Nullable Recovery recovery, Sharding sharding,
		LockParameters parameters) {

	/**
	 * Check the operation.
	 * @throws InvalidLockUsageException if the method cannot be skipped although it is to
	 * be, or one parameter is to get one fencing token of several locks
	 */
	public LockOperation {
		locks = List.copyOf(locks);
		parameters.check(locks);
		if (onNotAcquired == NotAcquiredPolicy.SKIP) {
			checkSkippable(target, "the lock is not acquired",
					"set onNotAcquired = THROW, or name a fallbackMethod instead.");
		}
		if (onUnavailable == UnavailablePolicy.SKIP) {
			checkSkippable(target, "ZooKeeper cannot be asked", "or set onUnavailable = THROW.");
		}
	}

	/**
	 * Return the method of the target class.
	 * @return the method
	 */
	public Method method() {
		return this.target.method();
	}

	/**
	 * Return the target class.
	 * @return the class
	 */
	public Class<?> targetClass() {
		return this.target.targetClass();
	}

	/**
	 * Return the name of the bean that provides the locks, which is the same for all.
	 * @return the name, empty for the default provider
	 */
	public String provider() {
		return this.locks.get(0).provider();
	}

	/**
	 * Return what a skipped call returns.
	 * @return an empty {@code Optional}, a completed future or an empty publisher, if the
	 * method returns one; {@code null} for all other return types
	 */
	public @Nullable Object skippedResult() {
		return MethodResult.empty(method());
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

}
