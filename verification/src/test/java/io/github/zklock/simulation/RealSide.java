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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultPlan;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.zookeeper.ZooKeeper;

/**
 * A real server, with a real link to each client.
 */
final class RealSide extends ServerSide {

	static final int PATIENCE_MILLIS = 60_000;

	private final ZooKeeperServerFixture server = new ZooKeeperServerFixture().start();

	private final Map<String, FaultProxy> links = new ConcurrentHashMap<>();

	private final Monitor monitor = new Monitor();

	@Override
	ZooKeeper connect(RecordedClient client, Duration timeout) {
		FaultProxy link = new FaultProxy(this.server.port());
		this.links.put(client.name(), link);
		try {
			String address = link.connectString();
			int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
			return new ZooKeeper(address, (int) timeout.toMillis(), client, false, new OneServer(port));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	void await(String what, BooleanSupplier condition) {
		this.monitor.await(what, condition);
	}

	@Override
	void recorded() {
		this.monitor.recorded();
	}

	@Override
	void cut(RecordedClient client) {
		int seen = client.size();
		link(client).refuse();
		client.awaitState(seen, "Disconnected");
	}

	@Override
	void blackhole(RecordedClient client) {
		link(client).blackhole();
	}

	@Override
	long nanoTime() {
		return System.nanoTime();
	}

	@Override
	void heal(RecordedClient client) {
		link(client).heal();
	}

	@Override
	void cutAt(RecordedClient client, ZooKeeperOperation operation, boolean carriedOut, Runnable requests) {
		FaultPlan plan = link(client).on(operation);
		Fault fault = carriedOut ? plan.holdReply() : plan.holdRequest();
		requests.run();
		fault.awaitFired();
		link(client).refuse();
		client.awaitAnswers();
	}

	@Override
	void expire(long session) {
		this.server.killSession(session);
	}

	@Override
	void reapContainers() {
		this.server.reapContainers();
	}

	@Override
	void close(RecordedClient client) {
		try {
			client.zooKeeper().close(PATIENCE_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a client was closed", ex);
		}
		link(client).close();
	}

	@Override
	public void close() {
		this.links.values().forEach(FaultProxy::close);
		this.server.close();
	}

	@Override
	public String toString() {
		return "real";
	}

	private FaultProxy link(RecordedClient client) {
		return this.links.get(client.name());
	}

}
