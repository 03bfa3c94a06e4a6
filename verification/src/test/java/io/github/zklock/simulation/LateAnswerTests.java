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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A creation that was answered late shows that the leader may not have asked for the
 * clients of the server of late. The next lock of a client that holds none needs
 * heartbeats first, also if nobody waited for that answer any more.
 */
class LateAnswerTests {

	private static final Duration IDLE = Duration.ofMinutes(3);

	private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(600);

	// Half a tick of the server, without the way there and back.
	private static final Duration CONFIRMED = Duration.ofMillis(1000);

	private final CalmWorld world = new CalmWorld(3, 1);

	private final SimulatedProcess process = this.world.clients().get(0);

	@Test
	void lockOfAnIdleClientIsGrantedAtOnce() {
		this.world.pass(IDLE);
		assertThat(timeToAcquire()).isLessThan(Duration.ofMillis(10));
	}

	@Test
	void lateAnswerToARequestThatIsOverCounts() {
		this.world.pass(IDLE);
		this.process.handle().link().delay(SLOW);
		CompletableFuture<LockHandle> refused = this.process.provider()
			.acquireAsync(LockRequest.of("k1").withWait(Duration.ofMillis(300)));
		this.world.until(refused::isDone);
		assertThat(refused).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("ZooKeeper is connected, but slow");
		this.world.pass(Duration.ofSeconds(2));
		this.process.handle().link().delay(0);
		assertThat(timeToAcquire()).isGreaterThan(CONFIRMED);
	}

	@Test
	void connectionThatIsBackIsNoAnswer() {
		this.world.pass(IDLE);
		this.process.handle().link().refuse(true);
		this.process.handle().link().cut();
		this.world.pass(Duration.ofSeconds(9));
		this.process.handle().link().refuse(false);
		this.world.until(this.process::isConnected);
		assertThat(timeToAcquire()).as("since it is not known when the leader was asked for it")
			.isGreaterThan(CONFIRMED);
	}

	private Duration timeToAcquire() {
		long before = this.world.now();
		acquire();
		return Duration.ofNanos(this.world.now() - before);
	}

	private LockHandle acquire() {
		CompletableFuture<LockHandle> lock = CalmWorld.ask(this.process, "k1", "thread");
		this.world.until(lock::isDone);
		return lock.join();
	}

}
