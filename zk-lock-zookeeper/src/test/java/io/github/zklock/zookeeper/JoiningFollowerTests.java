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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.HeldMethod;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ServerProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A restart of three servers, one after the other, in which a server dies while it joins
 * the leader, before its log is on disk. The version of the servers is the system
 * property {@code zookeeper.server}; without it they are of the version of the client.
 */
@Tag("nightly")
class JoiningFollowerTests {

	private static final String VERSION = System.getProperty("zookeeper.server", "");

	private static final Path JARS = Path.of("target", "zookeeper-servers", VERSION);

	// They answer the leader, and set the epoch, while their log is not on disk yet.
	private static final Set<String> FORGETFUL = Set.of("3.6.4", "3.7.2", "3.8.4");

	private static final int ROUNDS = Integer.getInteger("rounds", 3);

	// No session ends meanwhile.
	private static final Duration SESSION = Duration.ofMinutes(10);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final String[] SMALL = { "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1" };

	private List<ServerProcess> servers = List.of();

	@BeforeEach
	void start() {
		assumeTrue(VERSION.isEmpty() || Files.isDirectory(JARS), "mvn -Pnightly brings the servers");
		this.servers = IntStream.rangeClosed(1, 3)
			.mapToObj((id) -> (VERSION.isEmpty() ? new ServerProcess() : ServerProcess.of(JARS)).member(id))
			.toList();
		ServerProcess.ensemble(this.servers);
		this.servers.forEach((server) -> server.configure(List.of("maxSessionTimeout=" + SESSION.toMillis())));
		this.servers.forEach(ServerProcess::launch);
	}

	@AfterEach
	void close() {
		this.servers.forEach(ServerProcess::close);
	}

	@Test
	void onlyOldServersForgetAGrantedLockWhenAFollowerDiesAsItJoins() {
		int forgotten = 0;
		for (int round = 0; round < ROUNDS; round++) {
			forgotten += isForgotten("joined-" + round) ? 1 : 0;
			System.out.printf("ZooKeeper %s forgot %d of %d%n", VERSION, forgotten, round + 1);
		}
		assertThat(forgotten).isEqualTo(FORGETFUL.contains(VERSION) ? ROUNDS : 0);
	}

	private boolean isForgotten(String key) {
		List<ServerProcess> followers = this.servers.stream()
			.filter((server) -> server.awaitMode().equals("follower"))
			.toList();
		ServerProcess leader = this.servers.stream().filter((server) -> !followers.contains(server)).findAny().get();
		ServerProcess joining = followers.get(0);
		ServerProcess other = followers.get(1);
		// Cut off from the others, as a client in the rack of the leader is.
		try (LockClient<ZooKeeperLockProvider> client = connect(leader.connectString())) {
			Awaitility.await().until(joining::zxid, (zxid) -> zxid > 0 && zxid == leader.zxid());
			joining.kill();
			LockHandle holder = client.locks().acquire(LockRequest.of(key).withWait(PATIENCE));
			other.kill();
			joinAndDie(joining, leader);
			leader.kill();
			joining.launch();
			other.launch();
			joining.awaitMode();
			other.awaitMode();
			boolean second = isGranted(key, joining, other);
			assertThat(holder.state()).as("the first holder, without a server").isEqualTo(LockState.UNCERTAIN);
			leader.start();
			Awaitility.await().atMost(PATIENCE).until(() -> holder.state() != LockState.UNCERTAIN);
			assertThat(holder.state()).as("the first holder, with a server")
				.isEqualTo(second ? LockState.LOST : LockState.HELD);
			holder.release();
			return second;
		}
	}

	private void joinAndDie(ServerProcess joining, ServerProcess leader) {
		long before = epoch(leader);
		try (HeldMethod log = HeldMethod.of("org.apache.zookeeper.server.persistence.FileTxnLog", "append")) {
			joining.options(SMALL[0], SMALL[1], SMALL[2], log.option()).launch();
			// The thread that waits for the log is the one that would answer the leader.
			boolean waits = log.awaitThread().startsWith("QuorumPeer");
			Awaitility.await().atMost(PATIENCE).until(() -> waits || epoch(leader) > before);
			joining.kill();
			joining.options(SMALL);
		}
	}

	private static long epoch(ServerProcess leader) {
		return leader.zxid() >>> 32;
	}

	private static boolean isGranted(String key, ServerProcess... servers) {
		LockRequest request = LockRequest.of(key).withWait(Duration.ofSeconds(1));
		try (LockClient<ZooKeeperLockProvider> rival = connect(
				servers[0].connectString() + "," + servers[1].connectString())) {
			return Awaitility.await()
				.atMost(PATIENCE)
				.ignoreExceptionsInstanceOf(LockUnavailableException.class)
				.until(() -> isGranted(rival, request), Optional::isPresent)
				.get();
		}
	}

	private static Optional<Boolean> isGranted(LockClient<ZooKeeperLockProvider> rival, LockRequest request) {
		try {
			rival.locks().acquire(request).release();
			return Optional.of(true);
		}
		catch (LockNotAcquiredException ex) {
			return Optional.of(false);
		}
	}

	private static LockClient<ZooKeeperLockProvider> connect(String connectString) {
		return LockClient.connect(connectString, SESSION,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(ServerProcess.TICK).build());
	}

}
