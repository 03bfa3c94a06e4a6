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

package io.github.zklock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockSchedulingAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockTesting} beyond the recipes.
 */
class LockTestingTests {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockTesting locks = new LockTesting(this.provider);

	@Test
	void heldKeyIsSharedAsItsModeSays() {
		try (LockHandle other = this.locks.hold("key", LockMode.READ, "reader")) {
			this.provider.acquire(LockRequest.of("key").withMode(LockMode.READ)).release();
			assertThat(this.locks.holders("key")).singleElement().asString().startsWith("reader, in the queue for ");
			assertThat(this.locks.isHeld("key")).isFalse();
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.locks.assertHeld("key"))
				.withMessageStartingWith(
						"The application does not hold 'key': it is held by reader, in the queue for ");
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.locks.assertFree("key"))
				.withMessageStartingWith("'key' is not free: it is held by reader, in the queue for ");
		}
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.locks.lose("key"))
			.withMessage("The application does not hold 'key': it is free");
	}

	@Test
	void keyThatTheApplicationHoldsIsNotHeldByAnother() {
		LockHandle held = this.provider.acquire(LockRequest.of("key"));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.locks.hold("key"));
		held.release();
	}

	@Test
	void onlyTheApplicationLosesItsLocks() {
		LockHandle other = this.locks.hold("other");
		LockHandle own = this.provider.acquire(LockRequest.of("own"));
		List<LockHandle> told = new ArrayList<>();
		own.onLost(told::add);
		this.locks.expireSession();
		assertThat(own.state()).isEqualTo(LockState.LOST);
		assertThat(other.state()).isEqualTo(LockState.HELD);
		assertThat(told).containsExactly(own);
	}

	@Test
	void locksAreHeldAgainWhenTheConnectionIsBack() {
		LockHandle own = this.provider.acquire(LockRequest.of("own"));
		List<LockHandle> told = new ArrayList<>();
		LockTesting.Outage outage = this.locks.interruptConnection();
		own.onLost(told::add);
		assertThat(own.state()).isEqualTo(LockState.UNCERTAIN);
		outage.close();
		assertThat(own.state()).isEqualTo(LockState.HELD);
		this.locks.lose("own");
		assertThat(told).containsExactly(own);
	}

	@Test
	void requestThatWaitsFailsWithTheConnectionAndLetsOthersPass() {
		LockHandle reader = this.locks.hold("key", LockMode.READ, "reader");
		CompletableFuture<LockHandle> writer = this.provider.acquireAsync(LockRequest.of("key"));
		CompletableFuture<LockHandle> behind = this.provider
			.acquireAsync(LockRequest.of("key").withMode(LockMode.READ));
		CompletableFuture<LockHandle> another = this.provider.another("another")
			.acquireAsync(LockRequest.of("key").withMode(LockMode.READ));
		assertThat(this.locks.waiting("key")).isEqualTo(3);
		try (LockTesting.Outage outage = this.locks.interruptConnection()) {
			for (CompletableFuture<LockHandle> own : List.of(writer, behind)) {
				assertThat(own).failsWithin(Duration.ofSeconds(30))
					.withThrowableThat()
					.withCauseInstanceOf(LockUnavailableException.class)
					.withMessageContaining("there is no connection to ZooKeeper: a test has interrupted it");
			}
			assertThat(another).succeedsWithin(Duration.ofSeconds(30)).satisfies(LockHandle::release);
		}
		reader.close();
		this.locks.assertFree("key");
	}

	@Test
	void timeThatIsMovedOnBringsOtherAlarmsNearer() {
		this.locks.hold("key");
		CompletableFuture<LockHandle> waiting = this.provider
			.acquireAsync(LockRequest.of("key").withWait(Duration.ofDays(2)));
		this.locks.advance(Duration.ofDays(1));
		assertThat(waiting).isNotDone();
		this.locks.advance(Duration.ofDays(1));
		assertThat(waiting).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withMessageContaining("held by another-process, in the queue for 48h");
	}

	@Test
	void resetRefusesWhoWaits() {
		this.locks.hold("key");
		CompletableFuture<LockHandle> waiting = this.provider.acquireAsync(LockRequest.of("key"));
		this.locks.reset();
		assertThat(waiting).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withMessageContaining("the test that has asked for it is over");
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void applicationStartsWithoutTheLibraryOfTests() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.test"))
			.withBean(InMemoryLockProvider.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockOperations.class)
				.doesNotHaveBean(LockTesting.class));
	}

}
