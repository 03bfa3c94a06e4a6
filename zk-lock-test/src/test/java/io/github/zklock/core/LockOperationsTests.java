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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LockOperationsTests {

	private static final LockRequest REQUEST = LockRequest.of("key").withName("jobs");

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockOperations locks = new LockTemplate(this.provider);

	private final LockOperations others = new LockTemplate(this.provider.another("other"));

	@Test
	void bodyNeedsNoRequestAndNoResult() {
		assertThat(this.locks.<String, RuntimeException>execute("key", LockHandle::key)).isEqualTo("key");
		StringBuilder ran = new StringBuilder();
		this.locks.executeWithoutResult("key", (handle) -> ran.append(handle.isHeld()));
		this.locks.executeWithoutResult(REQUEST, (handle) -> ran.append(handle.mode()));
		assertThat(ran).hasToString("trueEXCLUSIVE");
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void bodyWithoutResultMayThrow() {
		assertThatIllegalStateException().isThrownBy(() -> this.locks.executeWithoutResult("key", (handle) -> {
			throw new IllegalStateException("checked");
		}));
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void triesOnceUnlessTheRequestSaysHowLongToWait() {
		try (LockHandle other = this.others.acquire(REQUEST)) {
			assertThat(this.locks.tryAcquire(REQUEST)).isEmpty();
			assertThat(this.locks.tryExecute("key", (handle) -> other.assertHeld())).isFalse();
			assertThat(this.locks.tryAcquireAsync(REQUEST).orTimeout(30, TimeUnit.SECONDS).join()).isEmpty();
			assertThat(this.locks.tryExecuteAsync("key", CompletableFuture::completedFuture))
				.succeedsWithin(Duration.ofSeconds(30))
				.isEqualTo(false);
			CompletableFuture<Optional<LockHandle>> waiting = this.locks
				.tryAcquireAsync(REQUEST.withWait(LockRequest.FOREVER));
			assertThat(waiting).isNotDone();
			other.release();
			waiting.orTimeout(30, TimeUnit.SECONDS).join().orElseThrow().close();
		}
		this.locks.tryAcquire(REQUEST).orElseThrow().close();
		assertThat(this.locks.tryExecute(REQUEST, LockHandle::assertHeld)).isTrue();
		assertThat(this.locks.tryExecuteAsync(REQUEST, (handle) -> handle.releaseAsync()))
			.succeedsWithin(Duration.ofSeconds(30))
			.isEqualTo(true);
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void cancelledTryLeavesTheQueue() {
		try (LockHandle other = this.others.acquire(REQUEST)) {
			CompletableFuture<Optional<LockHandle>> waiting = this.locks
				.tryAcquireAsync(REQUEST.withWait(LockRequest.FOREVER));
			CompletableFuture<Boolean> body = this.locks.tryExecuteAsync(REQUEST.withWait(LockRequest.FOREVER),
					(handle) -> new CompletableFuture<>());
			waiting.cancel(true);
			body.cancel(true);
			other.assertHeld();
		}
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void tryFailsLikeAnyRequestThatIsNotAllowed() {
		this.locks.executeWithoutResult(REQUEST.withMode(LockMode.READ), (reading) -> {
			LockRequest writing = REQUEST.withMode(LockMode.WRITE);
			assertThatExceptionOfType(LockUpgradeException.class).isThrownBy(() -> this.locks.tryAcquire(writing));
			assertThat(this.locks.tryAcquireAsync(writing)).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(LockUpgradeException.class);
			assertThat(this.locks.tryExecuteAsync(writing, CompletableFuture::completedFuture))
				.failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(LockUpgradeException.class);
		});
	}

	// A refusal of an inner lock is not mistaken for a refusal of this one.
	@Test
	void asynchronousTryFailsWithItsBody() {
		LockNotAcquiredException inner = new LockNotAcquiredException(REQUEST, Duration.ZERO, null);
		assertThat(this.locks.tryExecuteAsync("key", (handle) -> CompletableFuture.failedFuture(inner)))
			.failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withCause(inner);
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void runsAsynchronousBodyOfAKeyOrSomethingElse() {
		assertThat(this.locks.executeAsync("key", (handle) -> CompletableFuture.completedFuture(handle.key())))
			.succeedsWithin(Duration.ofSeconds(30))
			.isEqualTo("key");
		try (LockHandle other = this.others.acquireAsync(REQUEST).orTimeout(30, TimeUnit.SECONDS).join()) {
			assertThat(this.locks.executeAsync(REQUEST.withWait(Duration.ZERO),
					(handle) -> CompletableFuture.completedFuture("ran"),
					(refusal) -> CompletableFuture.completedFuture(refusal.getKey())))
				.succeedsWithin(Duration.ofSeconds(30))
				.isEqualTo(other.key());
		}
	}

}
