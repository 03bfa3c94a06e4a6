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

package io.github.zklock.interceptor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Whether a lock may be kept for the next call, as it is declared and configured.
 */
class LockCacheTests {

	private final LockProxies proxies = new LockProxies();

	@ParameterizedTest
	@CsvSource({ "plain, , false", "plain, true, true", "plain, false, false" })
	void configurationDecides(String method, @Nullable Boolean configured, boolean cache) {
		if (configured != null) {
			this.proxies.settings.caches.put("cached-" + method, configured);
		}
		LockSpecification lock = operation(Cached.class, method).locks().get(0);
		assertThat(lock.cache()).isEqualTo(cache);
		assertThat(lock.request("key", 1).cache()).isEqualTo(cache);
	}

	@ParameterizedTest
	@CsvSource({ "permits, permits", "computed, permits", "kept, lockAtLeastFor" })
	void refusesAPropertyThatCannotBeCombined(String method, String other) {
		this.proxies.settings.caches.put("cached-" + method, true);
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> operation(Cached.class, method))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).contains("has the property zk-lock.locks.cached-" + method
						+ ".cache = true and " + other + ", which cannot be combined");
				assertThat(ex.getAction()).startsWith("Remove one of them");
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void requestHasIt(boolean cache) {
		LockRequest request = LockRequest.of("key").withCache(cache);
		assertThat(request.withWait(Duration.ZERO).withName("name").withOwner("owner").cache()).isEqualTo(cache);
	}

	@Test
	void requestRefusesWhatCannotBeCombined() {
		LockRequest request = LockRequest.of("key").withCache(true);
		assertThat(LockRequest.of("key").cache()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> request.withPermits(2))
			.withMessage("Lock 'key': caching and 2 permits cannot be combined; use only one");
		assertThatIllegalArgumentException().isThrownBy(() -> request.withLockAtLeastFor(Duration.ofSeconds(1)))
			.withMessage("Lock 'key': caching and a minimum hold time cannot be combined; use only one");
	}

	private LockOperation operation(Class<?> type, String name) {
		Method method = Stream.of(type.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(name))
			.findFirst()
			.orElseThrow();
		return Objects.requireNonNull(this.proxies.source.getLockOperation(method, type));
	}

	static class Cached {

		@DistributedLock("k")
		void plain(Object argument) {
		}

		@DistributedLock(key = "k", lockAtLeastFor = "5s")
		void kept(Object argument) {
		}

		@DistributedLock(key = "k", permits = "3")
		void permits(Object argument) {
		}

		@DistributedLock(key = "k", permits = "#p0")
		void computed(Object argument) {
		}

	}

}
