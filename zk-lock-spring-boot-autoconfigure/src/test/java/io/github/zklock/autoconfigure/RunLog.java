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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.github.zklock.core.LockTick;
import org.awaitility.Awaitility;

/**
 * The runs of a job on all nodes. The first attempts may not come to their end.
 */
final class RunLog {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final List<Run> runs = new CopyOnWriteArrayList<>();

	private CountDownLatch first = new CountDownLatch(0);

	void block() {
		this.first = new CountDownLatch(1);
	}

	void goOn() {
		this.first.countDown();
	}

	void run(int node) throws InterruptedException {
		LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
		this.runs.add(new Run(node, tick, Instant.now()));
		if (tick.attempt() == 1) {
			this.first.await();
		}
	}

	Run await(int count) {
		Awaitility.await().atMost(PATIENCE).until(() -> this.runs.size() >= count);
		return this.runs.get(count - 1);
	}

	int size() {
		return this.runs.size();
	}

	record Run(int node, LockTick tick, Instant began) {

	}

}
