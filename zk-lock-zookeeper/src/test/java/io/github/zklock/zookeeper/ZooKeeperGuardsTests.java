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
import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Writes to ZooKeeper that are guarded with a lock.
 */
@Tag("server")
class ZooKeeperGuardsTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final LockClient<ZooKeeperLockProvider> earlier = connect();

	private final LockClient<ZooKeeperLockProvider> later = connect();

	@AfterEach
	void close() {
		this.earlier.close();
		this.later.close();
	}

	@Test
	void writeOfALateHolderIsRefused() throws Exception {
		String path = create("/late");
		LockHandle lost = acquire(this.earlier, "late");
		Op guard = ZooKeeperLockProvider.check(lost);
		this.earlier.curator().getZookeeperClient().getZooKeeper().multi(List.of(guard, write(path, "earlier")));
		server.killSession(this.earlier.sessionId());
		LockHandle held = acquire(this.later, "late");
		this.later.curator()
			.getZookeeperClient()
			.getZooKeeper()
			.multi(List.of(ZooKeeperLockProvider.check(held), write(path, "later")));
		ZooKeeper connection = this.later.curator().getZookeeperClient().getZooKeeper();
		assertThatExceptionOfType(KeeperException.NoNodeException.class)
			.isThrownBy(() -> connection.multi(List.of(guard, write(path, "too late"))));
		assertThat(new String(connection.getData(path, false, null), StandardCharsets.UTF_8)).isEqualTo("later");
		held.release();
	}

	@Test
	void nestedLockAndTheLockOfATemplateAreGuards() throws Exception {
		String path = create("/nested");
		new LockTemplate(this.earlier.locks()).execute(LockRequest.of("nested"), (outer) -> {
			LockHandle inner = acquire(this.earlier, "nested");
			this.earlier.curator()
				.getZookeeperClient()
				.getZooKeeper()
				.multi(List.of(ZooKeeperLockProvider.check(outer), ZooKeeperLockProvider.check(inner),
						write(path, "written")));
			inner.release();
			return null;
		});
	}

	@Test
	void lockThatIsReleasedIsNoGuard() {
		LockHandle handle = acquire(this.earlier, "released");
		handle.release();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> ZooKeeperLockProvider.check(handle));
	}

	@Test
	void lockOfAnotherProviderIsNoGuard() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ZooKeeperLockProvider.check(new PlainLockHandle("other", LockMode.EXCLUSIVE, 1)));
	}

	private static LockHandle acquire(LockClient<ZooKeeperLockProvider> client, String key) {
		return client.locks().acquire(LockRequest.of(key).withWait(Duration.ofMinutes(1)));
	}

	private String create(String path) throws Exception {
		return this.later.curator()
			.getZookeeperClient()
			.getZooKeeper()
			.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
	}

	private static Op write(String path, String data) {
		return Op.setData(path, data.getBytes(StandardCharsets.UTF_8), -1);
	}

	private static LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(30),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
