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

package io.github.zklock.sample;

import java.io.IOException;
import java.util.function.Function;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.sample.console.ConsoleNode;
import io.github.zklock.sample.node.NodePause;
import io.github.zklock.sample.node.NodeSession;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A node that can be stopped and started again, and whose connection to ZooKeeper can
 * break.
 */
final class ClusterNode implements ConsoleNode, AutoCloseable {

	private final int port;

	private final Function<ClusterNode, ConfigurableApplicationContext> starter;

	private final @Nullable String connectString;

	private final @Nullable NodeConnection connection;

	private volatile @Nullable ConfigurableApplicationContext context;

	private volatile boolean starting;

	/**
	 * Create a node.
	 * @param port its HTTP port
	 * @param connectString the servers, or {@code null} if its connection needs not break
	 * @param starter what starts it
	 * @throws IOException if there is no port for its connection
	 */
	ClusterNode(int port, @Nullable String connectString, Function<ClusterNode, ConfigurableApplicationContext> starter)
			throws IOException {
		this.port = port;
		this.connectString = connectString;
		this.starter = starter;
		this.connection = (connectString != null) ? new NodeConnection(connectString) : null;
	}

	/**
	 * Lead the connection of the node through what can break it.
	 * @param node the context that is about to be refreshed
	 */
	void prepare(ConfigurableApplicationContext node) {
		NodeConnection connection = this.connection;
		if (connection != null) {
			((GenericApplicationContext) node).registerBean(ZkLockConnectionDetails.class,
					() -> connection::connectString, (definition) -> definition.setPrimary(true));
			// Else a node that is silent could not say farewell, and closing would wait.
			node.addApplicationListener((ContextClosedEvent closed) -> {
				if (closed.getApplicationContext() == node) {
					become(Fault.NONE);
				}
			});
		}
	}

	@Override
	public String name() {
		return "node-" + this.port;
	}

	@Override
	public String url() {
		return "http://localhost:" + this.port;
	}

	int port() {
		return this.port;
	}

	@Nullable ConfigurableApplicationContext lastContext() {
		return this.context;
	}

	@Override
	public @Nullable ConfigurableApplicationContext context() {
		ConfigurableApplicationContext context = this.context;
		return (context != null && context.isActive()) ? context : null;
	}

	@Override
	public boolean isStarting() {
		return this.starting;
	}

	@Override
	public synchronized void stop() {
		ConfigurableApplicationContext context = this.context;
		if (context != null) {
			context.close();
		}
	}

	@Override
	public synchronized void start() {
		this.starting = true;
		try {
			this.context = this.starter.apply(this);
		}
		finally {
			this.starting = false;
		}
	}

	@Override
	public Fault fault() {
		return (this.connection != null) ? this.connection.fault() : Fault.NONE;
	}

	@Override
	public void become(Fault fault) {
		if (this.connection != null) {
			this.connection.become(fault);
		}
		BeanFactory context = context();
		if (context != null) {
			context.getBean(NodePause.class).set(fault == Fault.PAUSED);
		}
	}

	@Override
	public void expire() throws Exception {
		BeanFactory context = context();
		if (context == null) {
			throw new IllegalStateException(name() + " does not run");
		}
		context.getBean(NodeSession.class).end(this.connectString);
	}

	@Override
	public void close() throws IOException {
		if (this.connection != null) {
			this.connection.close();
		}
	}

}
