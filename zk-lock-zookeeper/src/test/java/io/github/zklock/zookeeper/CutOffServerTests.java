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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperEnsemble;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.data.Stat;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The holder's own connection works all the time, and its server answers, but that server
 * is cut off from the others. They end the session and give the lock to the next, while
 * the server of the holder knows nothing of it. There are several attempts at each run,
 * since those that were left by their leader sometimes believe each other that it is
 * still there, and elect none until it has given up. {@code -Druns=20} repeats each test.
 */
@Tag("server")
class CutOffServerTests {

	private static final Logger logger = LoggerFactory.getLogger(CutOffServerTests.class);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration WAIT = Duration.ofSeconds(60);

	private static final int ATTEMPTS = 5;

	private static final Queue<Long> leads = new ConcurrentLinkedQueue<>();

	@RegisterExtension
	static final ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();

	@AfterAll
	static void report() {
		logger.info("Loss was told before the next holder came by so many milliseconds: {}",
				leads.stream().sorted().toList());
	}

	static IntStream runs() {
		return IntStream.rangeClosed(1, Integer.getInteger("runs", 1));
	}

	@ParameterizedTest
	@MethodSource("runs")
	void lossIsToldBeforeTheNextHolderComesWhenAFollowerIsCutOff(int run) throws Exception {
		assertThatLossIsToldInTime((attempt) -> {
			int leader = ensemble.leader();
			int follower = ensemble.another(leader);
			String what = "follower, run " + run + ", attempt " + attempt;
			return cutOff(what, follower, leader, () -> ensemble.cutOffFollower(follower));
		});
	}

	@ParameterizedTest
	@MethodSource("runs")
	void lossIsToldBeforeTheNextHolderComesWhenTheLeaderIsCutOff(int run) throws Exception {
		assertThatLossIsToldInTime((attempt) -> {
			int leader = ensemble.leader();
			String what = "leader, run " + run + ", attempt " + attempt;
			return cutOff(what, leader, ensemble.another(leader), () -> ensemble.cutOffLeader(leader));
		});
	}

	private static void assertThatLossIsToldInTime(Attempt attempt) throws Exception {
		boolean served = false;
		for (int i = 1; i <= ATTEMPTS && !served; i++) {
			served = attempt.stillServed(i);
		}
		assertThat(served).as("the server that was cut off still served when the next holder came").isTrue();
	}

	private static boolean cutOff(String what, int server, int other, Runnable cut) throws Exception {
		String key = what.replaceAll("\\W+", "-");
		LockRequest request = LockRequest.of(key).withWait(WAIT);
		try (LockClient<ZooKeeperLockProvider> victim = connect(server);
				CuratorFramework neighbour = neighbour(server);
				LockClient<ZooKeeperLockProvider> rival = connect(other)) {
			long session = victim.sessionId();
			LockHandle holder = victim.locks().acquire(request);
			String node = "/locks/" + key + "/" + neighbour.getChildren().forPath("/locks/" + key).get(0);
			CompletableFuture<Long> told = new CompletableFuture<>();
			holder.onLost((lost) -> told.complete(System.nanoTime()));
			CompletableFuture<Long> granted = new CompletableFuture<>();
			CompletableFuture<LockHandle> next = rival.locks().acquireAsync(request);
			next.thenRun(() -> granted.complete(System.nanoTime()));
			awaitHeartbeats(victim);
			// A machine that stands still for so long shows nothing.
			if (holder.state() != LockState.HELD) {
				return false;
			}
			long start = System.nanoTime();
			cut.run();
			if (!hasLeaderBesides(server)) {
				return false;
			}
			long entered = granted.get(WAIT.toSeconds(), TimeUnit.SECONDS);
			Stat seen = neighbour.checkExists().forPath(node);
			assertThat(told).as("the loss was told").isDone();
			assertThat(entered - told.get()).as("nanoseconds from the loss to the next holder").isPositive();
			assertThat(next.get().fencingToken()).isGreaterThan(holder.fencingToken());
			report(what, start, told.get(), entered);
			next.get().release();
			return seen != null && seen.getEphemeralOwner() == session;
		}
		finally {
			ensemble.heal();
		}
	}

	private static boolean hasLeaderBesides(int server) {
		try {
			Awaitility.await().atMost(SESSION_TIMEOUT.multipliedBy(3)).until(() -> ensemble.leader() != server);
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

	private static void report(String what, long start, long told, long entered) {
		long lead = TimeUnit.NANOSECONDS.toMillis(entered - told);
		leads.add(lead);
		logger.info("Loss was told {} ms after the cut and {} ms before the next holder came ({})",
				TimeUnit.NANOSECONDS.toMillis(told - start), lead, what);
	}

	// The first heartbeat creates the node, and others follow.
	private static void awaitHeartbeats(LockClient<ZooKeeperLockProvider> client) {
		String node = "/locks/~sessions/" + Long.toHexString(client.sessionId());
		Awaitility.await()
			.during(SESSION_TIMEOUT.dividedBy(3))
			.until(() -> client.curator().checkExists().forPath(node) != null);
	}

	private static LockClient<ZooKeeperLockProvider> connect(int server) {
		return LockClient.connect(ensemble.connectString(server), SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(ensemble.tick()).build());
	}

	// Without locks, since a server that is cut off answers only reads.
	private static CuratorFramework neighbour(int server) throws InterruptedException {
		CuratorFramework client = CuratorFrameworkFactory.builder()
			.connectString(ensemble.connectString(server))
			.sessionTimeoutMs((int) SESSION_TIMEOUT.toMillis())
			.retryPolicy(new RetryOneTime(100))
			.build();
		client.start();
		client.blockUntilConnected();
		return client;
	}

	private interface Attempt {

		boolean stillServed(int number) throws Exception;

	}

}
