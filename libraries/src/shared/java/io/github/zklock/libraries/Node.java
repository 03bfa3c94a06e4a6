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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that is connected, as one of several nodes.
 */
final class Node implements AutoCloseable {

	static final Duration PATIENCE = Duration.ofMinutes(1);

	private final ConfigurableApplicationContext context;

	private Node(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Start a node, and wait until it is connected.
	 * @param application its configuration
	 * @param connectString where the server is
	 * @param url the address of the database
	 * @param more further properties
	 */
	static Node start(Class<?> application, String connectString, String url, String... more) {
		List<String> properties = new ArrayList<>(List.of("zk-lock.connect-string=" + connectString,
				"zk-lock.session-timeout=30s", "zk-lock.lease.server-tick=200ms", "zk-lock.try-timeout=30s",
				"zk-lock.fencing.initialize-schema=always", "spring.datasource.url=" + url,
				"spring.datasource.username=sa", "spring.sql.init.mode=always",
				"spring.sql.init.schema-locations=classpath:shop.sql,classpath:org/springframework/batch/core/schema-h2.sql",
				// Of several nodes only the first one makes the tables.
				"spring.sql.init.continue-on-error=true", "spring.batch.jdbc.initialize-schema=never",
				"spring.batch.job.enabled=false", "spring.liquibase.enabled=false",
				"spring.modulith.events.jdbc.schema-initialization.enabled=true"));
		properties.addAll(List.of(more));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties(properties.toArray(String[]::new))
			.run();
		Node node = new Node(context);
		node.awaitConnection();
		return node;
	}

	void awaitConnection() {
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> bean(ZooKeeperLockProvider.class).status().connection() == Connection.CONNECTED);
	}

	ApplicationEventPublisher publisher() {
		return this.context;
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	long session() throws Exception {
		return bean(CuratorFramework.class).getZookeeperClient().getZooKeeper().getSessionId();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Return what calls a job on the thread of a scheduler.
	 * @param job the job
	 */
	static Runnable task(Job job) {
		return () -> {
			try {
				job.run();
			}
			catch (RuntimeException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		};
	}

	@FunctionalInterface
	interface Job {

		void run() throws Exception;

	}

}
