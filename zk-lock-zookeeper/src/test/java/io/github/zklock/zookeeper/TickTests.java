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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Planned runs of a job on several nodes, and what they leave in ZooKeeper.
 */
@Tag("server")
class TickTests {

	private static final String JOB = "com.example.Jobs.report";

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final Duration WAIT = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String key = "job " + UUID.randomUUID();

	private final Queue<LockClient<ZooKeeperLockProvider>> clients = new ConcurrentLinkedQueue<>();

	private final LockClient<ZooKeeperLockProvider> first = client("app-1");

	private final LockClient<ZooKeeperLockProvider> second = client("app-2");

	@AfterEach
	void close() {
		this.clients.forEach(LockClient::close);
	}

	@Test
	void eachOfManyTicksRunsOnceOnThreeNodes() {
		// Killed nodes and a thousand ticks: OncePerTickTests.
		int ticks = 200;
		Map<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();
		List<CompletableFuture<Void>> nodes = new ArrayList<>();
		for (var node : List.of(this.first, this.second, client("app-3"))) {
			nodes.add(CompletableFuture.runAsync(() -> {
				for (int i = 0; i < ticks; i++) {
					if (run(node, TEN.plusSeconds(i)) == null) {
						runs.computeIfAbsent(i, (tick) -> new AtomicInteger()).incrementAndGet();
					}
				}
			}, (task) -> new Thread(task).start()));
		}
		nodes.forEach((node) -> node.orTimeout(5, TimeUnit.MINUTES).join());
		assertThat(runs).hasSize(ticks).allSatisfy((tick, count) -> assertThat(count).hasValue(1));
		assertThat(jobs()).hasSize(1);
	}

	@Test
	void nodeWhoseClockIsBehindSkipsWhatTheOtherHasRun() {
		for (int i = 0; i < 5; i++) {
			// A tick each second: the node that is 400 ms late finds it done.
			assertThat(run(this.first, TEN.plusSeconds(i))).isNull();
			assertThat(run(this.second, TEN.plusSeconds(i))).contains("has run already; run by app-1 (");
		}
		// Ticks that are closer than that: the next one has run by then.
		assertThat(run(this.first, TEN.plusSeconds(10))).isNull();
		assertThat(run(this.first, TEN.plusSeconds(11))).isNull();
		assertThat(run(this.second, TEN.plusSeconds(10)))
			.contains("overtaken by the tick of 2024-10-05T10:00:11Z; run by");
		assertThat(run(this.second, TEN.plusSeconds(11))).contains("has run already");
		assertThat(run(this.second, TEN.plusSeconds(12))).isNull();
	}

	@Test
	void nodeWhoseClockIsFarAheadDoesNotOvertakeTheOthers() {
		Instant ahead = Instant.parse("2200-01-01T00:00:00Z");
		assertThat(run(this.first, ahead)).isNull();
		assertThat(run(this.second, TEN)).isNull();
		assertThat(run(this.second, TEN)).isNotNull();
		assertThat(run(this.second, TEN.plusSeconds(1))).isNull();
		assertThat(run(this.second, ahead)).contains("has run already");
		assertThat(jobs()).hasSize(1);
	}

	@Test
	void applicationsOfTwoUsersRunTheirJobsBelowOneRoot() {
		for (String user : List.of("orders", "billing")) {
			LockRequest request = LockRequest.of(user).withTick(LockTick.at("Jobs." + user, TEN));
			user(user).locks().acquire(request).release();
		}
		assertThat(server.children("/shared")).filteredOn((name) -> name.startsWith("~job~")).hasSize(2);
	}

