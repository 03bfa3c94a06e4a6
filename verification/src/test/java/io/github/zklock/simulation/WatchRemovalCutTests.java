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

package io.github.zklock.simulation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection that is lost while a watch is given back: its client is told, although
 * that of ZooKeeper tells nobody if it may remove the watch "locally".
 */
class WatchRemovalCutTests {

	private final CalmWorld world = new CalmWorld(1, 2);

	private final SimulatedProcess one = this.world.clients().get(0);

	private final SimulatedProcess two = this.world.clients().get(1);

	private LockHandle held;

	private boolean cut;

	@BeforeEach
	void hold() {
		this.held = granted(this.one, "held");
	}

	@Test
	void holderIsUncertainWhenAWaitEndsAsTheConnectionIsLost() {
		LockHandle other = granted(this.two, "other");
		CompletableFuture<LockHandle> waiting = CalmWorld.ask(this.one, "other", "waiting");
		until(() -> this.world.ensemble().watches() == 1);
		cutWithTheNextRemoval();
		waiting.cancel(true);
		assertThatTheHolderIsUncertainAndThenSure();
		until(() -> this.world.ensemble().watches() == 0);
		assertThat(other.state()).isEqualTo(LockState.HELD);
	}

	// The removal is repeated, and takes away what somebody else has set meanwhile.
	@Test
	void whoWatchesTheNodeAgainIsToldWhenItGoes() {
		LockHandle other = granted(this.two, "other");
		CompletableFuture<LockHandle> waiting = CalmWorld.ask(this.one, "other", "waiting");
		until(() -> this.world.ensemble().watches() == 1);
		cutWithTheNextRemoval();
		waiting.cancel(true);
		until(() -> this.cut && this.one.handle().getState() != States.CONNECTED);
		CompletableFuture<LockHandle> next = CalmWorld.ask(this.one, "other", "next");
		this.world.pass(Duration.ofSeconds(5));
		other.releaseAsync();
		this.world.pass(Duration.ofMillis(500));
		assertThat(next).isCompletedWithValueMatching((handle) -> handle.state() == LockState.HELD);
	}

	private void assertThatTheHolderIsUncertainAndThenSure() {
		until(() -> this.cut);
		this.world.pass(Duration.ofMillis(100));
		assertThat(this.held.state()).isEqualTo(LockState.UNCERTAIN);
		until(() -> this.one.handle().getState() != States.CONNECTED);
		until(() -> this.one.handle().getState() == States.CONNECTED);
		assertThat(this.held.state()).as("before a write is confirmed").isEqualTo(LockState.UNCERTAIN);
		this.world.pass(Duration.ofMillis(100));
		assertThat(this.held.state()).isEqualTo(LockState.HELD);
	}

	// The server has removed the watch, and its answer is lost.
	private void cutWithTheNextRemoval() {
		this.world.ensemble().fail((client, type, path) -> {
			if (type == OpCode.removeWatches && !this.cut) {
				this.cut = true;
				this.one.handle().link().cut();
			}
			return null;
		});
	}

	private LockHandle granted(SimulatedProcess client, String key) {
		CompletableFuture<LockHandle> asked = CalmWorld.ask(client, key, key);
		until(asked::isDone);
		return asked.join();
	}

	private void until(BooleanSupplier done) {
		long end = this.world.now() + TimeUnit.MINUTES.toNanos(3);
		this.world.until(() -> done.getAsBoolean() || this.world.now() > end);
		assertThat(done.getAsBoolean()).isTrue();
	}

}
