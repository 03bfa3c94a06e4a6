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

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.TickRecord;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What a client of the same servers can do to the locks of others, by its permissions on
 * the directories of keys. The locks judge it: no two hold at once, none is lost, and the
 * key is not stuck.
 */
@Tag("server")
class HostileClientTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String APPLICATION = "app:" + Secrets.password();

	private static final String STRANGER = "stranger:" + Secrets.password();

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String root = "/" + UUID.randomUUID();

	private final String key = "key";

	private final String directory = this.root + "/" + this.key;

	@ParameterizedTest
	@EnumSource(Attack.class)
	void clientThatMayCreateBreaksNoExclusionLosesNoLockAndStopsNoKey(Attack attack) throws Exception {
		Scene scene = new Scene(Perms.CREATE | Perms.READ);
		try (scene; HostileClient stranger = HostileClient.connectAs(server.connectString(), STRANGER)) {
			scene.begin();
			attack.play(stranger, scene);
			scene.lookAgain();
			assertThat(scene.waiting).as("another holder at the same time").isNotDone();
			assertThat(scene.holder.state()).isEqualTo(LockState.HELD);
			scene.holder.release();
			scene.waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
			if (attack.keepsTheKeyBusy()) {
				assertThatExceptionOfType(LockException.class)
					.isThrownBy(() -> scene.one.locks().acquire(request().withWait(Duration.ZERO)));
				scene.removeWhatIsLeft();
			}
			LockTick tick = LockTick.at("Jobs.report", Instant.now());
			scene.one.locks().acquire(request().withTick(tick)).release();
			scene.other.locks().acquire(request().withPermits(3)).release();
		}
	}

	@Test
	void clientThatMayCreateInAKeyMayDoNothingBesideIt() throws Exception {
		Scene scene = new Scene(Perms.CREATE | Perms.READ);
		try (scene; HostileClient stranger = HostileClient.connectAs(server.connectString(), STRANGER)) {
			scene.begin();
			String node = this.directory + "/" + scene.waiter();
			assertRefused(() -> stranger.zooKeeper().delete(node, -1));
			assertRefused(() -> stranger.zooKeeper().setData(node, new byte[0], -1));
			assertRefused(() -> stranger.zooKeeper().setACL(this.directory, Ids.OPEN_ACL_UNSAFE, -1));
			assertRefused(() -> stranger.zooKeeper()
				.create(this.root + "/another", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER));
			scene.end();
		}
	}

	@Test
	void clientThatMayCreateAndDeleteTakesALockFromItsHolderWhoseTokenIsOld() throws Exception {
		Scene scene = new Scene(Perms.CREATE | Perms.READ | Perms.DELETE);
		try (scene; HostileClient stranger = HostileClient.connectAs(server.connectString(), STRANGER)) {
			scene.begin();
			scene.lookAgain();
			stranger.zooKeeper().delete(scene.held, -1);
			LockHandle next = scene.waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			assertThat(next.fencingToken()).isGreaterThan(scene.holder.fencingToken());
			scene.holder.release();
			assertThat(scene.holder.state()).isEqualTo(LockState.LOST);
			next.release();
			scene.one.locks().acquire(request()).release();
		}
	}

	@Test
	void clientWithoutAuthenticationMayDoNothingToTheNodes() throws Exception {
		Scene scene = new Scene(Perms.CREATE | Perms.READ | Perms.DELETE);
		try (scene; HostileClient nobody = HostileClient.connect(server.connectString())) {
			scene.begin();
			assertRefused(() -> nobody.zooKeeper().getChildren(this.root, false));
			assertRefused(() -> nobody.zooKeeper().getChildren(this.directory, false));
			assertRefused(() -> nobody.zooKeeper().getData(scene.held, false, null));
			assertRefused(() -> nobody.zooKeeper().delete(scene.held, -1));
			assertRefused(() -> nobody.plant(this.directory, "z1-1-lock-0000000001"));
			assertRefused(() -> nobody.zooKeeper().setACL(this.root, Ids.OPEN_ACL_UNSAFE, -1));
			scene.end();
		}
	}

	// Only the servers can prevent that, see docs/security.md.
	@Test
	void clientThatKnowsOrGuessesASessionEndsItAndTheLossIsDetected() throws Exception {
		Scene scene = new Scene(0);
		try (scene; HostileClient nobody = HostileClient.connect(server.connectString())) {
			scene.begin();
			long own = nobody.zooKeeper().getSessionId();
			assertThat(scene.one.sessionId()).as("the numbers of sessions follow each other").isBetween(own - 10, own);
			nobody.endSession(scene.one.sessionId());
			await().until(() -> scene.holder.state() == LockState.LOST);
			LockHandle next = scene.waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			assertThat(next.fencingToken()).isGreaterThan(scene.holder.fencingToken());
			next.release();
		}
	}

	private static void assertRefused(ThrowingCallable request) {
		assertThatExceptionOfType(NoAuthException.class).isThrownBy(request);
	}

	private LockRequest request() {
		return LockRequest.of(this.key).withWait(PATIENCE);
	}

	/**
	 * What a stranger plants in the directory of a key that is held and waited for.
	 */
	enum Attack {

		/** Names that begin like those of the waiter (V2). */
		NODES_OF_THE_WAITER {

			@Override
			void play(HostileClient stranger, Scene scene) throws Exception {
				String waiter = HostileClient.contender(scene.waiter());
				stranger.plant(scene.directory(), waiter + "lock-0000000000");
				stranger.plant(scene.directory(), waiter + "lock--000000001");
				stranger.plant(scene.directory(), waiter + "p7-lock-0000000000");
			}

			// When the waiter is gone, these are the nodes of any client.
			@Override
			boolean keepsTheKeyBusy() {
				return true;
			}

		},

		/** Names that no client gives (V4). */
		MALFORMED_NAMES {

			@Override
			void play(HostileClient stranger, Scene scene) throws Exception {
				for (String name : List.of("z0-plock-0000000000", "z0-p__READ__0000000000", "z0-1-lock--1",
						"z0-1-p-5-lock-0000000000", "z0-1-p\uff11-lock-0000000000", "lock-0000000000")) {
					stranger.plant(scene.directory(), name);
				}
			}

		},

		/** A stamp of many years and a record of the year 9999 (V7). */
		IMPOSSIBLE_TIMES {

			@Override
			void play(HostileClient stranger, Scene scene) throws Exception {
				stranger.plant(scene.directory(), "z0-1-1-least-999999999999999999-0");
				Instant end = Instant.ofEpochMilli(HostileClient.YEAR_9999);
				stranger.plant(scene.directory(),
						TickRecord.of(LockTick.at("Jobs.report", end), "0", HostileClient.YEAR_9999).name());
			}

		},

		/** Data of a megabyte, in the name of nobody (V8). */
		LONG_DATA {

			@Override
			void play(HostileClient stranger, Scene scene) throws Exception {
				byte[] data = ("application=" + "x\n".repeat(400_000)).getBytes(StandardCharsets.UTF_8);
				stranger.plant(scene.directory(), "long-data", data);
				String path = stranger.enter(scene.directory(), "z1-1-", LockMode.EXCLUSIVE);
				stranger.zooKeeper().setData(path, data, -1);
				assertThat(scene.one.locks().inspector().queue("key", PATIENCE).contenders()).hasSizeGreaterThan(2);
				stranger.zooKeeper().close();
			}

		};

		abstract void play(HostileClient stranger, Scene scene) throws Exception;

		boolean keepsTheKeyBusy() {
			return false;
		}

	}

	/**
	 * A key that one client holds and another waits for, with a reader between them.
	 */
	private final class Scene implements AutoCloseable {

		private final LockClient<ZooKeeperLockProvider> one;

		private final LockClient<ZooKeeperLockProvider> other;

		private LockHandle holder;

		private String held;

		private CompletableFuture<LockHandle> between;

		private CompletableFuture<LockHandle> waiting;

		Scene(int permissions) throws Exception {
			ACLProvider acls = new Shared(HostileClientTests.this.root, permissions);
			this.one = client(acls);
			this.other = client(acls);
		}

		private LockClient<ZooKeeperLockProvider> client(ACLProvider acls) {
			return LockClient.connect(server.connectString(), PATIENCE, (curator) -> {
				authenticate(curator);
				return ZooKeeperLockProvider.builder(curator)
					.root(HostileClientTests.this.root)
					.aclProvider(acls)
					.build();
			});
		}

		private static void authenticate(CuratorFramework curator) {
			try {
				curator.getZookeeperClient()
					.getZooKeeper()
					.addAuthInfo("digest", APPLICATION.getBytes(StandardCharsets.UTF_8));
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		void begin() {
			this.holder = this.one.locks().acquire(request());
			this.held = directory() + "/" + server.children(directory()).get(0);
			this.between = this.one.locks().acquireAsync(request().withMode(LockMode.READ));
			await().until(() -> server.children(directory()).size() == 2);
			this.waiting = this.other.locks().acquireAsync(request());
			await().until(() -> server.children(directory()).size() == 3);
		}

		String directory() {
			return HostileClientTests.this.directory;
		}

		String waiter() {
			return server.children(directory())
				.stream()
				.filter((name) -> server.owner(directory() + "/" + name) == this.other.sessionId())
				.findFirst()
				.orElseThrow();
		}

		// The waiter lists the queue again, with what the stranger has planted.
		void lookAgain() {
			this.between.cancel(true);
			await().until(() -> server.watchedBy(this.other.sessionId()).contains(this.held));
		}

		void removeWhatIsLeft() throws Exception {
			for (String node : server.children(directory())) {
				// A request that has been refused may still delete its own.
				this.one.curator().delete().quietly().forPath(directory() + "/" + node);
			}
		}

		void end() throws Exception {
			assertThat(this.holder.state()).isEqualTo(LockState.HELD);
			this.between.cancel(true);
			this.holder.release();
			this.waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
		}

		@Override
		public void close() {
			this.one.close();
			this.other.close();
		}

	}

	/**
	 * All permissions for the application, and some for the stranger in what is below the
	 * root.
	 */
	private static final class Shared implements ACLProvider {

		private final String root;

		private final List<ACL> above;

		private final List<ACL> below;

		Shared(String root, int permissions) throws Exception {
			ACL all = new ACL(Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest(APPLICATION)));
			Id stranger = new Id("digest", DigestAuthenticationProvider.generateDigest(STRANGER));
			this.root = root;
			this.above = List.of(all, new ACL(Perms.READ, stranger));
			this.below = (permissions != 0) ? List.of(all, new ACL(permissions, stranger)) : List.of(all);
		}

		@Override
		public List<ACL> getDefaultAcl() {
			return this.above;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return path.equals(this.root) ? this.above : this.below;
		}

	}

}
