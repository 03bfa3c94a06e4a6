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

import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.tasks.IdleTasks;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objenesis.ObjenesisStd;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A session that is adopted just while its client connects.
 */
@Tag("server")
class ConnectingSessionTests {

	private final ConnectingZooKeeper client = new ObjenesisStd().newInstance(ConnectingZooKeeper.class);

	private final SessionTracker tracker = EngineParts.of(new ConnectingConnection(), new IdleTasks()).tracker();

	@Test
	void sessionIsAdoptedWithTheTimeoutThatItWasGranted() {
		this.tracker.changed(Connection.Change.CONNECTED);
		this.client.connected = true;
		this.tracker.changed(Connection.Change.CONNECTED);
		LockSession session = this.tracker.usable();
		assertThat(session).isNotNull();
		assertThat(session.lease().isPossible()).isTrue();
		assertThat(session.lease().terms().timeoutMillis()).isEqualTo(ConnectingZooKeeper.TIMEOUT);
	}

	/**
	 * A client that learns its session timeout and then its id, like ZooKeeper's, and
	 * does so just after it was asked for the timeout in vain.
	 */
	private static final class ConnectingZooKeeper extends ZooKeeper {

		private static final int TIMEOUT = 30_000;

		private volatile boolean connected;

		// It is never called: that would start threads.
		private ConnectingZooKeeper() throws Exception {
			super("localhost", 0, null);
		}

		@Override
		public int getSessionTimeout() {
			int timeout = this.connected ? TIMEOUT : 0;
			this.connected = true;
			return timeout;
		}

		@Override
		public long getSessionId() {
			return this.connected ? 5 : 0;
		}

		@Override
		public void sync(String path, VoidCallback callback, Object context) {
			// It is never answered.
		}

		@Override
		public States getState() {
			return this.connected ? States.CONNECTED : States.CONNECTING;
		}

	}

	private final class ConnectingConnection implements Connection {

		@Override
		public ZooKeeper handle() {
			return ConnectingSessionTests.this.client;
		}

		@Override
		public boolean isConnected() {
			return ConnectingSessionTests.this.client.connected;
		}

		@Override
		public boolean isStopped() {
			return false;
		}

		@Override
		public String namespace() {
			return "";
		}

		@Override
		public String servers() {
			return "";
		}

		@Override
		public long timeoutMillis() {
			return 0;
		}

		@Override
		public void reset() {
		}

		@Override
		public void listen(Listener listener) {
		}

		@Override
		public void unlisten(Listener listener) {
		}

	}

}
