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
import java.util.UUID;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.Waited;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Paths that are missing or belong to others: a lock works where it can, and otherwise
 * the caller learns at once what is in the way.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class RefusedEntryTests {

	private static final Duration WAIT = Duration.ofMinutes(10);

	private static final int FEW_WRITES = 20;

	private static final int MANY = 50;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String namespace = "app-" + UUID.randomUUID();

	private LockClient<ZooKeeperLockProvider> administrator;

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void connect() {
		this.administrator = connect(server.connectString());
		this.client = LockClient.connect(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator.usingNamespace(this.namespace))
					.tryTimeout(WAIT)
					.build());
	}

	@AfterEach
	void disconnect() throws Exception {
		permit("/", Perms.ALL);
		this.client.close();
		this.administrator.close();
	}

	@Test
	void missingPathOfTheConnectStringIsNamedAndNotAskedForAgainAndAgain() throws Exception {
		try (LockClient<ZooKeeperLockProvider> lost = connect(server.connectString() + "/no-such-path")) {
			Waited.notForever(() -> {
				long before = write();
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> lost.locks().acquire(LockRequest.of("lost").withWait(WAIT)))
					.withMessageContaining("path at the end of the connect string does not exist");
				assertThat(write() - before).isLessThan(FEW_WRITES);
			});
		}
	}

	@Test
	void pathOfTheConnectStringThatExistsIsUsed() throws Exception {
		root().create().forPath("/" + this.namespace);
		try (LockClient<ZooKeeperLockProvider> below = connect(server.connectString() + "/" + this.namespace)) {
			below.locks().acquire(LockRequest.of("key").withWait(WAIT)).release();
			assertThat(server.children("/" + this.namespace + "/locks")).containsExactly("key");
		}
	}

	@Test
	void rootThatExistsIsEnoughWhereNothingMayBeCreatedAboveIt() throws Exception {
		root().create().forPath("/" + this.namespace);
		permit("/", Perms.READ);
		LockHandle handle = this.client.locks().acquire(LockRequest.of("key").withWait(WAIT));
		assertThat(handle.isHeld()).isTrue();
		handle.release();
	}

	@Test
	void missingPermissionToCreateBelowTheRootIsToldAtOnce() throws Exception {
		String locks = "/" + this.namespace + "/locks";
		root().create().creatingParentsIfNeeded().forPath(locks);
		permit(locks, Perms.READ | Perms.DELETE);
		assertRefusedAtOnce(locks);
	}

	@Test
	void missingPermissionToCreateTheRootIsToldAtOnce() throws Exception {
		permit("/", Perms.READ);
		assertRefusedAtOnce("/" + this.namespace + "/locks");
	}

	@Test
	void nodeThatMayNotBeDeletedIsDeletedWhenItMay() throws Exception {
		String directory = "/" + this.namespace + "/locks/key";
		LockHandle handle = this.client.locks().acquire(LockRequest.of("key").withWait(WAIT));
		permit(directory, Perms.CREATE | Perms.READ);
		handle.release();
		Awaitility.await().until(() -> this.client.locks().pendingDeletes() == 1);
		assertThat(server.children(directory)).hasSize(1);
		permit(directory, Perms.ALL);
		Awaitility.await().until(() -> this.client.locks().pendingDeletes() == 0);
		assertThat(server.children(directory)).isEmpty();
		this.client.locks().acquire(LockRequest.of("key").withWait(WAIT)).release();
	}

	@Test
	void nodesDoNotPileUpWhereNoneMayBeDeleted(CapturedOutput output) throws Exception {
		String directory = "/" + this.namespace + "/locks/key";
		LockRequest request = LockRequest.of("key").withWait(Duration.ZERO);
		LockHandle handle = this.client.locks().acquire(request.withWait(WAIT));
		permit(directory, Perms.CREATE | Perms.READ);
		long before = write();
		long start = System.nanoTime();
		handle.release();
		for (int i = 0; i < MANY; i++) {
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> this.client.locks().acquire(request))
				.withMessageContaining("NOAUTH at " + directory)
				.withMessageContaining("permission DELETE on that path")
				.withMessageNotContaining("held by");
		}
		assertThatExceptionOfType(LockAccessException.class)
			.isThrownBy(() -> this.client.locks().acquire(request.withWait(Duration.ofSeconds(5))));
		assertThat(server.children(directory)).hasSize(1);
		assertThat(this.client.locks().pendingDeletes()).isOne();
		long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
		assertThat(write() - before).isLessThan(FEW_WRITES + seconds);
		assertThat(output.toString().lines().filter((line) -> line.contains(" WARN ") && line.contains(directory)))
			.singleElement(InstanceOfAssertFactories.STRING)
			.contains("give it the permission DELETE");
		permit(directory, Perms.ALL);
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> this.client.locks().pendingDeletes() == 0);
		assertThat(server.children(directory)).isEmpty();
		this.client.locks().acquire(request.withWait(WAIT)).release();
	}

	@Test
	void oneDeleteIsTriedAgainForAllThatWereRefused() throws Exception {
		String directory = "/" + this.namespace + "/locks/key";
		LockRequest read = LockRequest.of("key").withMode(LockMode.READ).withWait(WAIT);
		List<LockHandle> readers = new ArrayList<>();
		try (LockClient<ZooKeeperLockProvider> strict = LockClient.connect(server.connectString(),
				FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator.usingNamespace(this.namespace))
					.fairness(Fairness.STRICT)
					.build())) {
			for (int i = 0; i < MANY; i++) {
				readers.add(strict.locks().acquireAsync(read).join());
			}
			permit(directory, Perms.CREATE | Perms.READ);
			readers.forEach((reader) -> reader.releaseAsync());
			Awaitility.await().until(() -> strict.locks().pendingDeletes() == MANY);
			long before = write();
			long start = System.nanoTime();
			assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> strict.locks().acquire(read));
			Awaitility.await().until(() -> write() - before > 3);
			long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
			assertThat(write() - before).isLessThan(FEW_WRITES + 10 * seconds);
			permit(directory, Perms.ALL);
			Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> server.children(directory).isEmpty());
		}
	}

	private void assertRefusedAtOnce(String path) throws Exception {
		Waited.notForever(() -> assertThatExceptionOfType(LockAccessException.class)
			.isThrownBy(() -> this.client.locks().acquire(LockRequest.of("key").withWait(WAIT)))
			.withMessageContaining("NOAUTH at " + path)
			.withMessageContaining("check the permissions CREATE"));
	}

	private void permit(String path, int permissions) throws Exception {
		root().setACL().withACL(List.of(new ACL(permissions | Perms.ADMIN, Ids.ANYONE_ID_UNSAFE))).forPath(path);
	}

	// The server numbers all writes, also those that it refuses.
	private long write() throws Exception {
		return root().setData().forPath("/").getMzxid();
	}

	private CuratorFramework root() {
		return this.administrator.curator();
	}

	private static LockClient<ZooKeeperLockProvider> connect(String connectString) {
		return LockClient.connect(connectString, FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
