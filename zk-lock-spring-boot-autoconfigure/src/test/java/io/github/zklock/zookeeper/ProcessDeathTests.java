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
import io.github.zklock.support.Waited;
import io.github.zklock.support.WorkerProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to the lock of a process that ends. {@code -Druns=20} repeats each test.
 */
@Tag("server")
class ProcessDeathTests {

	private static final Logger logger = LoggerFactory.getLogger(ProcessDeathTests.class);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	// Longer than the test waits, so the lock is free before the session times out.
	private static final Duration LONG_SESSION = Duration.ofMinutes(2);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> next = LockClient.connect(server.connectString(),
			Duration.ofSeconds(20), (curator) -> ZooKeeperLockProvider.builder(curator).build());

	@ParameterizedTest
	@MethodSource("runs")
	void lockOfAKilledProcessIsFreeWhenItsSessionTimesOut(int run) throws Exception {
		try (WorkerProcess worker = WorkerProcess.start(server.connectString(), SESSION_TIMEOUT)) {
			String key = UUID.randomUUID().toString();
			assertThat(worker.ask("acquire " + key + " 10000")).startsWith("acquired");
			CompletableFuture<LockHandle> waiting = waiting(key);
			// A client that had no reason to talk was heard last some time before its
			// end.
			Waited.atLeast(SESSION_TIMEOUT.dividedBy(4), () -> takeOver(worker::kill, waiting, "SIGKILL, run " + run));
		}
	}

	@ParameterizedTest
	@MethodSource("runs")
	void lockOfATerminatedProcessIsFreeWhenItsMethodReturns(int run) throws Exception {
		try (WorkerProcess worker = WorkerProcess.start(server.connectString(), LONG_SESSION)) {
			String key = UUID.randomUUID().toString();
			worker.tell("run " + key);
			worker.expect("running");
			CompletableFuture<LockHandle> waiting = waiting(key);
			Waited.notForever(() -> takeOver(worker::terminate, waiting, "SIGTERM, run " + run));
		}
	}

	private static void takeOver(Runnable end, CompletableFuture<LockHandle> waiting, String what) {
		long start = System.nanoTime();
		end.run();
		waiting.join().release();
		logger.info("Taken over {} ms after {}", Duration.ofNanos(System.nanoTime() - start).toMillis(), what);
	}

	static IntStream runs() {
		return IntStream.rangeClosed(1, Integer.getInteger("runs", 1));
	}

	private CompletableFuture<LockHandle> waiting(String key) {
		CompletableFuture<LockHandle> waiting = this.next.locks()
			.acquireAsync(LockRequest.of(key).withWait(Duration.ofMinutes(3)));
		Awaitility.await().until(() -> server.children("/locks/" + key).size() == 2);
		assertThat(waiting).isNotDone();
		return waiting;
	}

}
