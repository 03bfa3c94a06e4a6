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

package io.github.zklock.zookeeper.session;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Fault;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Directories that a process has forgotten are deleted together, but for those in which
 * somebody is or something is left.
 */
@Tag("server")
class ForgottenDirectoriesTests {

	private static final List<String> KEYS = List.of("a", "b", "c");

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@BeforeEach
	void createDirectories() throws Exception {
		for (String key : KEYS) {
			this.scenario.rival().curator().create().creatingParentsIfNeeded().forPath("/locks/" + key);
		}
	}

	@AfterEach
	void deleteDirectories() throws Exception {
		this.scenario.rival().curator().delete().deletingChildrenIfNeeded().forPath("/locks");
	}

	@Test
	void emptyOnesTakeTwoRequests() throws Exception {
		assertThat(this.scenario.network().requests().during("/locks/", () -> {
			forget("a", "b", "c");
			Awaitility.await().until(() -> left().isEmpty());
			return null;
		})).isEqualTo(Map.of(ZooKeeperOperation.MULTI_READ, 1L, ZooKeeperOperation.MULTI, 1L));
	}

	@Test
	void oneInWhichALockIsHeldStaysAndTheOthersGo() {
		LockHandle held = this.scenario.rival().locks().acquire(LockRequest.of("b"));
		forget("a", "b", "c");
		Awaitility.await().until(() -> left().equals(List.of("b")));
		assertThat(server.children("/locks/b")).hasSize(1);
		held.release();
	}

	@Test
	void oneInWhichAJobHasRunGoesToo() {
		LockTick tick = LockTick.at("Jobs.report", Instant.EPOCH);
		this.scenario.rival().locks().acquire(LockRequest.of("b").withTick(tick)).release();
		forget("a", "b", "c");
		Awaitility.await().until(() -> left().isEmpty());
	}

	@Test
	void oneThatIsGoneDoesNotKeepTheOthers() {
		forget("a", "gone", "c");
		Awaitility.await().until(() -> left().equals(List.of("b")));
	}

	// The servers delete only what once had a child.
	@Test
	void oneInWhichThereNeverWasANodeGoesWhenTheNodeIsNotFound() {
		parts().services().janitor().removeByName(parts().tracker().usable(), "/locks/a", "never-created-");
		Awaitility.await().until(() -> left().equals(List.of("b", "c")));
	}

	@Test
	void oneInWhichNoNodeMayBeCreatedGoesAgain() {
		try (LockClient<LockProvider> client = LockClient.connect(server.connectString(), FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).aclProvider(new ClosedDirectories()).build())) {
			assertThatExceptionOfType(LockAccessException.class)
				.isThrownBy(() -> client.locks().acquire(LockRequest.of("closed").withWait(FaultScenario.WAIT)));
			Awaitility.await().until(() -> !server.children("/locks").contains("closed"));
		}
	}

	@Test
	void oneThatACallerHasLeftBeforeItsNodeIsRefusedGoesAgain() throws Exception {
		try (LockClient<LockProvider> client = LockClient.connect(this.scenario.network().connectString(),
				FaultScenario.SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).aclProvider(new ClosedDirectories()).build())) {
			Fault held = this.scenario.network().on(ZooKeeperOperation.CREATE_CONTAINER, "/locks/closed").holdReply();
			CompletableFuture<LockHandle> request = client.locks()
				.acquireAsync(LockRequest.of("closed").withWait(FaultScenario.WAIT));
			held.awaitFired();
			request.cancel(false);
			held.release();
			Awaitility.await().until(() -> !server.children("/locks").contains("closed"));
		}
	}

	private EngineParts parts() {
		return EngineParts.of((ZooKeeperLockProvider) this.scenario.victim().locks());
	}

	private static List<String> left() {
		return server.children("/locks").stream().filter(KEYS::contains).toList();
	}

	private void forget(String... keys) {
		parts().services().directories().removeEmpty(List.of(keys).stream().map((key) -> "/locks/" + key).toList());
	}

	private static final class ClosedDirectories implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.OPEN_ACL_UNSAFE;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return path.equals("/locks/closed") ? Ids.READ_ACL_UNSAFE : getDefaultAcl();
		}

	}

}
