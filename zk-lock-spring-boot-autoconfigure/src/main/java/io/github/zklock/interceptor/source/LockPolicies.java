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

package io.github.zklock.interceptor.source;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.github.zklock.annotation.NotAcquired;
import io.github.zklock.annotation.Release;
import io.github.zklock.annotation.Unavailable;
import io.github.zklock.core.OnLost;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;

/**
 * What the annotations of a method say about the call as a whole. All of its locks are
 * acquired or none, so there is one answer for all: the annotations that say anything
 * other than the default have to say the same.
 *
 * @param waitTime how long to wait for all of the locks, or {@code null} if none says
 * @param onNotAcquired what to do when others hold one of them
 * @param onUnavailable what to do when ZooKeeper could not be asked
 * @param fallbackMethod the method to call instead, or empty
 * @param onLost what happens when one of them is lost
 * @param release when they are released
 */
record LockPolicies(@Nullable Duration waitTime, NotAcquired onNotAcquired, Unavailable onUnavailable,
		String fallbackMethod, OnLost onLost, Release release) {

	static LockPolicies of(LockTarget target, List<LockDeclaration> locks) {
		Agreement agreement = new Agreement(target, locks);
		LockPolicies policies = new LockPolicies(agreement.on("waitTime", LockDeclaration::declaredWait, null),
				agreement.on("onNotAcquired", (lock) -> lock.annotation().onNotAcquired(), NotAcquired.AUTO),
				agreement.on("onUnavailable", (lock) -> lock.annotation().onUnavailable(), Unavailable.AUTO),
				agreement.on("fallbackMethod", (lock) -> lock.text("fallbackMethod").strip(), ""),
				agreement.on("onLost", (lock) -> lock.annotation().onLost(), OnLost.FAIL_AT_EXIT),
				agreement.on("release", (lock) -> lock.annotation().release(), Release.TRANSACTION));
		if (!policies.fallbackMethod().isEmpty() && policies.onNotAcquired() != NotAcquired.AUTO) {
			throw target.invalid(
					"has both onNotAcquired = " + policies.onNotAcquired() + " and fallbackMethod = \""
							+ policies.fallbackMethod() + "\"",
					"Remove one of them: a fallback method is called instead of throwing or skipping.");
		}
		return policies;
	}

	private record Agreement(LockTarget target, List<LockDeclaration> locks) {

		<T extends @Nullable Object> T on(String attribute, Function<LockDeclaration, T> value, T byDefault) {
			List<T> said = this.locks.stream()
				.map(value)
				.filter((each) -> !Objects.equals(each, byDefault))
				.distinct()
				.toList();
			if (said.size() > 1) {
				throw this.target.invalid(
						"has several @DistributedLock annotations that contradict each other: " + attribute + " = "
								+ said.get(0) + " and " + attribute + " = " + said.get(1),
						"All locks of a method are acquired or none, so give " + attribute
								+ " once, or the same value everywhere.");
			}
			return said.isEmpty() ? byDefault : said.get(0);
		}

	}

}
