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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server ends the session of a holder while its body runs, so the body overlaps with
 * the next holder, and returns at once. Nothing but the event of ZooKeeper, or the answer
 * to the release, shows the loss. The moment is played again and again.
 */
@Tag("server")
class EndedSessionTests {

	private static final Logger logger = LoggerFactory.getLogger(EndedSessionTests.class);

	private static final Duration WAIT = Duration.ofSeconds(60);

	// From then on the caller may not learn of the loss.
	private static final long LATE = TimeUnit.SECONDS.toNanos(1);

	private static final int RUNS = Integer.getInteger("ended.runs", 5);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callerLearnsOfALossByTheEndOfTheSession(boolean localSuccessor) throws Exception {
		List<String> silent = new ArrayList<>();
		int late = 0;
		try (LockClient<ZooKeeperLockProvider> victim = connect();
				LockClient<ZooKeeperLockProvider> rival = connect()) {
			for (int run = 0; run < RUNS; run++) {
				LockRequest request = LockRequest.of("ended-" + localSuccessor + "-" + run).withWait(WAIT);
				Return end = play(victim, rival, request, localSuccessor);
				if (!end.reported() && end.nanos() >= LATE) {
					late++;
				}
				else if (!end.reported()) {
					silent.add("run " + run + " after " + TimeUnit.NANOSECONDS.toMillis(end.nanos()) + " ms");
				}
			}
		}
		logger.info("Of {} overlaps the callers of {} heard nothing in time, {} of them after a second", RUNS,
				silent.size() + late, late);
		// A thread of the same JVM takes the lock over without a request to ZooKeeper.
		if (!localSuccessor) {
			assertThat(silent).isEmpty();
		}
	}

	private static Return play(LockClient<ZooKeeperLockProvider> victim, LockClient<ZooKeeperLockProvider> rival,
			LockRequest request, boolean localSuccessor) throws Exception {
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		long[] returned = new long[1];
		boolean reported = false;
		try {
			new LockTemplate(victim.locks()).execute(request, (handle) -> {
				CompletableFuture<LockHandle> next = rival.locks().acquireAsync(request);
				waiting.add(next);
				Awaitility.await()
					.pollInterval(Duration.ofMillis(2))
					.until(() -> server.children("/locks/" + request.key()).size() == 2);
				if (localSuccessor) {
					waiting.add(victim.locks().acquireAsync(request));
				}
				server.killSession(EngineParts.of(victim.locks()).tracker().current().id());
				next.join();
				returned[0] = System.nanoTime();
				return "done";
			});
		}
		catch (LockLostException ex) {
			reported = true;
		}
		long nanos = System.nanoTime() - returned[0];
		for (CompletableFuture<LockHandle> next : waiting) {
			next.get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
		}
		return new Return(reported, nanos);
	}

	private static LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(ZooKeeperServerFixture.TICK).build());
	}

	/**
	 * How an execution has ended.
	 *
	 * @param reported whether its caller got a {@link LockLostException}
	 * @param nanos how long the return took
	 */
	private record Return(boolean reported, long nanos) {

	}

}
