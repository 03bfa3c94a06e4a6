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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.apache.zookeeper.ZooKeeper.States;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Readers who come while a lease is not confirmed enter the queue, and may join those who
 * hold the lock before it is their turn there.
 */
class JoinedReadersTests {

	private final CalmWorld world = new CalmWorld(3, 1);

	private final SimulatedProcess process = this.world.clients().get(0);

	@Test
	void placeInTheQueueOfReadersWhoHaveJoinedIsGivenUp() {
		CompletableFuture<LockHandle> first = read("first");
		until(first::isDone);
		this.process.handle().link().cut();
		until(() -> this.process.handle().getState() != States.CONNECTED);
		until(() -> this.process.isConnectedFor(Duration.ZERO) && first.join().state() == LockState.UNCERTAIN);
		CompletableFuture<LockHandle> second = read("second");
		until(() -> first.join().state() == LockState.HELD);
		CompletableFuture<LockHandle> third = read("third");
		until(() -> second.isDone() && third.isDone());
		assertThat(List.of(second, third))
			.allMatch((reader) -> reader.join().fencingToken() >> 12 == first.join().fencingToken() >> 12);
		this.world.pass(Duration.ofSeconds(1));
		List.of(first, second, third).forEach((reader) -> reader.join().releaseAsync());
		this.world.pass(Duration.ofSeconds(1));
		assertThat(this.process.leftovers()).isEmpty();
		assertThat(this.world.ensemble().nodes().keySet()).noneMatch(World::isOfLock);
	}

	private CompletableFuture<LockHandle> read(String thread) {
		return CalmWorld.ask(this.process,
				LockRequest.of("k1").withMode(LockMode.READ).withWait(Duration.ofDays(1)).withOwner(thread), thread);
	}

	private void until(BooleanSupplier done) {
		long end = this.world.now() + TimeUnit.MINUTES.toNanos(3);
		this.world.until(() -> done.getAsBoolean() || this.world.now() > end);
		assertThat(done.getAsBoolean()).isTrue();
	}

}
