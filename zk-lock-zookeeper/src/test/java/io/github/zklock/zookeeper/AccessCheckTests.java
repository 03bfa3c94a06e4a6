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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockRequest;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck;
import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck.Denial;
import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck.Reason;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ZooKeeperAccessCheck} and code of the application in it.
 */
@Tag("server")
class AccessCheckTests {

	private static final String ROOT = "/nowhere/locks";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Test
	void checkEndsAlthoughTheAclOfAMissingParentCannotBeFound() {
		ZooKeeperAccessCheck check = new ZooKeeperAccessCheck(this.client.curator(), ROOT, new Failing(), null);
		CompletableFuture<Optional<Denial>> denial = check.findDenial();
		assertThat(denial).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(Optional.empty());
	}

	// It may just end, and servers before 3.7 do not know the question.
	@Test
	void clientThatDoesNotLearnWhoItIsIsNotDenied() {
		try (FaultProxy network = new FaultProxy(server);
				LockClient<ZooKeeperLockProvider> asking = LockClient.connect(network.connectString(),
						Duration.ofSeconds(20), (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			ZooKeeperAccessCheck check = new ZooKeeperAccessCheck(asking.curator(), "/locks", new Open(), "digest");
			assertThat(check.findDenial()).succeedsWithin(Duration.ofSeconds(30))
				.satisfies((denial) -> assertThat(denial.orElseThrow().reason()).isEqualTo(Reason.NOT_AUTHENTICATED));
			Fault unanswered = network.on(ZooKeeperOperation.WHO_AM_I).killBefore();
			assertThat(check.findDenial()).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(Optional.empty());
			assertThat(unanswered.hasFired()).isTrue();
			network.on(ZooKeeperOperation.WHO_AM_I).answer(Code.UNIMPLEMENTED);
			asking.locks().acquire(LockRequest.of("key").withWait(Duration.ofSeconds(30))).release();
			assertThat(check.findDenial()).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(Optional.empty());
		}
	}

	private static class Open implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.OPEN_ACL_UNSAFE;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return Ids.OPEN_ACL_UNSAFE;
		}

	}

	/**
	 * Knows no ACL of the root.
	 */
	private static final class Failing extends Open {

		@Override
		public List<ACL> getAclForPath(String path) {
			if (path.equals(ROOT)) {
				throw new IllegalStateException("There is no ACL of " + path);
			}
			return super.getAclForPath(path);
		}

	}

}
