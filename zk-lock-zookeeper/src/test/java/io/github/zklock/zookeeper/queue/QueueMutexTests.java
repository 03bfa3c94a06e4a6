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
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.support.DelegatingTasks;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.tasks.EngineThreads;
import io.github.zklock.zookeeper.tasks.RetryingTasks;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is done after a step that needs the lock of a queue is done without that lock.
 */
@Tag("server")
class QueueMutexTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final List<String> order = new CopyOnWriteArrayList<>();

	private LockClient<ZooKeeperLockProvider> client;

	private QueueMutex lock;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(10),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		this.lock = new QueueMutex(EngineParts.of(this.client.locks()).tasks(),
				(failure) -> this.order.add(String.valueOf(failure.getMessage())));
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
		});
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
	void stepThatFailsWakesUpAllTheSame() {
		this.lock.run(() -> {
			this.lock.afterwards(this::wakeUpSomebodyWhoTakesTheLock);
			throw new IllegalStateException("the step has failed");
		});
		assertThat(this.order).contains("taken");
	}

	@Test
	void failureIsToldBeforeTheNextStep() {
		this.lock.run(() -> {
			throw new StackOverflowError("the step has failed");
		});
		this.lock.run(() -> this.order.add("next step"));
		assertThat(this.order).containsExactly("the step has failed", "next step");
	}

	@Test
	void failureThatComesWhileAnEarlierOneIsToldIsToldAsWell() {
		AtomicReference<QueueMutex> mutex = new AtomicReference<>();
		mutex.set(new QueueMutex(EngineParts.of(this.client.locks()).tasks(), (failure) -> {
			if (this.order.isEmpty()) {
				mutex.get().failed(new IllegalStateException("second"));
			}
			this.order.add(String.valueOf(failure.getMessage()));
		}));
		mutex.get().failed(new IllegalStateException("first"));
		Awaitility.await().untilAsserted(() -> assertThat(this.order).containsExactly("first", "second"));
	}

	@Test
	void failureIsToldThoughNoStepFollows() {
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> this.lock.get(() -> {
			throw new OutOfMemoryError("the step has failed");
		}));
		Awaitility.await().untilAsserted(() -> assertThat(this.order).containsExactly("the step has failed"));
	}

	@Test
	void failureOfAReplyGoesToItsSender() {
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> onAReplyThread().reply(() -> {
			throw new OutOfMemoryError("the step has failed");
		}));
	}

	@Test
	void replyThatIsNotTakenSinceAReportFailsGoesToItsSender() {
		QueueMutex failing = onAReplyThread();
		failing.failed(new IllegalStateException("an earlier step has failed"));
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> failing.reply(() -> this.order.add("taken")));
		assertThat(this.order).isEmpty();
	}

	@Test
	void wakeUpThatFailsIsRepeated() {
		this.lock.run(() -> this.lock.afterwards(() -> {
			this.order.add("woken up");
			if (this.order.size() == 1) {
				throw new OutOfMemoryError("injected");
			}
		}));
		Awaitility.await().untilAsserted(() -> assertThat(this.order).containsExactly("woken up", "woken up"));
	}

	@Test
	void replyInsideOfAStepOfAnotherQueueIsTakenByAnotherThread() throws Exception {
		QueueMutex other = new QueueMutex(EngineParts.of(this.client.locks()).tasks(),
				(failure) -> this.order.add(String.valueOf(failure.getMessage())));
		CompletableFuture<Thread> eventThread = new CompletableFuture<>();
		CompletableFuture<Thread> taker = new CompletableFuture<>();
		onTheEventThread(() -> this.lock.run(() -> {
			eventThread.complete(Thread.currentThread());
			other.reply(() -> taker.complete(Thread.currentThread()));
		}));
		assertThat(taker.get(30, TimeUnit.SECONDS)).isNotSameAs(eventThread.get(30, TimeUnit.SECONDS));
		assertThat(this.order).isEmpty();
	}

	@Test
	void noThreadTakesTheLocksOfTwoQueues() {
		QueueMutex other = new QueueMutex(EngineParts.of(this.client.locks()).tasks(), (failure) -> {
		});
		this.lock.run(() -> {
			this.order.add("outer step");
			other.run(() -> this.order.add("inner step"));
		});
		this.lock.run(() -> {
		});
		assertThat(this.order).containsExactly("outer step", "A thread must not hold the locks of two queues");
	}

	// Every thread is one for replies, and each report of a failure fails.
	private static QueueMutex onAReplyThread() {
		Tasks tasks = new DelegatingTasks(new EngineThreads((purpose) -> EngineThreads.daemons(purpose + "-"), 1)) {

			@Override
			public boolean isReplyThread() {
				return true;
			}

		};
		return new QueueMutex(new RetryingTasks(tasks), (failure) -> {
			throw new OutOfMemoryError("the report has failed");
		});
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
