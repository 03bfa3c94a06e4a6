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

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.LockObserver;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Nodes of an application with one job in one process, whose schedulers have a clock of
 * the test.
 */
final class JobNodes implements AutoCloseable {

	private final ZooKeeperServerFixture server;

	private final String root = "/" + UUID.randomUUID();

	private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	private final List<LockRequest> givenUp = new CopyOnWriteArrayList<>();

	JobNodes(ZooKeeperServerFixture server) {
		this.server = server;
	}

	String root() {
		return this.root;
	}

	List<ConfigurableApplicationContext> all() {
		return this.nodes;
	}

	<T> T bean(int node, Class<T> type) {
		return this.nodes.get(node).getBean(type);
	}

	/** Return the ticks that were given up, as the metrics see them. */
	List<LockRequest> givenUp() {
		return this.givenUp;
	}

	long sessionOf(int node) throws Exception {
		return bean(node, CuratorFramework.class).getZookeeperClient().getZooKeeper().getSessionId();
	}

	/** Return whether a node runs no task, and none is due. */
	boolean isIdle(int node) {
		ScheduledThreadPoolExecutor threads = bean(node, ThreadPoolTaskScheduler.class)
			.getScheduledThreadPoolExecutor();
		return threads.getQueue().stream().noneMatch((task) -> ((Delayed) task).getDelay(TimeUnit.NANOSECONDS) <= 0)
				&& threads.getActiveCount() == 0;
	}

	/** Start a node, and wait until it is connected. */
	void start(Clock clock, Consumer<GenericApplicationContext> job, String... arguments) {
		ConfigurableApplicationContext node = new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.properties(Map.of("zk-lock.connect-string", this.server.connectString(), "zk-lock.root", this.root,
					"zk-lock.session-timeout", "20s", "zk-lock.try-timeout", "5s", "zk-lock.lease.server-tick", "200ms",
					"spring.main.banner-mode", "off"))
			.initializers((GenericApplicationContext context) -> {
				job.accept(context);
				context.registerBean(GivenUp.class, () -> new GivenUp(this.givenUp));
				context.registerBean("taskScheduler", ThreadPoolTaskScheduler.class, () -> scheduler(clock));
			})
			.run(arguments);
		this.nodes.add(node);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> node.getBean(ZooKeeperLockProvider.class).status().connection() == Connection.CONNECTED);
	}

	private static ThreadPoolTaskScheduler scheduler(Clock clock) {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setPoolSize(2);
		scheduler.setClock(clock);
		return scheduler;
	}

	@Override
	public void close() {
		this.nodes.forEach(ConfigurableApplicationContext::close);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
			ZkLockSchedulingAutoConfiguration.class })
	static class Node {

	}

	record GivenUp(List<LockRequest> ticks) implements LockObserver {

		@Override
		public void givenUp(LockRequest request) {
			this.ticks.add(request);
		}

	}

}
