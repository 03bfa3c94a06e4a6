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

package io.github.zklock.simulation;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;

import org.apache.zookeeper.client.HostProvider;

/**
 * The address of one server, without the pause of a second that ZooKeeper's own class
 * makes before it gives the same address again.
 */
final class OneServer implements HostProvider {

	private final int port;

	OneServer(int port) {
		this.port = port;
	}

	@Override
	public int size() {
		return 1;
	}

	@Override
	public InetSocketAddress next(long spinDelay) {
		return new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port);
	}

	@Override
	public void onConnected() {
	}

	@Override
	public boolean updateServerList(Collection<InetSocketAddress> serverAddresses, InetSocketAddress currentHost) {
		return false;
	}

}
