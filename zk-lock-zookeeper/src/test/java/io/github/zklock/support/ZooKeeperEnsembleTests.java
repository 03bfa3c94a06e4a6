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

package io.github.zklock.support;

import java.time.Duration;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the faults of an ensemble do to those who do not use locks.
 */
@Tag("server")
class ZooKeeperEnsembleTests {

	@RegisterExtension
	static final ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(3, Duration.ofMillis(500), Duration.ofSeconds(4));

	@Test
	void followerThatIsCutOffServesWhatItKnewAndCatchesUpLater() throws Exception {
		int leader = ensemble.leader();
		int follower = ensemble.another(leader);
		assertThat(ensemble.followers()).hasSize(2).contains(follower).doesNotContain(leader);
		try (CuratorFramework here = connect(follower); CuratorFramework there = connect(leader)) {
			here.create().forPath("/cut", new byte[] { 1 });
			ensemble.cutOffFollower(follower);
			there.setData().forPath("/cut", new byte[] { 2 });
			assertThat(here.getData().forPath("/cut")).containsExactly(1);
			ensemble.heal();
			here.sync().forPath("/cut");
			assertThat(here.getData().forPath("/cut")).containsExactly(2);
		}
	}

	@Test
	void killedLeaderIsReplacedAndComesBackAsAFollower() throws Exception {
		int leader = ensemble.leader();
		try (CuratorFramework client = connect(ensemble.another(leader))) {
			client.create().forPath("/killed", new byte[] { 1 });
			ensemble.server(leader).kill();
			assertThat(ensemble.server(leader).isAlive()).isFalse();
			ensemble.awaitReady();
			assertThat(ensemble.leader()).isNotEqualTo(leader);
			client.setData().forPath("/killed", new byte[] { 2 });
			ensemble.server(leader).start();
			ensemble.awaitReady();
			try (CuratorFramework back = connect(leader)) {
				assertThat(back.getData().forPath("/killed")).containsExactly(2);
			}
		}
	}

	@Test
	void pausedServerSaysNothingUntilItIsResumed() {
		int follower = ensemble.another(ensemble.leader());
		ensemble.server(follower).pause();
		try {
			assertThat(ensemble.server(follower).isAlive()).isTrue();
			assertThat(ensemble.followers()).hasSize(1).doesNotContain(follower);
		}
		finally {
			ensemble.server(follower).resume();
		}
		Awaitility.await().until(() -> ensemble.followers().contains(follower));
	}

	private static CuratorFramework connect(int server) throws Exception {
		CuratorFramework client = CuratorFrameworkFactory.builder()
			.connectString(ensemble.connectString(server))
			.sessionTimeoutMs(20_000)
			.retryPolicy(new RetryOneTime(3000))
			.build();
		client.start();
		client.blockUntilConnected();
		return client;
	}

}
