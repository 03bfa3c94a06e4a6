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
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server ends the session of a holder while its body runs, so the body overlaps with
 * the next holder, and returns at once. Nothing but the event of ZooKeeper, or the answer
 * to the release, shows the loss. The moment is played again and again.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class EndedSessionTests {

	private static final Logger logger = LoggerFactory.getLogger(EndedSessionTests.class);

	private static final Duration WAIT = Duration.ofSeconds(60);

	// From then on the caller may not learn of the loss.
	private static final long LATE = TimeUnit.SECONDS.toNanos(3);

	private static final int RUNS = Integer.getInteger("ended.runs", 5);

	private static final int PAIRS = Math.min(RUNS, 20);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@ParameterizedTest
	@EnumSource
	void callerLearnsOfALossByTheEndOfTheSession(Moment moment) {
		List<Return> silent = IntStream.range(0, PAIRS)
			.mapToObj((pair) -> CompletableFuture.supplyAsync(() -> playAgain(moment, pair),
					(task) -> new Thread(task, "pair-" + pair).start()))
			.toList()
			.stream()
			.flatMap((played) -> played.join().stream())
			.toList();
		List<Return> early = silent.stream().filter((end) -> end.nanos() < LATE).toList();
		logger.info("{}: of {} overlaps the callers of {} heard nothing, {} of them in less than 3 s", moment, RUNS,
				silent.size(), early.size());
		if (moment != Moment.BEFORE_A_LOCAL_SUCCESSOR) {
			assertThat(early).isEmpty();
		}
	}

	@Test
	void lineOfALossSaysWhenItsCallerHasReturnedBefore(CapturedOutput output) throws Exception {
		try (LockClient<ZooKeeperLockProvider> victim = connect(false);
				LockClient<ZooKeeperLockProvider> rival = connect(true)) {
			Return end = play(Moment.BEFORE_ANOTHER_CLIENT, victim, rival, LockRequest.of("line").withWait(WAIT));
			Awaitility.await().atMost(WAIT).until(() -> output.toString().contains("Lock 'line' (EXCLUSIVE) named"));
			assertThat(end.reported()).isFalse();
			assertThat(output.toString()).contains(
					"ZooKeeper has reported that after the release had returned, so its caller may get no exception");
		}
	}

	// Those whose callers heard nothing.
	private static List<Return> playAgain(Moment moment, int pair) {
		List<Return> silent = new ArrayList<>();
		try (LockClient<ZooKeeperLockProvider> victim = connect(true);
				LockClient<ZooKeeperLockProvider> rival = connect(true)) {
			for (int run = pair; run < RUNS; run += PAIRS) {
				Return end = play(moment, victim, rival, LockRequest.of(moment + "-" + run).withWait(WAIT));
				if (!end.reported()) {
					silent.add(end);
				}
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return silent;
	}

	private static Return play(Moment moment, LockClient<ZooKeeperLockProvider> victim,
			LockClient<ZooKeeperLockProvider> rival, LockRequest request) throws Exception {
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		long[] returned = new long[1];
		boolean reported = false;
		try {
			new LockTemplate(victim.locks()).execute(request, (handle) -> {
				CompletableFuture<LockHandle> next = rival.locks().acquireAsync(request);
				waiting.add(next);
				Awaitility.await()
					.atMost(WAIT)
					.pollInterval(Duration.ofMillis(2))
					.until(() -> server.children("/locks/" + request.key()).size() == 2);
				if (moment != Moment.BEFORE_ANOTHER_CLIENT) {
					waiting.add(victim.locks().acquireAsync(request));
				}
				server.killSession(EngineParts.of(victim.locks()).tracker().current().id());
				next.join();
				if (moment == Moment.BEFORE_A_LOCAL_SUCCESSOR_AFTER_THE_EVENT) {
					Awaitility.await()
						.atMost(WAIT)
						.pollInterval(Duration.ofMillis(2))
						.until(() -> handle.state() != LockState.HELD);
				}
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

	private static LockClient<ZooKeeperLockProvider> connect(boolean awaitRelease) {
		return LockClient.connect(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.serverTick(ZooKeeperServerFixture.TICK)
					.awaitRelease(awaitRelease)
					.build());
	}

	/** Which request of which client comes next, and when the body returns. */
	private enum Moment {

		BEFORE_ANOTHER_CLIENT,

		/** The client does not know yet that it has no connection. */
		BEFORE_A_LOCAL_SUCCESSOR,

		/** It does. */
		BEFORE_A_LOCAL_SUCCESSOR_AFTER_THE_EVENT

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
