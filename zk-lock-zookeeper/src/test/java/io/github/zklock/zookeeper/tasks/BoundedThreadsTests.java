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

package io.github.zklock.zookeeper.tasks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BoundedThreads}.
 */
class BoundedThreadsTests {

	private static final int MOST = 4;

	private static final int MANY = 10_000;

	private final ThreadFactory daemons = EngineThreads.daemons("bounded-");

	private final AtomicInteger started = new AtomicInteger();

	private final BoundedThreads threads = new BoundedThreads(MOST, (task) -> {
		this.started.incrementAndGet();
		return this.daemons.newThread(task);
	});

	private final CountDownLatch gate = new CountDownLatch(1);

	@AfterEach
	void open() {
		this.gate.countDown();
		this.threads.unbind();
	}

	@Test
	void muchWorkAtOnceIsDoneByAFewThreads() throws Exception {
		CountDownLatch done = new CountDownLatch(MANY);
		for (int i = 0; i < MANY; i++) {
			this.threads.execute(() -> {
				waitForTheGate();
				done.countDown();
			});
		}
		assertThat(this.started).hasValue(MOST);
		this.gate.countDown();
		await(done);
		assertThat(this.started).hasValue(MOST);
	}

	@Test
	void workThatWaitsForOtherWorkBehindItEnds() throws Exception {
		CountDownLatch done = new CountDownLatch(MOST);
		for (int i = 0; i < MOST; i++) {
			this.threads.execute(() -> {
				waitForTheGate();
				done.countDown();
			});
		}
		this.threads.execute(this.gate::countDown);
		this.threads.growIfStuck();
		assertThat(this.gate.getCount()).isOne();
		this.threads.growIfStuck();
		await(done);
		assertThat(this.started).hasValue(MOST + 1);
	}

	@Test
	void boundHoldsAgainOnceNoWorkWaits() throws Exception {
		workThatWaitsForOtherWorkBehindItEnds();
		this.threads.growIfStuck();
		CountDownLatch again = new CountDownLatch(1);
		CountDownLatch running = new CountDownLatch(MOST);
		CountDownLatch behind = new CountDownLatch(1);
		for (int i = 0; i < MOST; i++) {
			this.threads.execute(() -> {
				running.countDown();
				waitFor(again);
			});
		}
		await(running);
		this.threads.execute(behind::countDown);
		assertThat(behind.getCount()).isOne();
		again.countDown();
		await(behind);
	}

	@Test
	void nothingWaitsForAThreadAfterTheEnd() throws Exception {
		CountDownLatch done = new CountDownLatch(2);
		for (int i = 0; i < MOST; i++) {
			this.threads.execute(this::waitForTheGate);
		}
		this.threads.execute(done::countDown);
		this.threads.unbind();
		this.threads.execute(done::countDown);
		await(done);
	}

	private void waitForTheGate() {
		waitFor(this.gate);
	}

	private static void waitFor(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void await(CountDownLatch latch) throws InterruptedException {
		assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
	}

}
