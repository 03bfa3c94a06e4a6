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

package io.github.zklock.torture;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Executor;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.listen.Listenable;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * A client of Curator's that tells nobody that a session was lost, only that the
 * connection is back.
 *
 * @see OneSessionZooKeeper
 */
final class OneSessionCurator {

	private OneSessionCurator() {
	}

	static CuratorFramework of(CuratorFramework client) {
		return (CuratorFramework) Proxy.newProxyInstance(OneSessionCurator.class.getClassLoader(),
				new Class<?>[] { CuratorFramework.class }, (proxy, method, arguments) -> {
					Object result = invoke(client, method, arguments);
					return method.getName().equals("getConnectionStateListenable")
							? new Listeners(client.getConnectionStateListenable()) : result;
				});
	}

	private static Object invoke(CuratorFramework client, Method method, Object[] arguments) throws Throwable {
		try {
			return method.invoke(client, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

	private record Listeners(
			Listenable<ConnectionStateListener> listeners) implements Listenable<ConnectionStateListener> {

		@Override
		public void addListener(ConnectionStateListener listener) {
			this.listeners.addListener(deafToLoss(listener));
		}

		@Override
		public void addListener(ConnectionStateListener listener, Executor executor) {
			this.listeners.addListener(deafToLoss(listener), executor);
		}

		@Override
		public void removeListener(ConnectionStateListener listener) {
			this.listeners.removeListener(listener);
		}

		private static ConnectionStateListener deafToLoss(ConnectionStateListener listener) {
			return (client, state) -> {
				if (state != ConnectionState.LOST) {
					listener.stateChanged(client, state);
				}
			};
		}

	}

}
