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

package io.github.zklock.bridge.shedlock;

import java.time.Duration;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The cases by which ShedLock tests its own providers, on a real server. Those that count
 * on {@code lockAtMostFor}, or extend {@code lockAtLeastFor}, are left out.
 */
@Tag("server")
class ShedLockCasesTests extends AbstractExtensibleLockProviderIntegrationTest {

	private static final String SESSION = "a lock lives as long as its session";

	private static final String GRANT = "how long a lock is kept at least is written down with its grant";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static LockClient<ZooKeeperLockProvider> client;

	private static LockClient<ZooKeeperLockProvider> other;

	@BeforeAll
	static void connect() {
		client = connected();
		other = connected();
	}

	private static LockClient<ZooKeeperLockProvider> connected() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(Duration.ofSeconds(10)).build());
	}

	@AfterAll
	static void disconnect() {
		other.close();
		client.close();
	}

	@Override
	protected ExtensibleLockProvider getLockProvider() {
		return new ShedLockProvider(new LockTemplate(client.locks()));
	}

	@Override
	protected void assertUnlocked(String name) {
		other.locks().acquire(LockRequest.of(ShedLockProvider.KEY_PREFIX + name)).release();
	}

	@Override
	protected void assertLocked(String name) {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> other.locks()
			.acquire(LockRequest.of(ShedLockProvider.KEY_PREFIX + name).withWait(Duration.ZERO)));
	}

	// On a busy machine the key is kept for longer, so a fixed time as in ShedLock's case
	// is too short.
	@Override
	@Test
	public void shouldLockAtLeastFor() {
		long begin = System.nanoTime();
		getLockProvider().lock(lockConfig(this.LOCK_NAME1, LOCK_AT_LEAST_FOR.multipliedBy(2), LOCK_AT_LEAST_FOR))
			.orElseThrow()
			.unlock();
		await().until(() -> getLockProvider().lock(lockConfig(this.LOCK_NAME1)).isPresent());
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(LOCK_AT_LEAST_FOR);
	}

	@Override
	@Test
	@Disabled(SESSION)
	public void shouldTimeout() {
	}

	@Override
	@Test
	@Disabled(SESSION)
	public void shouldNotBeAbleToExtendExpiredLock() {
	}

	@Override
	@Test
	@Disabled(GRANT)
	public void shouldBeAbleToExtendAtLeast() {
	}

	@Override
	@Test
	@Disabled(GRANT)
	public void lockCanNotBeExtendedTwice() {
	}

	@Override
	@Test
	@Disabled(GRANT)
	public void lockCanNotBeUnlockedAfterExtending() {
	}

	@Test
	void extendedLockCanNeitherBeExtendedNorUnlockedAgain() {
		SimpleLock lock = getLockProvider().lock(lockConfig(this.LOCK_NAME1)).orElseThrow();
		SimpleLock extended = lock.extend(Duration.ofSeconds(10), Duration.ZERO).orElseThrow();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> lock.extend(Duration.ofSeconds(10), Duration.ZERO));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(lock::unlock);
		extended.unlock();
		assertUnlocked(this.LOCK_NAME1);
	}

	@Test
	void lockIsNotExtendedToBeKeptAtLeast() {
		SimpleLock lock = getLockProvider().lock(lockConfig(this.LOCK_NAME1)).orElseThrow();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> lock.extend(Duration.ofSeconds(10), Duration.ofSeconds(9)));
		lock.unlock();
	}

	@Test
	void lockOutlivesLockAtMostFor() throws Exception {
		SimpleLock lock = getLockProvider().lock(lockConfig(this.LOCK_NAME1, Duration.ofMillis(1), Duration.ZERO))
			.orElseThrow();
		assertThat(lock.extend(Duration.ofMillis(1), Duration.ZERO)).isPresent();
		assertLocked(this.LOCK_NAME1);
	}

}
