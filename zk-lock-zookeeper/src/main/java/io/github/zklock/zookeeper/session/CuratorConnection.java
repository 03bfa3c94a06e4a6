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

package io.github.zklock.zookeeper.session;

import java.util.Objects;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.listen.Listenable;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a client of Curator.
 */
public final class CuratorConnection implements Connection {

	private static final Logger logger = LoggerFactory.getLogger(CuratorConnection.class);

	private static final int HANDLE_ATTEMPTS = 10;

	private final CuratorFramework client;

	public CuratorConnection(CuratorFramework client) {
		this.client = client;
	}

	// Curator throws errors of earlier background operations at the next call.
	@Override
	public @Nullable ZooKeeper handle() {
		for (int i = 0; i < HANDLE_ATTEMPTS; i++) {
			try {
				return this.client.getZookeeperClient().getZooKeeper();
			}
			catch (Exception ex) {
				logger.debug("No handle from the client yet", ex);
			}
		}
		return null;
	}

	@Override
	public boolean isConnected() {
		return this.client.getZookeeperClient().isConnected();
	}

	@Override
	public boolean isRefused(boolean unknown) {
		try {
			return this.client.getZookeeperClient().getZooKeeper().getState() == States.AUTH_FAILED;
		}
		catch (Exception ex) {
			logger.debug("No handle from the client yet", ex);
			return unknown;
		}
	}

	@Override
	public boolean isStopped() {
		return this.client.getState() == CuratorFrameworkState.STOPPED;
	}

	@Override
	public String namespace() {
		return Objects.requireNonNullElse(this.client.getNamespace(), "");
	}

	@Override
	public String servers() {
		return this.client.getZookeeperClient().getCurrentConnectionString();
	}

	@Override
	public long timeoutMillis() {
		return this.client.getZookeeperClient().getConnectionTimeoutMs();
	}

	@Override
	public void reset() throws Exception {
		this.client.getZookeeperClient().reset();
	}

	@Override
	public void listen(Listener listener) {
		this.client.getConnectionStateListenable().addListener(new Adapter(listener), Runnable::run);
		Listenable<CuratorListener> events = events();
		if (events != null) {
			events.addListener(new RefusalAdapter(listener), Runnable::run);
		}
	}

	@Override
	public void unlisten(Listener listener) {
		this.client.getConnectionStateListenable().removeListener(new Adapter(listener));
		Listenable<CuratorListener> events = events();
		if (events != null) {
			events.removeListener(new RefusalAdapter(listener));
		}
	}

	// A view of a client with another namespace has none. There the state of the handle
	// shows a refusal.
	private @Nullable Listenable<CuratorListener> events() {
		try {
			return this.client.getCuratorListenable();
		}
		catch (UnsupportedOperationException ex) {
			logger.debug("The client has no listeners for its events", ex);
			return null;
		}
	}

	// Equal to another one for the same listener, by which Curator finds it.
	private record Adapter(Listener listener) implements ConnectionStateListener {

		@Override
		public void stateChanged(CuratorFramework client, ConnectionState state) {
			Change change = switch (state) {
				case CONNECTED, RECONNECTED -> Change.CONNECTED;
				case READ_ONLY -> Change.READ_ONLY;
				case SUSPENDED -> Change.SUSPENDED;
				case LOST -> Change.LOST;
			};
			this.listener.changed(change);
		}

	}

	// Curator makes no state of it.
	private record RefusalAdapter(Listener listener) implements CuratorListener {

		@Override
		public void eventReceived(CuratorFramework client, CuratorEvent event) {
			WatchedEvent watched = event.getWatchedEvent();
			if (watched != null && watched.getState() == KeeperState.AuthFailed) {
				this.listener.changed(Change.REFUSED);
			}
		}

	}

}