	@Test
	void oneSmallNodeIsLeftThatSaysWhoRanIt() throws Exception {
		assertThat(run(this.first, TEN)).isNull();
		assertThat(run(this.second, TEN.plusSeconds(1))).isNull();
		assertThat(jobs()).singleElement().asString().matches("~job~" + JOB + "~[0-9a-f]{32}");
		byte[] data = this.first.curator().getData().forPath("/locks/" + jobs().get(0));
		assertThat(new String(data, StandardCharsets.UTF_8)).startsWith("job=" + JOB + "\nkey=" + this.key + "\n")
			.contains("tick=" + TEN.plusSeconds(1) + "\n", "outcome=done\n", "instance=app-2\n")
			.containsPattern("\nrun=" + TEN + " \\S+ \\S+ \\S+ done 1 app-1\n$");
		Awaitility.await().untilAsserted(() -> assertThat(left()).isEmpty());
		Awaitility.await().untilAsserted(() -> {
			server.reapContainers();
			assertThat(server.children("/locks")).doesNotContain(LockPaths.encode(this.key));
		});
		assertThat(run(this.first, TEN.plusSeconds(1))).contains("run by app-2 (");
	}

	@Test
	void locksOfCuratorWorkBesideAJob() throws Exception {
		assertThat(run(this.first, TEN)).isNull();
		String path = this.first.locks().pathOf(this.key);
		InterProcessMutex mutex = new InterProcessMutex(this.second.curator(), path);
		assertThat(mutex.acquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(mutex.getParticipantNodes()).hasSize(1);
		LockRequest next = request(TEN.plusSeconds(1));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.first.locks().acquire(next.withWait(Duration.ZERO)))
			.satisfies((ex) -> assertThat(ex.getTick()).isNull());
		CompletableFuture<LockHandle> waiting = this.first.locks().acquireAsync(next);
		Awaitility.await().until(() -> left().size() == 2);
		mutex.release();
		waiting.get(30, TimeUnit.SECONDS).release();
		InterProcessReadWriteLock readWrite = new InterProcessReadWriteLock(this.second.curator(), path);
		assertThat(readWrite.readLock().acquire(30, TimeUnit.SECONDS)).isTrue();
		this.first.locks().acquire(LockRequest.of(this.key).withMode(LockMode.READ)).release();
		readWrite.readLock().release();
		assertThat(readWrite.writeLock().acquire(30, TimeUnit.SECONDS)).isTrue();
		readWrite.writeLock().release();
		assertThat(run(this.second, TEN.plusSeconds(1))).isNotNull();
	}

	@Test
	void clientThatIsConfinedToAPartOfTheTreeRunsATickOnce() throws Exception {
		this.first.curator().create().orSetData().forPath("/part");
		for (int i = 0; i < 2; i++) {
			var inside = client("app-3", "/part");
			assertThat(run(inside, TEN.plusSeconds(i))).isNull();
			assertThat(run(inside, TEN.plusSeconds(i))).contains("has run already; run by app-3 (");
			assertThat(server.children("/part/locks")).filteredOn((name) -> name.startsWith("~job~")).hasSize(1);
		}
	}

	@Test
	void tickWaitsForAKeyThatIsKept() {
		Duration atLeast = Duration.ofMillis(600);
		long start = System.nanoTime();
		this.first.locks().acquire(LockRequest.of(this.key).withLockAtLeastFor(atLeast)).release();
		assertThat(run(this.second, TEN)).isNull();
		assertThat(since(start)).isGreaterThanOrEqualTo(atLeast);
	}

