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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.queue.HeldPlaces;
import io.github.zklock.zookeeper.queue.MinimumHolds.MinimumHold;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a node, and of those who hold the lock by it, when one of them is told
 * that it is lost, when a release fails, or when nobody tells that another process waits.
 */
@Tag("server")
class LostTurnTests {

	private final LincheckScene scene = new LincheckScene();

	private LocalQueue queue;

	// The lease may be over for the first one and alive again for the second, though the
	// first one deletes the node.
	@Test
	void readersByOneNodeAreAllToldWhenOneOfThemIs() {
		LockRequest read = LincheckScene.REQUEST.withMode(LockMode.READ);
		LockAttempt second = this.scene.enter(read);
		LockAttempt third = this.scene.enter(read);
		this.scene.grant(second);
		ZooKeeperLockHandle first = second.verdict().join().handle();
		ZooKeeperLockHandle other = third.verdict().join().handle();
		assertThat(other.state()).isEqualTo(LockState.HELD);
		first.revoke(LockLoss.LEASE_ENDED);
		assertThat(other.state()).isEqualTo(LockState.LOST);
		assertThat(other.loss()).isEqualTo(LockLoss.LEASE_ENDED);
		assertThat(this.scene.held().size()).isZero();
	}

	@Test
	void nodeThatIsReplacedWhileNoLockIsHeldWithItIsDeleted() {
		LincheckScene kept = LincheckScene.keeping();
		LocalQueue queue = kept.kept().queue();
		assertThat(kept.engine().services().janitor().pending()).isZero();
		queue.mutex().run(() -> LincheckScene.begin(queue, queue.newTurn(kept.place())));
		assertThat(kept.engine().services().janitor().pending()).isOne();
	}

	@Test
	void whoHasComeUnnoticedIsLookedForWhileALockIsHandedOn() {
		LincheckScene kept = LincheckScene.keeping();
		ZooKeeperLockHandle holder = kept.takeAtOnce();
		LockAttempt next = kept.enter(LincheckScene.REQUEST.withCache(true));
		kept.pass(Duration.ofMillis(1001));
		assertThat(kept.isAsked()).isFalse();
		holder.releaseAsync();
		assertThat(next.isDecided()).isTrue();
		assertThat(kept.isAsked()).isTrue();
	}

	@Test
	void stampOfALostLockStays() {
		MinimumHold atLeast = grantStamped();
		ZooKeeperLockHandle handle = this.scene.held().handles().findFirst().orElseThrow();
		handle.revoke(LockLoss.NODE_DELETED);
		assertThat(handle.state()).isEqualTo(LockState.LOST);
		assertThat(HeldPlaces.isRunning(atLeast)).isTrue();
	}

	@Test
	void stampOfALockThatIsReleasedAfterAFailedStepStays() {
		MinimumHold atLeast = grantStamped();
		failStep();
		this.scene.held().handles().findFirst().orElseThrow().releaseAsync();
		assertThat(HeldPlaces.isRunning(atLeast)).isTrue();
	}

	@Test
	void stampOfALockThatWasNeverGrantedGoes() {
		this.scene.session().lose();
		assertThat(HeldPlaces.isRunning(grantStamped())).isFalse();
		assertThat(this.scene.held().size()).isZero();
	}

	@Test
	void lockIsLostAtOnceWhenAStepFailsAndItsHolderIsNotifiedByTheCheck() {
		ZooKeeperLockHandle handle = this.scene.grant(this.scene.enter(LincheckScene.REQUEST));
		AtomicInteger told = new AtomicInteger();
		handle.onLost((lost) -> told.incrementAndGet());
		failStep();
		assertThat(handle.state()).isEqualTo(LockState.LOST);
		assertThat(handle.loss()).isEqualTo(LockLoss.ENGINE_FAILED);
		assertThat(told).hasValue(0);
		this.scene.engine().recheck();
		this.scene.engine().recheck();
		assertThat(told).hasValue(1);
		assertThat(this.scene.held().size()).isZero();
	}

	@Test
	void requestThatWaitsWhenAStepFailsWaitsOnInAnotherQueueOnce() {
		LockAttempt waiting = this.scene.enter(LincheckScene.REQUEST);
		LocalQueue before = waiting.queue;
		failStep();
		this.scene.engine().tasks().nextGeneration();
		this.scene.queues().renew();
		assertThat(waiting.countFailedStep()).isTrue();
		this.scene.queues().enter(waiting);
		assertThat(waiting.queue).isNotSameAs(before);
		assertThat(waiting.countFailedStep()).isFalse();
		assertThat(waiting.isDecided()).isTrue();
	}

	@Test
	void requestWhoseTimeIsOverInABrokenQueueEnds() {
		LockAttempt waiting = this.scene.enter(LincheckScene.REQUEST);
		failStep();
		waiting.expire();
		assertThat(waiting.isDecided()).isTrue();
	}

	private void failStep() {
		this.scene.engine().tasks().run(() -> {
			throw new OutOfMemoryError("A step fails for the test");
		});
	}

	private MinimumHold grantStamped() {
		LockRequest request = LincheckScene.REQUEST.withLockAtLeastFor(Duration.ofMinutes(10));
		this.queue = this.scene.enter(request).queue;
		Turn turn = this.queue.newTurn(HeldPlaces.stamped(this.scene.engine().services(), this.scene.node(), request));
		this.queue.mutex().run(() -> LincheckScene.begin(this.queue, turn));
		return Objects.requireNonNull(turn.obligation(MinimumHold.class));
	}

}
