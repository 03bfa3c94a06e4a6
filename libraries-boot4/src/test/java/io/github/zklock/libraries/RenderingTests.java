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

package io.github.zklock.libraries;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A limit for the cluster beside the one of Spring Framework 7 for a node.
 */
@Tag("server")
class RenderingTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void twoCallsRunOnANodeAndThreeInTheCluster() {
		ExecutorService threads = Executors.newCachedThreadPool();
		CountDownLatch done = new CountDownLatch(1);
		try (Node one = start(); Node two = start()) {
			List<CompletableFuture<Void>> calls = new ArrayList<>();
			render(one, 3, done, threads, calls);
			await(one, 2);
			render(two, 2, done, threads, calls);
			await(two, 1);
			// The third call of the first node waits for its node, without a place in the
			// queue.
			Awaitility.await().atMost(Node.PATIENCE).until(() -> server.children("/locks/rendering").size() >= 4);
			assertThat(one.bean(Rendering.class).inside()).isEqualTo(2);
			assertThat(two.bean(Rendering.class).inside()).isEqualTo(1);
			done.countDown();
			assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(Node.PATIENCE));
		}
		finally {
			threads.shutdown();
		}
	}

	private static void render(Node node, int calls, CountDownLatch done, ExecutorService threads,
			List<CompletableFuture<Void>> all) {
		for (int i = 0; i < calls; i++) {
			all.add(CompletableFuture.runAsync(() -> node.bean(Rendering.class).render(done), threads));
		}
	}

	private static void await(Node node, int inside) {
		Awaitility.await().atMost(Node.PATIENCE).until(() -> node.bean(Rendering.class).inside() == inside);
	}

	private static Node start() {
		return Node.start(Application.class, server.connectString(), "jdbc:h2:mem:rendering;DB_CLOSE_DELAY=-1");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableResilientMethods
	@Import(Rendering.class)
	static class Application {

	}

	static class Rendering {

		private final AtomicInteger inside = new AtomicInteger();

		int inside() {
			return this.inside.get();
		}

		@ConcurrencyLimit(2)
		@DistributedLock(key = "rendering", permits = "3", waitTime = "1m")
		void render(CountDownLatch done) {
			this.inside.incrementAndGet();
			try {
				done.await(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			this.inside.decrementAndGet();
		}

	}

}
