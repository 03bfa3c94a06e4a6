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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a client of the same servers can do to the locks of others, for each permission
 * that it may have on their nodes: the tables in {@code docs/internals/threat-model.md}.
 */
@Tag("server")
class HostileClientTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	// A stranger with more permissions than it needs sends the same requests.
	static Stream<Arguments> attacksByPermission() {
		return Arrays.stream(HostileAttack.values())
			.flatMap((attack) -> Stream.of(HostileStranger.ON_OPEN_NODES, HostileStranger.weakest(attack))
				.map((stranger) -> Arguments.of(stranger, attack)));
	}

	@ParameterizedTest
	@MethodSource("attacksByPermission")
	void attackDoesNoOtherHarmThanTheDocumentationNames(HostileStranger stranger, HostileAttack attack)
			throws Exception {
		try (HostileScene scene = new HostileScene(server, stranger, attack.session());
				HostileClient client = stranger.connect(server.connectString())) {
			attack.comeFirst(client, scene);
			assertThat(scene.judge((each) -> attack.play(client, each), attack.harm())).isEqualTo(attack.harm());
		}
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "ON_OPEN_NODES")
	void whatThePermissionDoesNotAllowIsRefusedAndDoesNoHarm(HostileStranger stranger) throws Exception {
		// The shorter the session, the sooner there are heartbeats to attack.
		try (HostileScene scene = new HostileScene(server, stranger, HostileAttack.SHORT_SESSION);
				HostileClient client = stranger.connect(server.connectString())) {
			assertThat(scene.judge((each) -> {
				for (ThrowingCallable request : beyond(stranger, client, each)) {
					assertThatExceptionOfType(NoAuthException.class).isThrownBy(request);
				}
			}, Set.of())).isEmpty();
		}
	}

	private static List<ThrowingCallable> beyond(HostileStranger stranger, HostileClient client, HostileScene scene) {
		List<ThrowingCallable> beyond = new ArrayList<>();
		for (HostileAttack attack : HostileAttack.values()) {
			if (!stranger.may(attack)) {
				beyond.add(() -> {
					attack.comeFirst(client, scene);
					attack.play(client, scene);
				});
			}
		}
		beyond.add(() -> client.zooKeeper().setACL(scene.held(), Ids.OPEN_ACL_UNSAFE, -1));
		beyond.add(() -> client.zooKeeper().setACL(scene.directory(), Ids.OPEN_ACL_UNSAFE, -1));
		beyond.add(() -> client.zooKeeper().setACL(scene.root(), Ids.OPEN_ACL_UNSAFE, -1));
		if (stranger == HostileStranger.WITHOUT_PERMISSION) {
			beyond.add(() -> client.zooKeeper().getChildren(scene.root(), false));
			beyond.add(() -> client.zooKeeper().getChildren(scene.directory(), false));
			beyond.add(() -> client.zooKeeper().getData(scene.held(), false, null));
		}
		return beyond;
	}

	@Test
	void directoryOfAKeyThatAStrangerCreatedFirstIsReported() throws Exception {
		HostileStranger stranger = HostileStranger.MAY_CREATE_KEYS;
		for (HostileAttack attack : List.of(HostileAttack.OPEN_DIRECTORY, HostileAttack.PRIVATE_DIRECTORY)) {
			try (HostileScene scene = new HostileScene(server, stranger);
					HostileClient client = stranger.connect(server.connectString())) {
				attack.comeFirst(client, scene);
				assertThat(scene.exposed()).isEmpty();
				assertThat(scene.isBusy()).isEqualTo(attack == HostileAttack.PRIVATE_DIRECTORY);
				await().atMost(HostileScene.PATIENCE).until(() -> !scene.exposed().isEmpty());
				assertThat(scene.exposed()).singleElement().asString().contains("at " + scene.directory());
			}
		}
	}

	@Test
	void permitsOfAStrangerRefuseTheKeyUntilTheyAreGone() throws Exception {
		String key = "permits-" + UUID.randomUUID();
		LockRequest request = LockRequest.of(key).withWait(HostileScene.PATIENCE);
		try (LockClient<ZooKeeperLockProvider> application = HostileStranger.ON_OPEN_NODES
			.application(server.connectString(), "/locks", HostileScene.PATIENCE);
				HostileClient client = HostileStranger.ON_OPEN_NODES.connect(server.connectString())) {
			application.locks().acquire(request).release();
			String node = client.enter("/locks/" + key, "z1-1-p7-", LockMode.EXCLUSIVE);
			assertThatExceptionOfType(LockPermitsException.class).isThrownBy(() -> application.locks().acquire(request))
				.withMessageContaining("in use with 7 permits")
				.withMessageEndingWith("another client of ZooKeeper has created a node with another one");
			client.zooKeeper().delete(node, -1);
			application.locks().acquire(request).release();
		}
	}

	@Test
	void rootThatAStrangerKeepsToItselfRefusesLocksUntilItIsDeleted() throws Exception {
		String root = "/" + UUID.randomUUID();
		LockRequest request = LockRequest.of("a").withWait(HostileScene.PATIENCE);
		try (HostileClient client = HostileStranger.WITHOUT_PERMISSION.connect(server.connectString())) {
			client.zooKeeper().create(root, new byte[0], HostileAttack.HIDDEN, CreateMode.PERSISTENT);
		}
		try (LockClient<ZooKeeperLockProvider> application = HostileStranger.WITHOUT_PERMISSION
			.application(server.connectString(), root, HostileScene.PATIENCE)) {
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> application.locks().acquire(request))
				.withMessageContaining(root);
			await().atMost(HostileScene.PATIENCE)
				.untilAsserted(() -> assertThat(application.locks().status().exposed()).singleElement()
					.asString()
					.contains("at " + root));
			application.curator().delete().forPath(root);
			application.locks().acquire(request).release();
		}
	}

	@Test
	void rootThatBelongsToASessionRefusesLocksUntilItIsGone() throws Exception {
		String root = "/" + UUID.randomUUID();
		LockRequest request = LockRequest.of("a").withWait(HostileScene.PATIENCE);
		try (HostileClient client = HostileStranger.WITHOUT_PERMISSION.connect(server.connectString());
				LockClient<ZooKeeperLockProvider> application = HostileStranger.WITHOUT_PERMISSION
					.application(server.connectString(), root, HostileScene.PATIENCE)) {
			client.zooKeeper().create(root, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> application.locks().acquire(request))
				.withMessageContaining(root);
			await().atMost(HostileScene.PATIENCE)
				.untilAsserted(() -> assertThat(application.locks().status().exposed()).singleElement()
					.asString()
					.contains(root));
			client.close();
			await().atMost(HostileScene.PATIENCE).until(() -> server.owner(root) == 0);
			application.locks().acquire(request).release();
		}
	}

	@Test
	void longNamesInTheRootCutNoConnectionOfALookForRenamedJobs() throws Exception {
		HostileStranger stranger = HostileStranger.MAY_CREATE_KEYS;
		try (HostileScene scene = new HostileScene(server, stranger);
				HostileClient client = stranger.connect(server.connectString())) {
			client.poison(scene.root(), 2, 600_000);
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(scene::renamed)
				.withMessageContaining("several clients may create nodes in " + scene.root());
		}
	}

	@Test
	void longNamesInAnOpenRootCutNoConnectionOfAJobThatHasARecord() throws Exception {
		HostileStranger stranger = HostileStranger.ON_OPEN_NODES;
		try (HostileScene scene = new HostileScene(server, stranger);
				HostileClient client = stranger.connect(server.connectString())) {
			client.plant(scene.root(), scene.job().substring(scene.root().length() + 1));
			client.poison(scene.root(), 2, 600_000);
			assertThat(scene.renamed()).isEmpty();
		}
	}

	// The application looks for its node by the beginning of its name.
	@Test
	void forgedNodeIsNotTakenForOneWhoseCreationWasNeverConfirmed() throws Exception {
		String key = "unconfirmed-" + UUID.randomUUID();
		String directory = "/locks/" + key;
		try (FaultProxy network = new FaultProxy(server);
				LockClient<ZooKeeperLockProvider> application = HostileStranger.ON_OPEN_NODES
					.application(network.connectString(), "/locks", HostileScene.PATIENCE);
				HostileClient client = HostileStranger.ON_OPEN_NODES.connect(server.connectString())) {
			application.locks().acquire(LockRequest.of(key).withWait(HostileScene.PATIENCE)).release();
			Fault reply = network.on(ZooKeeperOperation.CREATE, "lock-").holdReply();
			CompletableFuture<LockHandle> handle = application.locks()
				.acquireAsync(LockRequest.of(key).withWait(HostileScene.PATIENCE));
			reply.awaitFired();
			List<String> forged = new ArrayList<>();
			String own = server.children(directory).get(0);
			for (int i = 10; i < 20; i++) {
				forged.add(own.substring(0, own.length() - 2) + i);
				client.plant(directory, forged.get(i - 10));
			}
			network.killConnections();
			handle.get(HostileScene.PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
			await().atMost(HostileScene.PATIENCE)
				.untilAsserted(() -> assertThat(server.children(directory)).isEqualTo(forged));
		}
	}

}
