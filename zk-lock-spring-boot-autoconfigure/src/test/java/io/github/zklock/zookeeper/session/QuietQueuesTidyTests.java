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

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.zklock.support.IndependentOfBoot;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.request.WatchRemovals;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A key that is used again in the moment in which its watch is given back.
 */
@IndependentOfBoot
class QuietQueuesTidyTests {

	private static final String DIRECTORY = "/quiet";

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private Thread user;

	@Test
	void queueThatBeginsAgainMeanwhileIsToldThatItsWatchIsGone() throws Exception {
		try (Client client = new Client()) {
			Awaitility.await().atMost(WAIT).until(() -> client.getState() == States.CONNECTED);
			client.create(DIRECTORY, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
			QuietQueues queues = new QuietQueues(client, new WatchRemovals(client), System::nanoTime);
			use(queues);
			this.user = new Thread(() -> use(queues));
			queues.tidy(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
			this.user.join(WAIT.toMillis());
			client.delete(DIRECTORY, -1);
			// Its answer comes after the event.
			client.exists("/", false);
			Awaitility.await().atMost(WAIT).untilAsserted(() -> assertThat(known(queues)).isEmpty());
		}
	}

	private void use(QuietQueues queues) {
		queues.departed(new LockNode(null, DIRECTORY, "z1-1-", DIRECTORY + "/z1-1--lock-0000000001", 1, 0, false),
				true);
	}

	private static Map<?, ?> known(QuietQueues queues) {
		return (Map<?, ?>) ReflectionTestUtils.getField(queues, "queues");
	}

	/**
	 * A client of which somebody else uses the key before the watch is given back, unless
	 * that has to wait.
	 */
	private final class Client extends ZooKeeper {

		Client() throws IOException {
			super(server.connectString(), 10_000, (event) -> {
			});
		}

		@Override
		public void removeAllWatches(String path, WatcherType type, boolean local, VoidCallback callback,
				Object context) {
			Thread user = QuietQueuesTidyTests.this.user;
			if (user.getState() == Thread.State.NEW) {
				user.start();
				Awaitility.await()
					.atMost(WAIT)
					.until(() -> user.getState() == Thread.State.TERMINATED || user.getState() == Thread.State.WAITING);
			}
			super.removeAllWatches(path, type, local, callback, context);
		}

	}

}
