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
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.state.ConnectionState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What the log says of an outage and of the locks that are lost in it.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class OutageLogTests {

	private static final Duration LONG_SESSION = Duration.ofSeconds(60);

	private static final Duration SHORT_SESSION = Duration.ofSeconds(3);

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void outageWithALockHeldIsToldByOneLineAndItsEndByAnother(CapturedOutput output) {
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION)) {
			LockHandle held = client.locks().acquire(request("held"));
			server.stop();
			Awaitility.await().until(() -> !lines(output, "WARN").isEmpty());
			for (int i = 0; i < 5; i++) {
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> client.locks().acquire(request("wanted").withWait(Duration.ZERO)));
			}
			server.start();
			Awaitility.await().atMost(WAIT).until(() -> !lines(output, "INFO").isEmpty());
			assertThat(lines(output, "WARN")).singleElement()
				.asString()
				.contains("The connection to ZooKeeper at '" + server.connectString()
						+ "' is interrupted, with 1 lock held and 0 locks waited for: ");
			assertThat(lines(output, "INFO")).singleElement()
				.asString()
				.contains("The connection to ZooKeeper at '" + server.connectString() + "' is back after ")
				.contains("locks can be acquired again")
				.doesNotContain("lost meanwhile");
			assertThat(lines(output, "ERROR")).isEmpty();
			Awaitility.await().atMost(WAIT).until(held::isHeld);
			held.release();
		}
	}

	@Test
	void ticksThatWereSkippedAreToldWhenTheOutageIsOver(CapturedOutput output) {
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION)) {
			server.stop();
			Awaitility.await().until(() -> !client.curator().getZookeeperClient().isConnected());
			LockRequest tick = request("job").withWait(Duration.ZERO)
				.withTick(LockTick.at("Jobs.nightly", Instant.parse("2026-10-05T02:00:00Z")));
			// The event of the connection may come a moment later.
			Awaitility.await().untilAsserted(() -> {
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> client.locks().acquire(tick.withTick(null)));
				assertThat(lines(output, "WARN")).isNotEmpty();
			});
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> client.locks().acquire(tick));
			assertThat(client.locks().acquireAsync(tick.withTick(LockTick.at("Jobs.hourly", Instant.EPOCH))))
				.failsWithin(WAIT);
			LockTick waiting = LockTick.at("Jobs.waiting", Instant.EPOCH);
			var later = client.locks().acquireAsync(request("later").withWait(WAIT).withTick(waiting));
			server.start();
			Awaitility.await().atMost(WAIT).until(() -> lines(output, "INFO").size() == 2);
			assertThat(lines(output, "INFO").get(1)).contains("Ticks that this node skipped during the outage: "
					+ "[tick 2026-10-05T02:00:00Z of Jobs.nightly, tick 1970-01-01T00:00:00Z of Jobs.hourly]. No node");
			assertThat(later).succeedsWithin(WAIT).satisfies(LockHandle::release);
		}
	}

	@Test
	void outageOfAnIdleClientIsLoggedByOneLineAsWell(CapturedOutput output) {
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION)) {
			CountDownLatch back = new CountDownLatch(1);
			client.curator().getConnectionStateListenable().addListener((curator, state) -> {
				if (state == ConnectionState.RECONNECTED) {
					back.countDown();
				}
			});
			server.stop();
			Awaitility.await().until(() -> !client.curator().getZookeeperClient().isConnected());
			server.start();
			Awaitility.await().atMost(WAIT).until(() -> back.getCount() == 0);
			assertThat(lines(output, "WARN")).singleElement()
				.asString()
				.contains("is interrupted. No lock is held or waited for");
			Awaitility.await().until(() -> lines(output, "INFO").size() == 1);
			server.stop();
			Awaitility.await().until(() -> lines(output, "WARN").size() == 2);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> client.locks().acquire(request("wanted").withWait(Duration.ZERO)));
			server.start();
			Awaitility.await().atMost(WAIT).until(() -> lines(output, "INFO").size() == 2);
			assertThat(lines(output, "WARN")).hasSize(2);
		}
	}

	@ParameterizedTest
	@EnumSource
	void everyLockThatIsLostIsToldWithItsConsequence(LossPolicy onLost, CapturedOutput output) {
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION)) {
			LockOperations locks = new LockTemplate(client.locks());
			List<LockHandle> handles = List.of(
					locks.acquire(List.of(request("one").withName("jobs-one").withOnLost(onLost))),
					locks.acquire(List.of(request("two").withName("jobs-two").withOnLost(onLost))));
			server.killSession(client.sessionId());
			Awaitility.await().atMost(WAIT).until(() -> lines(output, "INFO").size() == 1);
			Awaitility.await().atMost(WAIT).until(() -> lines(output, "ERROR").size() == 2);
			assertThat(lines(output, "ERROR"))
				.anySatisfy((line) -> assertThat(line)
					.containsPattern("Lock 'one' \\(EXCLUSIVE\\) named 'jobs-one' with token "
							+ handles.get(0).fencingToken() + ", held for [0-9.]+m?s, is lost: "
							+ "its session has ended, so another client may hold it\\. " + consequence(onLost)))
				.anySatisfy((line) -> assertThat(line).contains("Lock 'two' (EXCLUSIVE) named 'jobs-two'"));
			handles.forEach(LockHandle::release);
			assertThat(lines(output, "ERROR")).hasSize(2);
		}
	}

	private static String consequence(LossPolicy onLost) {
		return switch (onLost) {
			case FAIL_AT_EXIT ->
				"What runs under it goes on. A guarded call that returns normally ends with a LockLostException";
			case INTERRUPT ->
				"A guarded call is interrupted. A guarded call that returns normally ends with a LockLostException";
			case IGNORE -> "What runs under it goes on. Its caller gets no exception";
		};
	}

	@Test
	void lossByTheEndOfTheSessionSaysSo() {
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION)) {
			LockHandle handle = client.locks().acquire(request("key"));
			server.killSession(client.sessionId());
			assertLost(handle, LockLoss.SESSION_ENDED, "its session has ended, so another client may hold it");
		}
	}

	@Test
	void lossByTheEndOfTheLeaseSaysSo() {
		try (LockClient<ZooKeeperLockProvider> client = connect(SHORT_SESSION)) {
			LockHandle handle = client.locks().acquire(request("key"));
			server.stop();
			try {
				assertLost(handle, LockLoss.LEASE_ENDED, "its session was not confirmed in time and may have ended");
			}
			finally {
				server.start();
			}
		}
	}

	@Test
	void lossOfTheNodeSaysSo() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION)) {
			LockHandle handle = client.locks().acquire(request("key"));
			String directory = client.locks().pathOf("key");
			client.curator().delete().forPath(directory + "/" + server.children(directory).get(0));
			handle.release();
			assertLost(handle, LockLoss.NODE_DELETED, "its node was deleted by another client");
		}
	}

	@Test
	void lossAtShutdownSaysSo() {
		try (LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION)) {
			LockHandle handle = client.locks().acquire(request("key"));
			client.locks().shutdown(Duration.ZERO);
			assertLost(handle, LockLoss.SHUT_DOWN, "it was not released in time when its provider was shut down");
		}
	}

	private static void assertLost(LockHandle handle, LockLoss loss, String text) {
		Awaitility.await()
			.atMost(WAIT)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> handle.state() == LockState.LOST);
		LockLostException ex = catchThrowableOfType(LockLostException.class, handle::assertHeld);
		assertThat(ex.getLoss()).isEqualTo(loss);
		assertThat(ex).hasMessageContaining(text);
	}

	@Test
	void locksThatAreNeverReleasedAreNotAllNamedAtTheShutdown(CapturedOutput output) {
		LockClient<ZooKeeperLockProvider> client = connect(LONG_SESSION);
		for (int i = 0; i < 50; i++) {
			client.locks().acquire(request("left-" + i));
		}
		client.close();
		Awaitility.await().until(() -> output.toString().contains("50 in all"));
		assertThat(lines(output, "ERROR")).hasSize(11)
			.last()
			.asString()
			.contains("40 more locks were not released in time either, and are lost: 50 in all");
	}

	private static LockClient<ZooKeeperLockProvider> connect(Duration sessionTimeout) {
		return LockClient.connect(server.connectString(), sessionTimeout,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(ZooKeeperServerFixture.TICK).build());
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withWait(WAIT);
	}

	private static List<String> lines(CapturedOutput output, String level) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains(level) && line.contains(" i.g.z") && !line.contains("DEBUG"))
			.toList();
	}

}
