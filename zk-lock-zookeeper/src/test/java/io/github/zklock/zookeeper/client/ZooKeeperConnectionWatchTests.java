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

package io.github.zklock.zookeeper.client;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ZooKeeperConnectionWatch} and the threads on which it asks the
 * application for an ACL.
 */
@Tag("server")
class ZooKeeperConnectionWatchTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final CuratorFramework client = CuratorFrameworkFactory.newClient(server.connectString(),
			new RetryOneTime(50));

	private final Acls acls = new Acls();

	private final CompletableFuture<String> available = new CompletableFuture<>();

	// The ancestors of the root are missing, so the ACL is asked for in several rounds.
	private final ZooKeeperConnectionWatch watch = new ZooKeeperConnectionWatch(this.client,
			new ZooKeeperAccessCheck(this.client, "/of/the/watch", this.acls, null),
			(servers) -> this.available.complete(Thread.currentThread().getName()), () -> null);

	@AfterEach
	void close() {
		this.acls.end.countDown();
		this.watch.stop();
		this.client.close();
	}

	@Test
	void aclProviderThatBlocksKeepsNoListenerOfTheConnectionWaiting() throws Exception {
		this.acls.blocks = true;
		CountDownLatch lost = new CountDownLatch(1);
		this.client.getConnectionStateListenable().addListener((curator, state) -> {
			if (state == ConnectionState.LOST) {
				lost.countDown();
			}
		});
		this.watch.warnWithoutConnection(WAIT);
		this.watch.tellWhenAvailable("/of/the/watch", "", null);
		this.client.start();
		assertThat(this.acls.asked.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		this.client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
		assertThat(lost.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.available).isNotDone();
		this.acls.end.countDown();
		assertThat(this.available).succeedsWithin(WAIT).isEqualTo("zk-lock-access-check");
		assertItsOwnThreadThatEnds();
	}

	@Test
	void clientThatIsConnectedAlreadyIsCheckedOnTheSameThread() throws Exception {
		connect();
		this.watch.warnWithoutConnection(WAIT);
		this.watch.tellWhenAvailable("/of/the/watch", "", null);
		assertThat(this.available).succeedsWithin(WAIT);
		assertItsOwnThreadThatEnds();
	}

	@Test
	void startThatRequiresAConnectionAsksOnThisThreadToo() throws Exception {
		connect();
		this.watch.requireConnection(WAIT);
		assertItsOwnThreadThatEnds();
	}

	@Test
	void startThatRequiresAConnectionWaitsForNoAclProviderAfterItsTimeout() throws Exception {
		this.acls.blocks = true;
		connect();
		CompletableFuture<Void> start = new CompletableFuture<>();
		DaemonThreads.start("start", () -> {
			try {
				this.watch.requireConnection(Duration.ofSeconds(1));
				start.complete(null);
			}
			catch (Exception ex) {
				start.completeExceptionally(ex);
			}
		});
		assertThat(start).succeedsWithin(WAIT);
		assertThat(this.acls.end.getCount()).isOne();
	}

	private void connect() throws InterruptedException {
		this.client.start();
		assertThat(this.client.blockUntilConnected((int) WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	private void assertItsOwnThreadThatEnds() {
		assertThat(this.acls.threads).isNotEmpty()
			.allSatisfy((thread) -> assertThat(thread.getName()).isEqualTo("zk-lock-access-check"))
			.allMatch(Thread::isDaemon);
		Awaitility.await().until(() -> this.acls.threads.stream().noneMatch(Thread::isAlive));
	}

	/**
	 * Notes on which threads it is asked, and may block them.
	 */
	private static final class Acls implements ACLProvider {

		private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

		private final CountDownLatch asked = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		private volatile boolean blocks;

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.OPEN_ACL_UNSAFE;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			this.threads.add(Thread.currentThread());
			this.asked.countDown();
			if (this.blocks) {
				try {
					this.end.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
			return getDefaultAcl();
		}

	}

}
