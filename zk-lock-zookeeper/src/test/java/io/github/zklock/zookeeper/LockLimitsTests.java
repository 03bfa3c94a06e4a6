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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.local.LockAttempt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Tag("server")
class LockLimitsTests {

	private static final LockLimits FEW = LockLimits.DEFAULT.withKeysPerCall(1).withWaitersPerKey(3).withKeyLength(20);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@ParameterizedTest
	@EnumSource(Fairness.class)
	void requestIsRefusedAtOnceIfTooManyWaitForItsKey(Fairness fairness) {
		try (LockClient<ZooKeeperLockProvider> client = connect(FEW, fairness)) {
			LockRequest request = LockRequest.of("crowded").withWait(Duration.ofMinutes(2));
			LockHandle holder = client.locks().acquire(request);
			List<CompletableFuture<Void>> waiters = new ArrayList<>();
			for (int i = 0; i < FEW.waitersPerKey(); i++) {
				waiters.add(client.locks().acquireAsync(request).thenCompose(LockHandle::releaseAsync));
			}
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> client.locks().acquire(request.withOwner("another")))
				.withMessage("Lock 'crowded' (EXCLUSIVE) not acquired at once; as many requests of this process wait "
						+ "for the key as LockLimits.waitersPerKey allows (3)");
			assertThat(client.locks().acquireAsync(request)).isCompletedExceptionally();
			client.locks().acquire(LockRequest.of("other")).release();
			holder.release();
			waiters.forEach(CompletableFuture::join);
			client.locks().acquire(request).release();
		}
	}

	@Test
	void requestsOfAKeyAreCountedWithoutAWalkThroughAll() {
		WaitingRequests requests = new WaitingRequests(new Unwalkable());
		try (LockClient<ZooKeeperLockProvider> client = connect(FEW, Fairness.BOUNDED)) {
			LockAttempt first = attempt(client, "a");
			LockAttempt second = attempt(client, "a");
			requests.addAll(List.of(first, first, second, attempt(client, "b")));
			assertThat(requests.of("a")).isEqualTo(2);
			assertThat(requests.of("b")).isOne();
			requests.remove(first);
			requests.remove(first);
			assertThat(requests.of("a")).isOne();
			requests.remove(second);
			assertThat(requests.of("a")).isZero();
			assertThat(requests.size()).isOne();
		}
	}

	private static LockAttempt attempt(LockClient<ZooKeeperLockProvider> client, String key) {
		EngineParts engine = EngineParts.of(client.locks());
		return new LockAttempt(engine.tracker(), engine.tasks(), engine.paths(), LockRequest.of(key), () -> new byte[0],
				Duration.ZERO);
	}

	@Test
	void nestedRequestIsNotCounted() {
		try (LockClient<ZooKeeperLockProvider> client = connect(FEW.withWaitersPerKey(1), Fairness.BOUNDED)) {
			LockRequest request = LockRequest.of("nested");
			LockHandle outer = client.locks().acquire(request);
			CompletableFuture<Void> waiter = client.locks().acquireAsync(request).thenCompose(LockHandle::releaseAsync);
			client.locks().acquire(request).release();
			outer.release();
			waiter.join();
		}
	}

	@Test
	void longKeyIsRefusedBeforeAnyRequest() {
		try (LockClient<ZooKeeperLockProvider> client = connect(FEW, Fairness.BOUNDED)) {
			LockRequest request = LockRequest.of("x".repeat(21));
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> client.locks().acquire(request))
				.withMessageContaining("has 21 characters, more than the 20 that LockLimits.keyLength allows");
			assertThat(client.locks().acquireAsync(request)).isCompletedExceptionally();
			client.locks().acquire(LockRequest.of("x".repeat(20))).release();
		}
	}

	@Test
	void keyHasAtMost1024CharactersByDefault() {
		try (LockClient<ZooKeeperLockProvider> client = connect(LockLimits.DEFAULT, Fairness.BOUNDED)) {
			client.locks().acquire(LockRequest.of("x".repeat(1024))).release();
			assertThatExceptionOfType(LockKeyException.class)
				.isThrownBy(() -> client.locks().acquire(LockRequest.of("x".repeat(1025))))
				.withMessageContaining("LockLimits.keyLength");
		}
	}

	@Test
	void limitBelowOneIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> FEW.withKeysPerCall(0))
			.withMessageContaining("keysPerCall");
		assertThatIllegalArgumentException().isThrownBy(() -> FEW.withWaitersPerKey(0))
			.withMessageContaining("waitersPerKey");
		assertThatIllegalArgumentException().isThrownBy(() -> FEW.withKeyLength(LockRequest.MAX_KEY_LENGTH + 1))
			.withMessageContaining("keyLength");
	}

	private static LockClient<ZooKeeperLockProvider> connect(LockLimits limits, Fairness fairness) {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.limits(limits)
					.fairness(fairness)
					.tryTimeout(Duration.ofSeconds(30))
					.build());
	}

	/**
	 * A set through which no code walks.
	 */
	private static final class Unwalkable extends HashSet<LockAttempt> {

		@Override
		public Iterator<LockAttempt> iterator() {
			throw new AssertionError("A request walks through all that wait");
		}

		@Override
		public Spliterator<LockAttempt> spliterator() {
			throw new AssertionError("A request walks through all that wait");
		}

	}

}
