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
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.HostileClient;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.JobRecord;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a stranger does to a key that one client holds and another one waits for: which
 * permissions it needs, and all the harm that comes of it.
 */
enum HostileAttack {

	/** End the session of the holder, whose password follows from its id. */
	END_A_SESSION(0, 0, (stranger, scene) -> {
		long own = stranger.zooKeeper().getSessionId();
		long session = scene.sessionOfTheHolder();
		assertThat(session).as("the numbers of sessions follow each other").isBetween(own - 10, own);
		stranger.endSession(session);
	}, HostileHarm.LOST_LOCK, HostileHarm.OVERLAP),

	/** Names that begin like the node of the waiter. Without it, they are contenders. */
	NODES_OF_THE_WAITER(0, Perms.CREATE, (stranger, scene) -> {
		String waiter = HostileClient.contender(scene.waiter());
		stranger.plant(scene.directory(), waiter + "lock-0000000000");
		stranger.plant(scene.directory(), waiter + "lock--000000001");
		stranger.plant(scene.directory(), waiter + "p7-lock-0000000000");
	}, HostileHarm.BUSY_KEY),

	/** A contender with permits on a key that has one holder. */
	OTHER_PERMITS(0, Perms.CREATE,
			(stranger, scene) -> stranger.enter(scene.directory(), "z1-1-p7-", LockMode.EXCLUSIVE),
			HostileHarm.BUSY_KEY),

	/** Delete the node of the holder. */
	DELETE_THE_HOLDER(0, Perms.DELETE, (stranger, scene) -> stranger.zooKeeper().delete(scene.held(), -1),
			HostileHarm.LOST_LOCK, HostileHarm.OVERLAP),

	/** Create the directory of the key first, with a right to delete its nodes. */
	OPEN_DIRECTORY(Perms.CREATE, 0, HostileHarm.LOST_LOCK, HostileHarm.OVERLAP) {

		@Override
		void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().create(scene.directory(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
		}

		@Override
		void play(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().delete(scene.held(), -1);
		}

	},

	/** Create the directory of the key first, and keep the application out. */
	PRIVATE_DIRECTORY(Perms.CREATE, 0, HostileHarm.BUSY_KEY) {

		@Override
		void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().create(scene.directory(), new byte[0], HIDDEN, CreateMode.PERSISTENT);
		}

	},

