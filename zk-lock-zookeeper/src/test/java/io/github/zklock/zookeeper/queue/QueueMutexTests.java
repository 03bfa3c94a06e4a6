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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.github.zklock.support.DelegatingTasks;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.EngineThreads;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is done after a step that needs the lock of a queue is done without that lock.
 */
@Tag("server")
class QueueMutexTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final List<String> order = new CopyOnWriteArrayList<>();

	private LockClient<ZooKeeperLockProvider> client;

	private EngineTasks tasks;

	private QueueMutex lock;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(10),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		this.tasks = EngineParts.of(this.client.locks()).tasks();
		this.lock = new QueueMutex(this.tasks);
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Test
	void whoIsWokenUpGetsTheLockAtOnce() {
		this.lock.run(() -> this.lock.afterwards(this::wakeUpSomebodyWhoTakesTheLock));
		assertThat(this.order).containsExactly("taken");
	}

	@Test
	void whoIsWokenUpByAResultGetsTheLockAtOnce() {
		String result = this.lock.get(() -> {
			this.lock.afterwards(this::wakeUpSomebodyWhoTakesTheLock);
			return "result";
		}, "none");
		assertThat(result).isEqualTo("result");
		assertThat(this.order).containsExactly("taken");
	}

	@Test
	void wakeUpOfAnInnerStepWaitsForTheOutermost() {
		this.lock.run(() -> {
			this.lock.run(() -> this.lock.afterwards(this::wakeUpSomebodyWhoTakesTheLock));
			this.order.add("outer step");
		});
		assertThat(this.order).containsExactly("outer step", "taken");
	}

	@Test
	void noStepBeginsAfterOneThatHasFailed() {
		this.lock.run(() -> {
			this.lock.afterwards(this::wakeUpSomebodyWhoTakesTheLock);
			throw new StackOverflowError("the step has failed");
		});
		this.lock.run(() -> this.order.add("next step"));
		assertThat(this.lock.get(() -> "taken", "broken")).isEqualTo("broken");
		assertThat(this.order).isEmpty();
		assertThat(this.lock.isBroken()).isTrue();
	}

	@Test
	void failureOfAnInnerStepEndsTheOuterOne() {
		this.lock.run(() -> {
			this.lock.run(() -> {
				throw new OutOfMemoryError("the step has failed");
			});
			this.order.add("outer step");
		});
		assertThat(this.order).isEmpty();
		assertThat(this.lock.isBroken()).isTrue();
	}

	@Test
	void replyThatFailsEndsTheGeneration() {
		Tasks tasks = new DelegatingTasks(new EngineThreads((purpose) -> EngineThreads.daemons(purpose + "-"), 1)) {

			@Override
			public boolean isReplyThread() {
				throw new OutOfMemoryError("the reply has failed");
			}

		};
		QueueMutex failing = new QueueMutex(new EngineTasks(tasks));
		failing.runReply(() -> this.order.add("taken"));
		assertThat(this.order).isEmpty();
		assertThat(failing.isBroken()).isTrue();
		tasks.stop();
	}

	@Test
	void wakeUpThatFailsEndsTheGeneration() {
		this.lock.run(() -> this.lock.afterwards(() -> {
			throw new OutOfMemoryError("injected");
		}));
		assertThat(this.lock.isBroken()).isTrue();
	}

	@Test
	void replyInsideOfAStepOfAnotherQueueIsTakenByAnotherThread() throws Exception {
		QueueMutex other = new QueueMutex(this.tasks);
		CompletableFuture<Thread> eventThread = new CompletableFuture<>();
		CompletableFuture<Thread> taker = new CompletableFuture<>();
		onTheEventThread(() -> this.lock.run(() -> {
			eventThread.complete(Thread.currentThread());
			other.runReply(() -> taker.complete(Thread.currentThread()));
		}));
		assertThat(taker.get(30, TimeUnit.SECONDS)).isNotSameAs(eventThread.get(30, TimeUnit.SECONDS));
		assertThat(this.order).isEmpty();
	}

	@Test
	void noThreadTakesTheLocksOfTwoQueues() {
		QueueMutex other = new QueueMutex(this.tasks);
		this.lock.run(() -> {
			this.order.add("outer step");
			other.run(() -> this.order.add("inner step"));
		});
		assertThat(this.order).containsExactly("outer step");
		assertThat(this.lock.isBroken()).isTrue();
	}

	private void onTheEventThread(Runnable step) throws Exception {
		this.client.curator()
			.getZookeeperClient()
			.getZooKeeper()
			.exists("/", false, (rc, path, context, stat) -> step.run(), null);
	}

	private void wakeUpSomebodyWhoTakesTheLock() {
		CompletableFuture.runAsync(() -> this.lock.run(() -> this.order.add("taken")))
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
	}

}
