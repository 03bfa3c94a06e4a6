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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.RecordingLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the properties of locks do to the requests of {@link LockOperations}.
 */
class ConfiguredOperationsTests {

	private static final LockRequest JOBS = LockRequest.of("key").withName("jobs");

	private final RecordingLockProvider provider = new RecordingLockProvider(new NoOpLockProvider());

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withBean(LockProvider.class, () -> this.provider);

	@Test
	void waitsAsLongAsTheConfigurationSays() {
		run((locks) -> {
			locks.acquire(LockRequest.of("key")).close();
			locks.acquireAsync(LockRequest.of("key")).join().close();
			locks.acquire(JOBS).close();
			locks.execute(List.of(JOBS), LockHandle::key);
			locks.executeAsync(JOBS, (handle) -> CompletableFuture.completedFuture(handle.key())).join();
		}, "zk-lock.default-wait=2s", "zk-lock.locks.jobs.wait=forever");
		assertThat(this.provider.requests()).extracting(LockRequest::waitTime)
			.containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2), LockRequest.FOREVER, LockRequest.FOREVER,
					LockRequest.FOREVER);
	}

	@Test
	void waitsAsLongAsTheRequestSays() {
		run((locks) -> {
			locks.acquire(JOBS.withWait(LockRequest.DEFAULT_WAIT)).close();
			locks.acquire(JOBS.withWait(Duration.ZERO)).close();
			locks.tryAcquire(JOBS).orElseThrow().close();
		}, "zk-lock.default-wait=2s", "zk-lock.locks.jobs.wait=3s");
		assertThat(this.provider.requests()).extracting(LockRequest::waitTime)
			.containsExactly(LockRequest.DEFAULT_WAIT, Duration.ZERO, Duration.ZERO);
	}

	@Test
	void severalLocksWaitForTheShortestTime() {
		run((locks) -> locks.acquire(List.of(JOBS, LockRequest.of("other"))).close(), "zk-lock.locks.jobs.wait=3s",
				"zk-lock.default-wait=2h");
		assertThat(this.provider.requests()).hasSize(2)
			.allSatisfy((request) -> assertThat(request.waitTime()).isLessThanOrEqualTo(Duration.ofSeconds(3)));
	}

	@Test
	void cachesAsTheConfigurationSaysUnlessTheRequestDoes() {
		run((locks) -> {
			locks.acquire(JOBS).close();
			locks.acquire(JOBS.withCache(false)).close();
			locks.acquire(LockRequest.of("key")).close();
			assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire(JOBS.withPermits(2)))
				.withMessageContaining("caching and 2 permits");
		}, "zk-lock.locks.jobs.cache=true");
		assertThat(this.provider.requests()).extracting(LockRequest::cache).containsExactly(true, false, false);
	}

	@Test
	void takesNoLockOfAnUnguardedName() {
		run((locks) -> {
			LockHandle off = locks.acquire(JOBS);
			assertThat(NoOpLockProvider.isTurnedOff(off)).isTrue();
			assertThat(locks.<Boolean, RuntimeException>execute(JOBS, NoOpLockProvider::isTurnedOff)).isTrue();
			assertThat(NoOpLockProvider.isTurnedOff(locks.acquireAsync(JOBS).join())).isTrue();
			LockHandle other = locks.acquire(List.of(JOBS, LockRequest.of("other")));
			assertThat(other.key()).isEqualTo("other");
		}, "zk-lock.locks.jobs.unguarded=true");
		assertThat(this.provider.requests()).extracting(LockRequest::key).containsExactly("other");
	}

	@Test
	void templateOfAnotherProviderHasTheSameConfiguration() {
		RecordingLockProvider other = new RecordingLockProvider(new NoOpLockProvider());
		this.contextRunner.withPropertyValues("zk-lock.default-wait=2s", "zk-lock.locks.jobs.unguarded=true")
			.withBean(LockLimits.class, () -> LockLimits.DEFAULT.withKeysPerCall(1))
			.run((context) -> {
				LockTemplate locks = context.getBean(LockTemplate.class).withProvider(other);
				locks.acquire(LockRequest.of("key")).close();
				assertThat(NoOpLockProvider.isTurnedOff(locks.acquire(JOBS))).isTrue();
				assertThatExceptionOfType(LockKeyException.class)
					.isThrownBy(() -> locks.acquire(List.of(LockRequest.of("a"), LockRequest.of("b"))));
			});
		assertThat(other.requests()).singleElement()
			.satisfies((request) -> assertThat(request.waitTime()).isEqualTo(Duration.ofSeconds(2)));
		assertThat(this.provider.requests()).isEmpty();
	}

	@Test
	void templateOfAnotherProviderTakesNoLockWhileLocksAreTurnedOff() {
		RecordingLockProvider other = new RecordingLockProvider(new NoOpLockProvider());
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
			.withPropertyValues("zk-lock.enabled=false")
			.run((context) -> context.getBean(LockTemplate.class)
				.withProvider(other)
				.execute("key", (handle) -> handle.key()));
		assertThat(other.requests()).isEmpty();
	}

	private void run(Consumer<LockOperations> body, String... properties) {
		this.contextRunner.withPropertyValues(properties)
			.run((context) -> body.accept(context.getBean(LockOperations.class)));
	}

}
