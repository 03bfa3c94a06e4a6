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

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.tasks.EngineThreads;
import io.github.zklock.zookeeper.tasks.RetryingTasks;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A batch that cannot be sent because there is no memory is answered, and makes room for
 * the next one.
 */
@Tag("server")
class LostBatchTests {

	// More than batches that may be under way.
	private static final int TIMES = 6;

	private static final int TOGETHER = 10;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Queue<Code> codes = new ConcurrentLinkedQueue<>();

	private LockClient<ZooKeeperLockProvider> client;

	private Scarce tasks;

	private RequestCombiner combiner;

	@BeforeEach
	void connect() throws Exception {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		ZooKeeper zooKeeper = this.client.curator().getZookeeperClient().getZooKeeper();
		this.tasks = new Scarce();
		this.combiner = new RequestCombiner(zooKeeper, this.tasks);
	}

	@AfterEach
	void disconnect() {
		this.client.close();
		this.tasks.stop();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void requestsAreAnsweredAndLaterOnesAreSent(int allocation) {
		for (int i = 1; i <= TIMES; i++) {
			this.tasks.fail(allocation);
			for (int k = 0; k < TOGETHER; k++) {
				this.combiner.send(CombinableRequest.removal("/locks", "/locks/none",
						(rc, asked, context) -> this.codes.add(Code.get(rc))));
			}
			int expected = i * TOGETHER;
			Awaitility.await().until(() -> this.codes.size() >= expected);
		}
		assertThat(this.codes).contains(Code.CONNECTIONLOSS, Code.NONODE);
		assertThat(this.codes).last().isEqualTo(Code.NONODE);
	}

	/**
	 * Has no memory for a callback now and then.
	 */
	private static final class Scarce extends RetryingTasks {

		private int left;

		Scarce() {
			super(new EngineThreads((purpose) -> EngineThreads.daemons("lost-batch-" + purpose + "-"),
					EngineThreads.CALLBACK_THREADS));
		}

		synchronized void fail(int allocation) {
			this.left = allocation;
		}

		@Override
		public synchronized Retry retried(Runnable step) {
			if (this.left > 0 && --this.left == 0) {
				throw new OutOfMemoryError("injected");
			}
			return super.retried(step);
		}

	}

}
