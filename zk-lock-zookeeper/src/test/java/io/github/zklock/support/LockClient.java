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

package io.github.zklock.support;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.awaitility.Awaitility;

/**
 * One process of an application, as far as ZooKeeper can tell: a Curator client with a
 * session of its own and a lock provider on it.
 *
 * @param curator the client
 * @param locks the provider
 * @param <P> the type of the provider
 */
public record LockClient<P extends LockProvider>(CuratorFramework curator, P locks) implements AutoCloseable {

	/**
	 * Start a client without waiting for its connection.
	 * @param <P> the type of the provider
	 * @param connectString where it connects to
	 * @param sessionTimeout the timeout of its session
	 * @param provider creates the provider
	 * @return the client
	 */
	public static <P extends LockProvider> LockClient<P> start(String connectString, Duration sessionTimeout,
			Function<CuratorFramework, P> provider) {
		return start(builder(connectString, sessionTimeout).build(), provider);
	}

	private static CuratorFrameworkFactory.Builder builder(String connectString, Duration sessionTimeout) {
		return CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs((int) sessionTimeout.toMillis())
			.connectionTimeoutMs(3000)
			.retryPolicy(new ExponentialBackoffRetry(50, 5));
	}

	private static <P extends LockProvider> LockClient<P> start(CuratorFramework curator,
			Function<CuratorFramework, P> provider) {
		curator.start();
		try {
			return new LockClient<>(curator, provider.apply(curator));
		}
		catch (RuntimeException ex) {
			curator.close();
			throw ex;
		}
	}

	/**
	 * Start a client and wait until it is connected.
	 * @param <P> the type of the provider
	 * @param connectString where it connects to
	 * @param sessionTimeout the timeout of its session
	 * @param provider creates the provider
	 * @return the client
	 */
	public static <P extends LockProvider> LockClient<P> connect(String connectString, Duration sessionTimeout,
			Function<CuratorFramework, P> provider) {
		LockClient<P> client = start(connectString, sessionTimeout, provider);
		client.awaitConnected();
		return client;
	}

	/**
	 * Start a client as a user of the digest scheme and wait until it is connected.
	 * @param <P> the type of the provider
	 * @param connectString where it connects to
	 * @param sessionTimeout the timeout of its session
	 * @param user the user, like {@code app:secret}
	 * @param provider creates the provider
	 * @return the client
	 */
	public static <P extends LockProvider> LockClient<P> connectAs(String connectString, Duration sessionTimeout,
			String user, Function<CuratorFramework, P> provider) {
		LockClient<P> client = start(
				builder(connectString, sessionTimeout).authorization("digest", user.getBytes(StandardCharsets.UTF_8))
					.build(),
				provider);
		client.awaitConnected();
		return client;
	}

	/**
	 * Wait until the client and the provider, which learns of it later, are connected.
	 */
	public void awaitConnected() {
		sessionId();
		if (this.locks instanceof ZooKeeperLockProvider provider) {
			Awaitility.await().until(() -> provider.status().connection() == Connection.CONNECTED);
		}
	}

	/**
	 * Return the client's session; waits until it is connected.
	 * @return the id of the session
	 */
	public long sessionId() {
		// Curator's own flag may be wrong after the end of a session.
		return Awaitility.await()
			.ignoreExceptions()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.until(this::connectedSession, (id) -> id != 0);
	}

	private long connectedSession() throws Exception {
		ZooKeeper zooKeeper = this.curator.getZookeeperClient().getZooKeeper();
		return (zooKeeper.getState() == States.CONNECTED) ? zooKeeper.getSessionId() : 0;
	}

	/**
	 * Make the client believe that its session has expired, while the server keeps the
	 * session until it times out.
	 */
	public void giveUpSession() {
		try {
			this.curator.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		if (this.locks instanceof AutoCloseable closeable) {
			FaultProxy.close(closeable);
		}
		this.curator.close();
	}

}
