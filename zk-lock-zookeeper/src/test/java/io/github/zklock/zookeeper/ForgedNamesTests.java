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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What another client names its nodes breaks no exclusion and stops no key: a name that
 * is not exactly one of the grammar is foreign, and the unique beginning of another
 * contender gives nothing.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class ForgedNamesTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = connect();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> rival = connect();

	@AutoClose
	private final HostileClient stranger = HostileClient.connect(server.connectString());

	private final String key = "forged:" + UUID.randomUUID();

	private final String directory = "/locks/" + this.key;

	@ParameterizedTest
	@ValueSource(strings = { "z0-plock-0000000000", "z0-p__READ__0000000000", "zip-plock-0000000001", "z-plock-1",
			"z0-1-lock--1", "z0-1-p-5-lock-0000000000", "z0-1-p\uff11\uff12-lock-0000000000",
			"z0-1-1-least-999999999999999999-0", "z-least-999999999999999999-0", "z0-1-1-least-31622400001-0",
			"z0-1-1-least-60000-30001", "lock-0000000000" })
	void foreignNameNeitherBlocksNorThrows(String name) throws Exception {
		this.stranger.plant(this.directory, name);
		LockHandle handle = this.client.locks().acquire(request());
		CompletableFuture<LockHandle> next = this.rival.locks().acquireAsync(request());
		await().until(() -> server.children(this.directory).size() == 3);
		handle.release();
		next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
		this.client.locks().acquire(request().withPermits(3)).release();
		assertThat(server.children(this.directory)).contains(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "plock-0000000000", "p1-lock-0000000000", "lock--000000001", "lock-9999999999",
			"__READ__00000000000", "1-least-60000-30001" })
	void nodeWithTheUniqueBeginningOfAWaiterNeitherGrantsNorRefusesIt(String forged) throws Exception {
		LockHandle holder = this.client.locks().acquire(request());
		String held = this.directory + "/" + server.children(this.directory).get(0);
		CompletableFuture<LockHandle> between = this.client.locks().acquireAsync(request().withMode(LockMode.READ));
		await().until(() -> server.children(this.directory).size() == 2);
		CompletableFuture<LockHandle> waiting = this.rival.locks().acquireAsync(request());
		await().until(() -> server.children(this.directory).size() == 3);
		String waiter = server.children(this.directory)
			.stream()
			.filter((name) -> server.owner(this.directory + "/" + name) == this.rival.sessionId())
			.findFirst()
			.orElseThrow();
		this.stranger.plant(this.directory, HostileClient.contender(waiter) + forged);
		// The waiter lists the queue again, with the forged node in it.
		between.cancel(true);
		await().until(() -> server.watchedBy(this.rival.sessionId()).contains(held));
		assertThat(waiting).isNotDone();
		assertThat(holder.isHeld()).isTrue();
		holder.release();
		waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
	}

	@Test
	void contenderOfAnotherClientWithACopiedNameWaitsItsTurnAndIsWaitedFor() throws Exception {
		LockHandle holder = this.client.locks().acquire(request());
		String copied = HostileClient.contender(server.children(this.directory).get(0));
		String path = this.stranger.enter(this.directory, copied, LockMode.EXCLUSIVE);
		CompletableFuture<LockHandle> waiting = this.rival.locks().acquireAsync(request());
		await().until(() -> server.children(this.directory).size() == 3);
		holder.release();
		await().until(() -> server.children(this.directory).size() == 2);
		assertThat(waiting).isNotDone();
		this.stranger.zooKeeper().delete(path, -1);
		waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
	}

	@Test
	void copiesOfOneProcessExcludeEachOther() throws Exception {
		try (LockClient<ZooKeeperLockProvider> original = copy(); LockClient<ZooKeeperLockProvider> copy = copy()) {
			LockHandle holder = original.locks().acquire(request());
			CompletableFuture<LockHandle> waiting = copy.locks().acquireAsync(request());
			await().until(() -> server.children(this.directory).size() == 2);
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> copy.locks().acquire(request().withMode(LockMode.READ).withWait(Duration.ZERO)));
			assertThat(waiting).isNotDone();
			holder.release();
			waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
		}
	}

	@Test
	void numberOfAProcessIsDrawnForEachSession() throws Exception {
		LockHandle first = this.client.locks().acquire(request());
		String before = server.children(this.directory).get(0);
		server.killSession(this.client.sessionId());
		await().until(() -> first.state() == LockState.LOST);
		first.release();
		LockHandle second = this.client.locks().acquire(request());
		String after = server.children(this.directory).get(0);
		assertThat(process(after)).isNotEqualTo(process(before));
		second.release();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "job", "call=x\n", "call=9f\ncall=9f\n", "tick=2026-13-01T00:00:00Z\n" })
	void dataThatAreNoRecordStopNoTick(String data, CapturedOutput output) throws Exception {
		Instant time = Instant.now();
		run(time);
		this.stranger.zooKeeper().setData(job(), data.getBytes(StandardCharsets.UTF_8), -1);
		run(time.plusSeconds(1));
		assertThat(output.toString()).containsOnlyOnce("of a job does not hold the record of a run");
		// The records of honest nodes still count.
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> run(time.plusSeconds(1)));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> run(time));
	}

	@ParameterizedTest
	@ValueSource(strings = { "run=%1$s %1$s %1$s %1$s done 1 x\n",
			"recorded=%1$s\ntick=%1$s\ncall=9f\nattempt=1\nlock=z9f-1-lock-0000000001\nprocess=9f\nbegan=%1$s\n" })
	void timesAfterTheWriteOfARecordStopNoTick(String lines, CapturedOutput output) throws Exception {
		Instant time = Instant.now();
		run(time);
		String known = new String(this.stranger.zooKeeper().getData(job(), false, null), StandardCharsets.UTF_8);
		String last = lines.startsWith("run") ? known : known.lines().limit(2).collect(Collectors.joining("\n")) + "\n";
		String forged = last + lines.formatted("9999-01-01T00:00:00Z");
		this.stranger.zooKeeper().setData(job(), forged.getBytes(StandardCharsets.UTF_8), -1);
		run(time.plusSeconds(1));
		run(time.plusSeconds(2));
		assertThat(output.toString()).containsOnlyOnce("has times after its last write");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> run(time.plusSeconds(2)));
	}

	// A reply is longer than the request that set the data, and too long for the client.
	@Test
	void jobTooLargeForTheClientCostsItsOwnKeyAtMost() throws Exception {
		Instant time = Instant.now();
		run(time);
		this.stranger.zooKeeper().setData(job(), new byte[0xfffff - job().length() - 24], -1);
		LockHandle held = this.client.locks().acquire(LockRequest.of(this.key + "2").withWait(PATIENCE));
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> run(time.plusSeconds(1)));
		await().until(() -> held.state() != LockState.UNCERTAIN);
		assertThat(held.state()).isEqualTo(LockState.HELD);
		held.release();
		this.client.locks().acquire(LockRequest.of(this.key + "2").withWait(PATIENCE)).release();
	}

	// With that node, a container goes as well, and the record in it.
	@Test
	void nodeBelowAJobRefusesItsRunsUntilItIsGone(CapturedOutput output) throws Exception {
		Instant time = Instant.now();
		run(time);
		this.stranger.plant(job(), "child");
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> run(time.plusSeconds(1)))
				.withMessageContaining("run 'deleteall " + job() + "' in zkCli.sh");
		}
		this.client.locks().acquire(request()).release();
		this.stranger.zooKeeper().delete(job() + "/child", -1);
		run(time.plusSeconds(1));
		assertThat(output.toString())
			.containsOnlyOnce("The node " + job() + " of a job is created again with its record");
		assertThat(stat()).extracting(Stat::getCversion).isEqualTo(0);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> run(time));
		run(time.plusSeconds(2));
	}

	@Test
	void jobThatBelongsToASessionOfAnotherClientIsNotPausedBeforeItsFirstRun() throws Exception {
		run("other", Instant.now());
		this.stranger.zooKeeper().create(job(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
		JobStore jobs = this.client.locks().jobs();
		JobStore.Job job = new JobStore.Job("Jobs.report", false, this.key);
		assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> jobs.pause(job, "test", PATIENCE))
			.withMessageContaining("run 'deleteall " + job() + "' in zkCli.sh");
		run(Instant.now());
		assertThat(stat()).extracting(Stat::getEphemeralOwner).isEqualTo(0L);
		jobs.pause(job, "test", PATIENCE);
		jobs.resume(job, PATIENCE);
	}

	private Stat stat() throws Exception {
		return this.stranger.zooKeeper().exists(job(), false);
	}

	@Test
	void jobThatOnlyAStrangerMayReadRefusesItsRunsAndNoOtherLock() throws Exception {
		run("other", Instant.now());
		this.stranger.zooKeeper().create(job(), new byte[0], HostileAttack.HIDDEN, CreateMode.PERSISTENT);
		assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> run(Instant.now()))
			.withMessageContaining("NOAUTH at " + job());
		this.client.locks().acquire(request()).release();
	}

	@Test
	void nodeBelowAStampThatIsOverStopsNoRequest() throws Exception {
		String stamp = "z1-1-1-least-1-0";
		this.stranger.plant(this.directory, stamp);
		this.stranger.plant(this.directory + "/" + stamp, "child");
		for (int i = 0; i < 3; i++) {
			this.client.locks().acquire(request()).release();
		}
		await().until(() -> server.children(this.directory).equals(List.of(stamp)));
	}

	@Test
	void dataOfAMegabyteCostTheRefusedNoMoreThanAName() throws Exception {
		this.stranger.plant(this.directory, "z1-1-lock-0000000000",
				("application=" + "x".repeat(900_000)).getBytes(StandardCharsets.UTF_8));
		LockNotAcquiredException refusal = Refusal
			.of(() -> this.client.locks().acquire(request().withWait(Duration.ofMillis(300))));
		assertThat(refusal.getHolder().application()).isEqualTo("x".repeat(200));
	}

	private void run(Instant time) {
		run(this.key, time);
	}

	private void run(String key, Instant time) {
		LockRequest request = LockRequest.of(key).withWait(PATIENCE);
		this.client.locks().acquire(request.withTick(LockTick.at("Jobs.report", time))).release();
	}

	private String job() {
		return new LockPaths("", "/locks", null).job(LockTick.at("Jobs.report", Instant.EPOCH), this.key);
	}

	private LockRequest request() {
		return LockRequest.of(this.key).withWait(PATIENCE);
	}

	private static String process(String node) {
		return node.substring(0, node.indexOf('-'));
	}

	private static LockClient<ZooKeeperLockProvider> copy() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).processNumber((session) -> 7).build());
	}

	private static LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
