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

package io.github.zklock.zookeeper.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.session.LockSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A turn that is kept and is lost on one thread, just while another thread takes or
 * releases the lock by it.
 */
@Tag("server")
class CachedTurnTests {

	private final LincheckScene scene = LincheckScene.keeping();

	// Who asks is read between the look at the session and the grant.
	@Test
	void lockIsNotTakenInASessionThatEndsMeanwhile() {
		LockSession session = this.scene.session();
		CompletableFuture<?>[] end = new CompletableFuture<?>[1];
		OwnerData owner = new OwnerData("test", "test", true, () -> {
			end[0] = CompletableFuture.runAsync(session::lose);
			Awaitility.await().until(() -> session.state() == LockState.LOST);
			return null;
		});
		assertThat(this.scene.queues().takeAtOnce(LincheckScene.REQUEST.withCache(true), owner)).isNull();
		end[0].join();
		assertThat(this.scene.held().size()).isZero();
	}

	// The clock is read after the look at the session, too. The last reading is that of
	// the last look, after which a loss is reported to the holder.
	@Test
	void lockIsNotTakenInASessionThatEndsAtAnyReadingOfTheClock() {
		ReadClock clock = new ReadClock();
		clock.keep();
		clock.count = 0;
		clock.takeAtOnce().releaseAsync();
		int readings = clock.readingsOfTheTake;
		assertThat(readings).isGreaterThan(2);
		for (int reading = 1; reading < readings; reading++) {
			ReadClock scene = new ReadClock();
			scene.keep();
			scene.count = 0;
			scene.loss = reading;
			assertThat(scene.takeAtOnce()).as("loss at reading %s of %s", reading, readings).isNull();
			assertThat(scene.session().state()).isEqualTo(LockState.LOST);
		}
	}

	@Test
	void lockIsNotTakenByALostNodeWhoseHoldersAreNotToldYet() {
		Turn kept = this.scene.kept();
		CompletableFuture<?>[] loss = new CompletableFuture<?>[1];
		List<ZooKeeperLockHandle> taken = new ArrayList<>();
		kept.queue().mutex().run(() -> {
			loss[0] = CompletableFuture.runAsync(() -> kept.lose(LockLoss.NODE_DELETED));
			Awaitility.await().until(kept::isLost);
			taken.add(this.scene.takeAtOnce());
		});
		loss[0].join();
		assertThat(taken).containsOnlyNulls();
		assertThat(this.scene.held().size()).isZero();
	}

	@Test
	void lockIsNotTakenAtOnceIfTheLastListingIsOld() {
		AgingScene aging = new AgingScene();
		aging.keep();
		aging.takeAtOnce().releaseAsync();
		aging.passed = TimeUnit.SECONDS.toNanos(2);
		assertThat(aging.takeAtOnce()).as("the event of another process may be lost").isNull();
	}

	// As when the answer to a heartbeat says that the session has ended, before the
	// connection does.
	@Test
	void nodeIsNotKeptAgainIfItsHolderReleasesTheLockBeforeItIsToldOfTheLoss() {
		Turn kept = this.scene.kept();
		ZooKeeperLockHandle holder = this.scene.takeAtOnce();
		CompletableFuture<?>[] loss = new CompletableFuture<?>[1];
		kept.queue().mutex().run(() -> {
			loss[0] = CompletableFuture.runAsync(kept::lost);
			Awaitility.await().until(kept::isLost);
			holder.releaseAsync();
		});
		loss[0].join();
		assertThat(holder.state()).isEqualTo(LockState.LOST);
		assertThat(this.scene.takeAtOnce()).isNull();
		assertThat(this.scene.engine().cache().size()).isZero();
		this.scene.runScheduled();
		assertThat(this.scene.engine().services().janitor().pending()).isOne();
	}

	// It may have come after all were asked whether their nodes are there.
	@Test
	void holderIsToldIfTheNodeIsFoundGone() {
		Turn kept = this.scene.kept();
		ZooKeeperLockHandle holder = this.scene.takeAtOnce();
		kept.lost();
		assertThat(holder.state()).isEqualTo(LockState.LOST);
		assertThat(this.scene.held().size()).isZero();
		assertThat(this.scene.engine().cache().size()).isZero();
	}

	@Test
	void nodeThatWasInUseMakesRoomWhenItIsIdle() {
		LockRequest read = LincheckScene.REQUEST.withCache(true).withMode(LockMode.READ);
		LockCache cache = this.scene.engine().cache();
		cache.limit(1, Duration.ofMinutes(1));
		ZooKeeperLockHandle reader = this.scene.grant(this.scene.enter(read));
		reader.releaseAsync();
		this.scene.answerListing();
		ZooKeeperLockHandle holder = this.scene.takeAtOnce();
		ZooKeeperLockHandle again = this.scene.queues()
			.takeAtOnce(read, new OwnerData("test", "test", false, () -> null));
		this.scene.runHandedOver();
		assertThat(cache.size()).as("while both are in use").isEqualTo(2);
		holder.releaseAsync();
		this.scene.runHandedOver();
		assertThat(cache.size()).isOne();
		assertThat(again.isHeld()).isTrue();
	}

	private static final class AgingScene extends LincheckScene {

		private long passed;

		@Override
		public long nanoTime() {
			return super.nanoTime() + this.passed;
		}

	}

	/**
	 * Ends the session on another thread when the clock is read.
	 */
	private static final class ReadClock extends LincheckScene {

		private final Thread test = Thread.currentThread();

		private int count;

		private int loss;

		private int readingsOfTheTake;

		@Override
		public long nanoTime() {
			if (Thread.currentThread() == this.test && ++this.count == this.loss) {
				CompletableFuture.runAsync(session()::lose);
				Awaitility.await().until(() -> session().state() == LockState.LOST);
			}
			return super.nanoTime();
		}

		@Override
		ZooKeeperLockHandle takeAtOnce() {
			ZooKeeperLockHandle taken = super.takeAtOnce();
			this.readingsOfTheTake = this.count;
			return taken;
		}

	}

}
