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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.WorkerProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to the lock of a process that ends. {@code -Druns=20} repeats each test.
 */
class ProcessDeathTests {

	private static final Logger logger = LoggerFactory.getLogger(ProcessDeathTests.class);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration TICK = Duration.ofMillis(200);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String key = UUID.randomUUID().toString();

	@AutoClose
	private final WorkerProcess worker = WorkerProcess.start(server.connectString(), SESSION_TIMEOUT);

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> next = LockClient.connect(server.connectString(),
			Duration.ofSeconds(20), (curator) -> ZooKeeperLockProvider.builder(curator).build());

	@ParameterizedTest
	@MethodSource("runs")
	void lockOfAKilledProcessIsFreeWhenItsSessionTimesOut(int run) {
		assertThat(this.worker.ask("acquire " + this.key + " 10000")).startsWith("acquired");
		CompletableFuture<LockHandle> waiting = waiting();
		long killed = System.nanoTime();
		this.worker.kill();
		waiting.join().release();
		Duration taken = Duration.ofNanos(System.nanoTime() - killed);
		logger.info("Run {}: taken over {} ms after SIGKILL", run, taken.toMillis());
		assertThat(taken).isBetween(SESSION_TIMEOUT.dividedBy(2), SESSION_TIMEOUT.plus(TICK).plusSeconds(1));
	}

	@ParameterizedTest
	@MethodSource("runs")
	void lockOfATerminatedProcessIsFreeWhenItsMethodReturns(int run) {
		this.worker.tell("run " + this.key);
		this.worker.expect("running");
		CompletableFuture<LockHandle> waiting = waiting();
		long terminated = System.nanoTime();
		this.worker.terminate();
		waiting.join().release();
		Duration taken = Duration.ofNanos(System.nanoTime() - terminated);
		logger.info("Run {}: taken over {} ms after SIGTERM", run, taken.toMillis());
		assertThat(taken).isLessThan(Duration.ofSeconds(1));
	}

	static IntStream runs() {
		return IntStream.rangeClosed(1, Integer.getInteger("runs", 1));
	}

	private CompletableFuture<LockHandle> waiting() {
		CompletableFuture<LockHandle> waiting = this.next.locks()
			.acquireAsync(LockRequest.of(this.key).withWait(Duration.ofSeconds(60)));
		Awaitility.await().until(() -> server.children("/locks/" + this.key).size() == 2);
		assertThat(waiting).isNotDone();
		return waiting;
	}

}
