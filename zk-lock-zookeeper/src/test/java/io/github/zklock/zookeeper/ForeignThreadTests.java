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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockRequest;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Threads that are not ours. When the session ends between two requests of one step, the
 * client answers the first one on its network thread, under the lock that the second one
 * needs.
 */
@Tag("server")
class ForeignThreadTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicReference<Fault> armed = new AtomicReference<>();

	@Test
	void replyUnderALockOfTheClientDoesNotDeadlock() throws Exception {
		FaultProxy network = new FaultProxy(server);
		CuratorFramework curator = CuratorFrameworkFactory.builder()
			.connectString(network.connectString())
			.sessionTimeoutMs((int) FaultScenario.SESSION_TIMEOUT.toMillis())
			.retryPolicy(new RetryForever(200))
			.zookeeperFactory(new EndingFactory())
			.build();
		curator.start();
		ZooKeeperLockProvider locks = ZooKeeperLockProvider.builder(curator).build();
		LockRequest request = LockRequest.of("foreign").withWait(Duration.ofSeconds(30));
		locks.acquire(request).release();
		Fault held = network.on(ZooKeeperOperation.CREATE, "/locks/foreign").holdReply();
		this.armed.set(held);
		CompletableFuture<Void> use = new CompletableFuture<>();
		Thread user = new Thread(() -> {
			try {
				locks.acquire(request).release();
				use.complete(null);
			}
			catch (RuntimeException ex) {
				use.completeExceptionally(ex);
			}
		}, "user");
		user.setDaemon(true);
		user.start();
		// Nothing is closed after a failure: that would hang as well.
		use.get(60, TimeUnit.SECONDS);
		held.release();
		locks.close();
		curator.close();
		network.close();
	}

	@Test
	void eventThreadOfTheClientMustNotWaitForALock() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			CompletableFuture<Throwable> refusal = new CompletableFuture<>();
			client.curator()
				.checkExists()
				.inBackground((curator, event) -> refusal
					.complete(catchThrowable(() -> client.locks().acquire(LockRequest.of("event")))))
				.forPath("/");
			assertThat(refusal.get(30, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class)
				.hasMessageContaining("must not be acquired on ZooKeeper's event thread");
		}
	}

	private final class EndingFactory implements ZookeeperFactory {

		@Override
		public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean readOnly)
				throws Exception {
			return new ZooKeeper(connectString, sessionTimeout, watcher, readOnly) {

				@Override
				public void getChildren(String path, boolean watch, AsyncCallback.ChildrenCallback callback,
						Object context) {
					Fault held = ForeignThreadTests.this.armed.getAndSet(null);
					if (held != null) {
						held.awaitFired();
						getTestable().injectSessionExpiration();
						// The network thread answers now what is not answered yet.
						new CompletableFuture<Void>().completeOnTimeout(null, 500, TimeUnit.MILLISECONDS).join();
					}
					super.getChildren(path, watch, callback, context);
				}

			};
		}

		@Override
		public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean readOnly,
				ZKClientConfig config) throws Exception {
			return newZooKeeper(connectString, sessionTimeout, watcher, readOnly);
		}

	}

}