	@Test
	void otherNodesAreKeptOutForMostOfAPeriodAndTheNodeItselfIsNot() {
		Duration period = Duration.ofSeconds(3);
		assertThat(runEvery(period, this.first)).isNull();
		assertThat(runEvery(Duration.ofHours(1), this.second))
			.contains("run every 1h of com.example.Jobs.report is not due, since another node runs it; run by app-1 (");
		long start = System.nanoTime();
		assertThat(runEvery(period, this.first)).isNull();
		Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> runEvery(period, this.second) == null);
		// The servers count in milliseconds.
		assertThat(since(start)).isGreaterThanOrEqualTo(Duration.ofMillis(2690));
		assertThat(runEvery(Duration.ofDays(1), this.first)).contains("run by app-2 (");
		assertThat(jobs()).hasSize(1);
	}

	@Test
	void nodeThatComesLaterKnowsAtOnceHowLongAgoThePeriodicRunWas() {
		Duration period = Duration.ofSeconds(2);
		assertThat(runEvery(period, this.first)).isNull();
		long start = System.nanoTime();
		assertThat(runEvery(Duration.ofDays(1), client("app-3"))).contains("is not due");
		Awaitility.await().until(() -> since(start).compareTo(period) >= 0);
		assertThat(runEvery(period, client("app-4"))).isNull();
	}

	@Test
	void periodicRunAndTicksOfOneScheduleAreApart() {
		assertThat(run(this.first, TEN)).isNull();
		assertThat(runEvery(Duration.ofDays(1), this.first)).isNull();
		assertThat(run(this.second, TEN.plusSeconds(1))).isNull();
		assertThat(runEvery(Duration.ofDays(1), this.second)).isNotNull();
		assertThat(jobs()).hasSize(2);
	}

	@Test
	void ticksTakeOneNumberOfTheQueueEach() {
		IntStream.range(0, 10).forEach((i) -> assertThat(run(this.first, TEN.plusSeconds(i))).isNull());
		try (LockHandle handle = this.first.locks().acquire(LockRequest.of(this.key))) {
			assertThat(handle.isHeld()).isTrue();
			assertThat(left()).anySatisfy((name) -> assertThat(name).endsWith("-lock-0000000010"));
		}
	}

	// What refuses the run, or null if it has happened.
	private String run(LockClient<ZooKeeperLockProvider> node, Instant time) {
		return run(node, LockTick.at(JOB, time));
	}

	private String runEvery(Duration period, LockClient<ZooKeeperLockProvider> node) {
		return run(node, LockTick.every(JOB, period));
	}

	private String run(LockClient<ZooKeeperLockProvider> node, LockTick tick) {
		Throwable thrown = catchThrowable(() -> node.locks().acquire(request(TEN).withTick(tick)).release());
		if (thrown != null) {
			assertThat(thrown).isInstanceOfSatisfying(LockNotAcquiredException.class,
					(ex) -> assertThat(ex.getTick()).isEqualTo(tick));
		}
		return (thrown != null) ? thrown.getMessage() : null;
	}

	private LockRequest request(Instant time) {
		return LockRequest.of(this.key).withWait(WAIT).withTick(LockTick.at(JOB, time));
	}

	private String directory() {
		return "/locks/" + LockPaths.encode(this.key);
	}

	private List<String> left() {
		return server.children(directory());
	}

	// By their names only, since other tests leave jobs as well.
	private List<String> jobs() {
		LockTick tick = LockTick.at(JOB, TEN);
		String cron = new LockPaths("", "/locks", null).job(tick, this.key);
		String periodic = new LockPaths("", "/locks", null).job(LockTick.every(JOB, Duration.ofDays(1)), this.key);
		return server.children("/locks")
			.stream()
			.filter((name) -> Set.of(cron, periodic).contains("/locks/" + name))
			.toList();
	}

	private LockClient<ZooKeeperLockProvider> client(String instance) {
		return client(instance, "");
	}

	private LockClient<ZooKeeperLockProvider> client(String instance, String chroot) {
		LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString() + chroot,
				Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.application("app")
					.instance(instance)
					.tryTimeout(WAIT)
					.build());
		this.clients.add(client);
		return client;
	}

	private LockClient<ZooKeeperLockProvider> user(String user) {
		LockClient<ZooKeeperLockProvider> client = LockClient.connectAs(server.connectString(), Duration.ofSeconds(20),
				user + ":secret",
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.root("/shared")
					.tryTimeout(WAIT)
					.aclProvider(new CreatorOnly())
					.build());
		this.clients.add(client);
		return client;
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

	/** Gives all nodes but the root to their creator. */
	private static final class CreatorOnly implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.CREATOR_ALL_ACL;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return path.equals("/shared") ? Ids.OPEN_ACL_UNSAFE : Ids.CREATOR_ALL_ACL;
		}

	}

}
