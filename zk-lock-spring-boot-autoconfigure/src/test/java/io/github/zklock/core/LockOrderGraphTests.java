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

package io.github.zklock.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockOrderGraph}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockOrderGraphTests {

	private static final int THREADS = 4;

	private final LockOrderGraph graph = new LockOrderGraph();

	@Test
	void asksForThePlaceOnlyOnce() {
		AtomicInteger asked = new AtomicInteger();
		for (int i = 0; i < 3; i++) {
			this.graph.add("a", "b", () -> "place " + asked.incrementAndGet());
		}
		assertThat(asked).hasValue(1);
		assertThat(this.graph.knows("a", "b")).isTrue();
		assertThat(this.graph.knows("b", "a")).isFalse();
	}

	@Test
	void warnsOfEachCircleOnce(CapturedOutput output) {
		for (int i = 0; i < 3; i++) {
			this.graph.add("a", "b", () -> "b in a");
			this.graph.add("b", "a", () -> "a in b");
			this.graph.add("b", "c", () -> "c in b");
			this.graph.add("c", "b", () -> "b in c");
		}
		assertThat(output).containsOnlyOnce("b in a; but a in b.").containsOnlyOnce("c in b; but b in c.");
		assertThat(warnings(output)).isEqualTo(2);
	}

	@Test
	void nameInsideItselfIsNoCircle(CapturedOutput output) {
		this.graph.add("a", "a", () -> "a in a");
		this.graph.add("a", "b", () -> "b in a");
		this.graph.add("b", "b", () -> "b in b");
		assertThat(warnings(output)).isZero();
	}

	@Test
	void stopsAtItsBoundAndSaysSoOnce(CapturedOutput output) throws Exception {
		for (int i = 0; i < LockOrderGraph.MAX_STEPS - 1; i++) {
			this.graph.add("a", "b" + i, () -> "place");
		}
		assertThat(output).doesNotContain("no longer watched");
		assertThat(this.graph.knows("a", "other")).isFalse();
		concurrently((thread) -> {
			for (int i = 0; i < 100; i++) {
				this.graph.add("thread" + thread, "b" + i, () -> "place");
			}
		});
		assertThat(output).containsOnlyOnce("no longer watched");
		assertThat(this.graph.knows("a", "other")).isTrue();
		this.graph.add("b1", "a", () -> {
			throw new IllegalStateException("Not to be remembered");
		});
		assertThat(warnings(output)).isZero();
	}

	@Test
	void seesEachCircleThatThreadsCloseAtTheSameMoment(CapturedOutput output) throws Exception {
		int circles = 200;
		CyclicBarrier together = new CyclicBarrier(THREADS);
		concurrently((thread) -> {
			for (int i = 0; i < circles; i++) {
				String name = "a" + i;
				String other = "b" + i;
				together.await(1, TimeUnit.MINUTES);
				this.graph.add((thread % 2 == 0) ? name : other, (thread % 2 == 0) ? other : name, () -> "place");
			}
		});
		assertThat(warnings(output)).isEqualTo(circles);
	}

	private static long warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("different orders")).count();
	}

	private static void concurrently(Task task) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		List<Future<?>> running = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int thread = i;
			running.add(threads.submit(() -> {
				task.run(thread);
				return null;
			}));
		}
		threads.shutdown();
		for (Future<?> each : running) {
			each.get(2, TimeUnit.MINUTES);
		}
	}

	private interface Task {

		void run(int thread) throws Exception;

	}

}
