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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes of an application, whose jobs are done at once, on a real ZooKeeper server.
 */
@Tag("server")
class OncePerTickTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final Instant START = Instant.parse("2026-10-05T09:59:59.500Z");

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private final String root = "/" + UUID.randomUUID();

	private final TickLog log = new TickLog();

	private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void closeNodes() {
		this.nodes.forEach(ConfigurableApplicationContext::close);
		this.nodes.clear();
		this.threads.shutdownNow();
	}

	@Test
	void eachCronTickRunsOnceOnThreeNodesThatFireTogether() {
		List<ManualTaskScheduler> schedulers = List.of(startAt(START), startAt(START), startAt(START));
		for (int tick = 1; tick <= 50; tick++) {
			together(schedulers.stream().<Runnable>map((node) -> () -> node.advance(Duration.ofSeconds(1))).toList());
			assertThat(this.log.runs()).hasSize(tick);
		}
		assertThat(this.log.runs().values()).containsOnly(1);
	}

	@Test
	void eachCronTickRunsOnceOnThreeNodesWhoseClocksDiffer() {
		List<ManualTaskScheduler> schedulers = List.of(startAt(START), startAt(START.plusMillis(400)),
				startAt(START.minusMillis(400)));
		for (int step = 0; step < 200; step++) {
			schedulers.forEach((node) -> node.advance(Duration.ofMillis(100)));
		}
		assertThat(this.log.runs()).hasSize(20);
		assertThat(this.log.runs().values()).containsOnly(1);
	}

	@Test
	void noCronTickRunsTwiceByTheClockOfTheMachine() {
		IntStream.range(0, 3).forEach((node) -> start(null));
		Awaitility.await().atMost(PATIENCE).until(() -> this.log.runs().size() >= 5);
		// Waits for what still runs.
		closeNodes();
		assertThat(this.log.runs().values()).containsOnly(1);
	}

	@Test
	void noTickRunsTwiceWhenItsNodeIsKilledInTheMiddle() {
		String[] arguments = { "--zk-lock.connect-string=" + server.connectString(), "--zk-lock.session-timeout=4s",
				"--zk-lock.root=" + this.root, "--spring.main.banner-mode=off" };
		List<String> began = new ArrayList<>();
		List<JavaProcess> processes = new ArrayList<>();
		try {
			IntStream.range(0, 2)
				.forEach((node) -> processes.add(JavaProcess.start(TickProcess.class.getName(), List.of(), arguments)));
			processes.forEach((process) -> process.awaitLine("ready"));
			List<JavaProcess> alive = new ArrayList<>(processes);
			while (!alive.isEmpty()) {
				JavaProcess victim = Awaitility.await()
					.atMost(PATIENCE)
					.until(() -> alive.stream()
						.filter((each) -> each.output().contains("hangs"))
						.findFirst()
						.orElse(null), (found) -> found != null);
				victim.close();
				alive.remove(victim);
			}
			processes.forEach((process) -> process.output()
				.stream()
				.filter((line) -> line.startsWith("began "))
				.forEach(began::add));
		}
		finally {
			processes.forEach(JavaProcess::close);
		}
		assertThat(began).hasSize(4).doesNotHaveDuplicates();
	}

	private void together(List<Runnable> tasks) {
		try {
			for (var future : this.threads.invokeAll(tasks.stream().map(Executors::callable).toList())) {
				future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ManualTaskScheduler startAt(Instant time) {
		ManualTaskScheduler scheduler = new ManualTaskScheduler(time);
		start(scheduler);
		return scheduler;
	}

	private void start(TaskScheduler scheduler, String... properties) {
		ConfigurableApplicationContext node = new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.properties(properties)
			.properties(Map.of("zk-lock.connect-string", server.connectString(), "zk-lock.root", this.root,
					"zk-lock.session-timeout", "20s", "zk-lock.try-timeout", "30s", "spring.main.banner-mode", "off"))
			.initializers((GenericApplicationContext context) -> {
				context.registerBean(TickLog.class, () -> this.log);
				if (scheduler != null) {
					context.registerBean("taskScheduler", TaskScheduler.class, () -> scheduler);
				}
			})
			.run();
		this.nodes.add(node);
		// An application does not wait for its connection, and a tick is tried once.
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> node.getBean(ZooKeeperLockProvider.class).status().connection() == Connection.CONNECTED);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
			ZkLockSchedulingAutoConfiguration.class })
	@Import(TickLog.Job.class)
	static class Node {

	}

}
