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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A key stays taken for a time although its holder is gone: its provider closed, its
 * client closed without a word, its session expired.
 */
class AtLeastTests {

	private static final Duration AT_LEAST = Duration.ofMillis(1500);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final LockRequest request = LockRequest.of("job " + UUID.randomUUID()).withWait(Duration.ofSeconds(20));

	private LockClient<ZooKeeperLockProvider> holder;

	private LockClient<ZooKeeperLockProvider> other;

	@BeforeEach
	void connect() {
		this.holder = client();
		this.other = client();
	}

	@AfterEach
	void disconnect() {
		this.other.close();
		this.holder.close();
	}

	@Test
	void nodeAndStampAreThereUntilTheTimeIsOver() {
		long start = System.nanoTime();
		LockHandle handle = take();
		assertThat(left()).hasSize(2);
		handle.release();
		assertThat(this.holder.locks().heldLocks()).isZero();
		eventually().until(() -> left().isEmpty());
		assertThat(since(start)).isGreaterThanOrEqualTo(AT_LEAST);
		LockHandle plain = this.holder.locks().acquire(this.request);
		assertThat(left()).singleElement().asString().doesNotContain("least");
		plain.release();
		assertThat(left()).isEmpty();
	}

	@Test
	void stampIsGoneWhenTheTimeIsOverAlthoughTheLockIsHeld() {
		LockHandle handle = take();
		eventually().until(() -> left().size() == 1);
		assertThat(left()).singleElement().asString().doesNotContain("least");
		assertThat(handle.isValid()).isTrue();
		handle.release();
		assertThat(left()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void whoSawTheLockWaitsForTheRestOfItsTime(End end) {
		long start = System.nanoTime();
		LockHandle handle = take();
		assertRefused(this.other);
		long seen = System.nanoTime();
		end.happen(this.holder);
		eventually().until(() -> left().stream().noneMatch((name) -> name.contains("lock-")));
		if (left().isEmpty()) {
			// Only when the machine has slept for longer than the time.
			assertThat(since(start)).isGreaterThan(AT_LEAST);
		}
		LockHandle next = this.other.locks().acquire(this.request);
		assertThat(since(start)).isGreaterThanOrEqualTo(AT_LEAST);
		assertThat(since(seen)).isLessThan(AT_LEAST.multipliedBy(5));
		assertThat(handle.state()).isNotEqualTo(LockState.HELD);
		next.release();
		eventually().until(() -> left().isEmpty());
	}

	@Test
	void processThatSawTheLockOnlyBeforeKnowsThatItsTimeIsOver() {
		take();
		assertRefused(this.other);
		long seen = System.nanoTime();
		End.CLOSED_CLIENT.happen(this.holder);
		eventually().until(() -> left().size() == 1);
		eventually().until(() -> since(seen).compareTo(AT_LEAST.plusMillis(100)) > 0);
		assertThat(left()).singleElement().asString().contains("-least-1500-");
		this.other.locks().acquire(this.request.withWait(Duration.ZERO)).release();
		eventually().until(() -> left().isEmpty());
	}

	@ParameterizedTest
	@EnumSource(names = { "CLOSED_PROVIDER", "CLOSED_CLIENT" })
	void processThatComesLaterWaitsTheWholeTime(End end) {
		take();
		end.happen(this.holder);
		eventually().until(() -> left().size() == 1);
		long start = System.nanoTime();
		assertRefused(this.other);
		LockHandle next = this.other.locks().acquire(this.request);
		assertThat(since(start)).isGreaterThanOrEqualTo(AT_LEAST);
		next.release();
		eventually().until(() -> left().isEmpty());
	}

	@Test
	void lockThatIsReleasedWhileItsProviderClosesLeavesItsStamp() {
		LockHandle handle = take();
		handle.release();
		long start = System.nanoTime();
		this.holder.locks().close();
		assertThat(left()).singleElement().asString().contains("least");
		this.other.locks().acquire(this.request).release();
		assertThat(since(start)).isGreaterThanOrEqualTo(AT_LEAST);
		eventually().until(() -> left().isEmpty());
	}

	@Test
	void nextHolderKeepsTheKeyForItsOwnTime() {
		take();
		End.CLOSED_CLIENT.happen(this.holder);
		eventually().until(() -> left().size() == 1);
		String old = left().get(0);
		this.other.locks().acquire(this.request.withAtLeast(AT_LEAST)).release();
		long start = System.nanoTime();
		eventually().until(() -> !left().contains(old));
		assertRefused(this.other);
		eventually().until(() -> left().isEmpty());
		assertThat(since(start)).isLessThan(AT_LEAST.multipliedBy(5));
	}

	@Test
	void mutexWaitsForTheNodeAndIsNotConfusedByTheStamp() throws Exception {
		long start = System.nanoTime();
		take().release();
		InterProcessMutex mutex = new InterProcessMutex(this.other.curator(),
				this.other.locks().pathOf(this.request.key()));
		assertThat(mutex.acquire(20, TimeUnit.SECONDS)).isTrue();
		assertThat(since(start)).isGreaterThanOrEqualTo(AT_LEAST);
		mutex.release();
		take();
		End.CLOSED_CLIENT.happen(this.holder);
		eventually().until(() -> left().size() == 1);
		long left = System.nanoTime();
		// It knows nothing of stamps; ours waits for both.
		assertThat(mutex.acquire(20, TimeUnit.SECONDS)).isTrue();
		assertRefused(this.other);
		mutex.release();
		this.other.locks().acquire(this.request.withMode(LockMode.READ)).release();
		assertThat(since(left)).isGreaterThanOrEqualTo(AT_LEAST);
		eventually().until(() -> left().isEmpty());
	}

	private LockHandle take() {
		return this.holder.locks().acquire(this.request.withAtLeast(AT_LEAST));
	}

	private void assertRefused(LockClient<ZooKeeperLockProvider> client) {
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> client.locks().acquire(this.request.withWait(Duration.ZERO).withOwner("another")))
			.withMessageContaining("; held by ")
			.withMessageContaining("; its last holder keeps it at least 1.5s");
	}

	private List<String> left() {
		return server.children("/locks/" + KeyEncoding.encode(this.request.key()));
	}

	private static LockClient<ZooKeeperLockProvider> client() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	private static ConditionFactory eventually() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

	enum End {

		CLOSED_PROVIDER, CLOSED_CLIENT, EXPIRED_SESSION;

		void happen(LockClient<ZooKeeperLockProvider> client) {
			switch (this) {
				case CLOSED_PROVIDER -> client.locks().close();
				case CLOSED_CLIENT -> client.curator().close();
				case EXPIRED_SESSION -> server.killSession(client.sessionId());
			}
		}

	}

}