	/**
	 * Create the directory of the heartbeats first, so that no heartbeat can be there.
	 */
	EPHEMERAL_SESSIONS(Perms.CREATE, 0) {

		@Override
		Duration session() {
			return SHORT_SESSION;
		}

		@Override
		void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().create(scene.sessions(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
		}

		@Override
		void play(HostileClient stranger, HostileScene scene) throws Exception {
			scene.outliveTheLease();
		}

	},

	/**
	 * Create the nodes of the heartbeats first, with names that follow from the sessions.
	 */
	FORGED_HEARTBEATS(Perms.CREATE, 0) {

		@Override
		Duration session() {
			return SHORT_SESSION;
		}

		@Override
		void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().create(scene.sessions(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
			for (String heartbeat : scene.heartbeats()) {
				stranger.zooKeeper().create(heartbeat, new byte[0], HIDDEN, CreateMode.PERSISTENT);
			}
		}

		@Override
		void play(HostileClient stranger, HostileScene scene) throws Exception {
			scene.outliveTheLease();
		}

	},

	/**
	 * Replace the nodes of the heartbeats by nodes that go with a session, and end it.
	 */
	HEARTBEATS_THAT_VANISH(0, Perms.CREATE | Perms.DELETE) {

		@Override
		Duration session() {
			return SHORT_SESSION;
		}

		@Override
		void play(HostileClient stranger, HostileScene scene) throws Exception {
			for (String heartbeat : scene.heartbeats()) {
				stranger.replace(heartbeat, CreateMode.EPHEMERAL);
			}
			scene.outliveTheLease();
			stranger.close();
			scene.outliveTheLease();
		}

	},

	/** Create the directory of the key first, so that no node can be in it. */
	EPHEMERAL_DIRECTORY(Perms.CREATE, 0, HostileHarm.BUSY_KEY) {

		@Override
		void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().create(scene.directory(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
		}

	},

	/** Create the node of the job first, and end its session when a run is recorded. */
	EPHEMERAL_JOB(Perms.CREATE, 0) {

		@Override
		void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().create(scene.job(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
		}

		@Override
		void play(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.close();
		}

	},

	/** Create the node of the job first, so that the server deletes it. */
	CONTAINER_AS_A_JOB(Perms.CREATE, 0) {

		@Override
		void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper().create(scene.job(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
			stranger.zooKeeper().create(scene.job() + "/a", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
			stranger.zooKeeper().delete(scene.job() + "/a", -1);
		}

		@Override
		void play(HostileClient stranger, HostileScene scene) {
			scene.reapContainers();
		}

	},

	/** Create the node of the job for periodic runs, which has none, with a pause. */
	PAUSE_OF_PERIODIC_RUNS(Perms.CREATE, 0, (stranger, scene) -> {
		String job = scene.job().replace(HostileScene.JOB + "~", HostileScene.JOB + "~n");
		byte[] pause = JobRecord.of(HostileScene.JOB, "key").withPause(new JobRecord.Pause(1, "stranger"), 1).data();
		stranger.zooKeeper().create(job, pause, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
	}),

	/** Names that no client gives. */
	MALFORMED_NAMES(0, Perms.CREATE, (stranger, scene) -> {
		for (String name : List.of("z0-plock-0000000000", "z0-p__READ__0000000000", "z0-1-lock--1",
				"z0-1-p-5-lock-0000000000", "z0-1-p\uff11-lock-0000000000", "lock-0000000000")) {
			stranger.plant(scene.directory(), name);
		}
	}),

	/** Names so long that their list does not fit into an answer. */
	LONG_NAMES(0, Perms.CREATE, (stranger, scene) -> stranger.poison(scene.directory(), 2, 600_000),
			HostileHarm.BUSY_KEY),

	/** A long queue, which the application inspects meanwhile. */
	LONG_QUEUE(0, Perms.CREATE, (stranger, scene) -> {
		for (int i = 0; i < 300; i++) {
			stranger.enter(scene.directory(), "z1-" + i + "-", LockMode.READ);
		}
		for (int i = 0; i < 10; i++) {
			assertThat(scene.inspect()).hasSizeGreaterThan(300);
		}
	}, HostileHarm.BUSY_KEY),

	/** A node that only the stranger may read. */
	HIDDEN_NODE(0, Perms.CREATE, HostileHarm.BUSY_KEY) {

		@Override
		void play(HostileClient stranger, HostileScene scene) throws Exception {
			stranger.zooKeeper()
				.create(scene.directory() + "/z1-1-lock-", new byte[0], HIDDEN, CreateMode.EPHEMERAL_SEQUENTIAL);
		}

	},

	/** A stamp of many years. */
	IMPOSSIBLE_TIMES(0, Perms.CREATE,
			(stranger, scene) -> stranger.plant(scene.directory(), "z0-1-1-least-999999999999999999-0")),

	/** The longest stamp that there is. */
	LONGEST_STAMP(0, Perms.CREATE, (stranger, scene) -> {
		LockRequest request = LockRequest.of("any").withLockAtLeastFor(LockRequest.LONGEST_AT_LEAST);
		stranger.plant(scene.directory(), AtLeastStamp.of("z0-1-", 1, request, 0).name());
	}, HostileHarm.BUSY_KEY),

	/** Other data for the node of the holder. */
	DATA_OF_THE_HOLDER(0, Perms.WRITE, (stranger, scene) -> {
		stranger.zooKeeper().setData(scene.held(), new byte[900_000], -1);
		assertThat(scene.inspect()).hasSize(3);
	}),

	/** The record of the run that is due next. */
	RECORD_OF_THE_NEXT_RUN(0, Perms.WRITE,
			(stranger, scene) -> stranger.zooKeeper().setData(scene.job(), scene.record(scene.nextTick()), -1),
			HostileHarm.LOST_TICK),

	/** The record of a run of the year 9999, in the place of the latest one. */
	RECORD_OF_THE_YEAR_9999(0, Perms.WRITE, (stranger, scene) -> {
		Instant end = Instant.ofEpochMilli(HostileClient.YEAR_9999);
		stranger.zooKeeper().setData(scene.job(), scene.record(LockTick.at(HostileScene.JOB, end)), -1);
	}, HostileHarm.TICK_TWICE),

	/** The same, recorded in that year by its own words. */
	RECORD_WRITTEN_IN_THE_YEAR_9999(0, Perms.WRITE, (stranger, scene) -> {
		Instant end = Instant.ofEpochMilli(HostileClient.YEAR_9999);
		byte[] record = scene.record(LockTick.at(HostileScene.JOB, end), HostileClient.YEAR_9999);
		String lines = new String(record, StandardCharsets.UTF_8) + "recorded=" + end + "\n";
		stranger.zooKeeper().setData(scene.job(), lines.getBytes(StandardCharsets.UTF_8), -1);
	}, HostileHarm.TICK_TWICE),

	/** A run of the year 9999 among the earlier ones. */
	EARLIER_RUN_OF_THE_YEAR_9999(0, Perms.WRITE, (stranger, scene) -> {
		Instant end = Instant.ofEpochMilli(HostileClient.YEAR_9999);
		byte[] record = scene.record(LockTick.at(HostileScene.JOB, Instant.EPOCH), 0);
		String run = String.join(" ", "run=" + end, end.toString(), end.toString(), end.toString(), "done 1 x\n");
		String lines = new String(record, StandardCharsets.UTF_8) + run;
		stranger.zooKeeper().setData(scene.job(), lines.getBytes(StandardCharsets.UTF_8), -1);
	}, HostileHarm.TICK_TWICE),

	/** A pause that no user of the application has begun. */
	PAUSE_OF_A_STRANGER(0, Perms.WRITE, (stranger, scene) -> {
		byte[] record = scene.record(LockTick.at(HostileScene.JOB, Instant.EPOCH), 0);
		String lines = new String(record, StandardCharsets.UTF_8) + "paused=" + Instant.EPOCH + " x\n";
		stranger.zooKeeper().setData(scene.job(), lines.getBytes(StandardCharsets.UTF_8), -1);
	}, HostileHarm.LOST_TICK),

	/** Data that are no record, in the place of the latest one. */
	GARBAGE_AS_A_RECORD(0, Perms.WRITE,
			(stranger, scene) -> stranger.zooKeeper().setData(scene.job(), new byte[JobRecord.MAX_LENGTH + 1], -1),
			HostileHarm.TICK_TWICE),

	/** Delete the record of the latest run. */
	DELETE_THE_RECORD(Perms.DELETE, 0, (stranger, scene) -> stranger.zooKeeper().delete(scene.job(), -1),
			HostileHarm.TICK_TWICE),

	/** A contender and another node with data of a megabyte. */
	LONG_DATA(0, Perms.CREATE, (stranger, scene) -> {
		byte[] data = ("application=" + "x\n".repeat(400_000)).getBytes(StandardCharsets.UTF_8);
		stranger.plant(scene.directory(), "long-data", data);
		stranger.zooKeeper().setData(stranger.enter(scene.directory(), "z1-1-", LockMode.EXCLUSIVE), data, -1);
		assertThat(scene.inspect()).hasSize(4);
	}, HostileHarm.BUSY_KEY);

	/** A session timeout that is outlived soon. */
	static final Duration SHORT_SESSION = Duration.ofSeconds(10);

	/** Lets no client do anything. */
	static final List<ACL> HIDDEN = Arrays
		.asList(new ACL(Perms.ALL, new Id("digest", "stranger:AAAAAAAAAAAAAAAAAAAAAAAAAAA=")));

	private final int onRoot;

	private final int onKeys;

	private final Move move;

	private final Set<HostileHarm> harm;

	HostileAttack(int onRoot, int onKeys, HostileHarm... harm) {
		this(onRoot, onKeys, (stranger, scene) -> {
		}, harm);
	}

	HostileAttack(int onRoot, int onKeys, Move move, HostileHarm... harm) {
		this.onRoot = onRoot;
		this.onKeys = onKeys;
		this.move = move;
		this.harm = Set.of(harm);
	}

	/**
	 * Return the permissions on the root that the attack needs.
	 */
	int onRoot() {
		return this.onRoot;
	}

	/**
	 * Return the permissions on the directory of the key that the attack needs.
	 */
	int onKeys() {
		return this.onKeys;
	}

	/**
	 * Return all the harm of the attack.
	 */
	Set<HostileHarm> harm() {
		return this.harm;
	}

	/**
	 * Return the session timeout of the application.
	 */
	Duration session() {
		return HostileScene.PATIENCE;
	}

	/**
	 * Do what has to be done before the key is used.
	 */
	void comeFirst(HostileClient stranger, HostileScene scene) throws Exception {
	}

	/**
	 * Do it while the key is held and waited for.
	 */
	void play(HostileClient stranger, HostileScene scene) throws Exception {
		this.move.play(stranger, scene);
	}

	/**
	 * What a stranger does.
	 */
	interface Move {

		void play(HostileClient stranger, HostileScene scene) throws Exception;

	}

}
