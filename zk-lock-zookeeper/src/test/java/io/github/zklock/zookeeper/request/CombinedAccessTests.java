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

package io.github.zklock.zookeeper.request;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Requests that go out together reach the same paths, with the same permissions, as those
 * that go out alone.
 */
@Tag("server")
class CombinedAccessTests {

	private static final int FORBIDDEN = 10;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String path = "/app-" + UUID.randomUUID();

	private FaultProxy network;

	private LockClient<LockProvider> administrator;

	@BeforeEach
	void connect() throws Exception {
		this.network = new FaultProxy(server);
		this.administrator = LockClient.connect(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		this.administrator.curator().create().forPath(this.path);
	}

	@AfterEach
	void disconnect() {
		this.network.heal();
		this.administrator.close();
		this.network.close();
	}

	@Test
	void pathOfTheConnectStringIsUsed() throws Exception {
		try (LockClient<LockProvider> client = client(this.path,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			CombinerScene scene = new CombinerScene(this.network, client.locks());
			scene.useKeys();
			assertAllAreGranted(scene, this.path + "/locks/");
		}
	}

	@Test
	void namespaceOfTheClientIsUsed() throws Exception {
		try (LockClient<LockProvider> client = client("",
				(curator) -> ZooKeeperLockProvider.builder(curator.usingNamespace(this.path.substring(1))).build())) {
			CombinerScene scene = new CombinerScene(this.network, client.locks());
			scene.useKeys();
			assertAllAreGranted(scene, this.path + "/locks/");
		}
	}

	@Test
	void keyOfSomebodyElseIsRefusedAndNoOther() throws Exception {
		try (LockClient<LockProvider> client = client("", this::withPassword)) {
			CombinerScene scene = new CombinerScene(this.network, client.locks());
			scene.useKeys();
			List<CompletableFuture<LockHandle>> locks = scene.acquireAll();
			forbid(client.curator(), this.path + "/" + scene.key(FORBIDDEN));
			scene.releaseReplies();
			CompletableFuture<LockHandle> refused = locks.remove(FORBIDDEN);
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> refused.get(30, TimeUnit.SECONDS))
				.withCauseInstanceOf(LockAccessException.class);
			assertThat(scene.transactions()).isPositive();
			scene.useAndRelease(locks);
		}
	}

	private void assertAllAreGranted(CombinerScene scene, String locked) throws Exception {
		List<CompletableFuture<LockHandle>> locks = scene.acquireAll();
		scene.releaseReplies();
		for (int i = 0; i < CombinerScene.KEYS; i++) {
			LockHandle handle = scene.granted(locks.get(i));
			List<String> nodes = server.children(locked + scene.key(i));
			assertThat(nodes).hasSize(1);
			assertThat(handle.fencingToken()).isPositive();
		}
		assertThat(scene.transactions()).isPositive();
		scene.useAndRelease(locks);
		for (int i = 0; i < CombinerScene.KEYS; i++) {
			String directory = locked + scene.key(i);
			Awaitility.await().until(() -> server.children(directory).isEmpty());
		}
	}

	private LockProvider withPassword(CuratorFramework curator) {
		try {
			curator.getZookeeperClient()
				.getZooKeeper()
				.addAuthInfo("digest", ("me:" + Secrets.password()).getBytes(StandardCharsets.UTF_8));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return ZooKeeperLockProvider.builder(curator).root(this.path).aclProvider(new CreatorOnly()).build();
	}

	// The replies to this client are kept back.
	private void forbid(CuratorFramework owner, String directory) throws Exception {
		owner.setACL()
			.withACL(List.of(new ACL(Perms.ALL, new Id("digest", "somebody:else")),
					new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)))
			.inBackground()
			.forPath(directory);
		Awaitility.await()
			.until(() -> this.administrator.curator().getACL().forPath(directory).size(), (size) -> size == 2);
	}

	private LockClient<LockProvider> client(String chroot, Function<CuratorFramework, LockProvider> provider) {
		return LockClient.connect(this.network.connectString() + chroot, FaultScenario.SESSION_TIMEOUT, provider);
	}

	private static final class CreatorOnly implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.CREATOR_ALL_ACL;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return Ids.CREATOR_ALL_ACL;
		}

	}

}
