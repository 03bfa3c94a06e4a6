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

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.support.ServerProcess;
import io.github.zklock.support.ZooKeeperEnsemble;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Measures how many creates and deletes real servers take in a second, from clients that
 * always have some under way. The servers flush no disk.
 */
final class ServerWrites {

	private static final int CLIENTS = 4;

	private static final int UNDER_WAY = 256;

	private static final byte[] DATA = new byte[64];

	private final String connectString;

	private final AtomicLong writes = new AtomicLong();

	private volatile boolean ended;

	private ServerWrites(String connectString) {
		this.connectString = connectString;
	}

	/**
	 * Measure one server, or an ensemble of several.
	 */
	static Result of(int servers) throws Exception {
		double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
		if (servers == 1) {
			try (ServerProcess server = new ServerProcess().start()) {
				return measure(server.connectString(), load);
			}
		}
		try (ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(servers, Duration.ofSeconds(2), Duration.ofSeconds(20))
			.start()) {
			return measure(ensemble.connectString(), load);
		}
	}

	private static Result measure(String connectString, double load) throws Exception {
		return new Result(new ServerWrites(connectString).run(), load);
	}

	private double run() throws Exception {
		List<ZooKeeper> clients = new ArrayList<>();
		try {
			for (int i = 0; i < CLIENTS; i++) {
				clients.add(connect());
			}
			for (ZooKeeper client : clients) {
				for (int i = 0; i < UNDER_WAY; i++) {
					create(client);
				}
			}
			TimeUnit.SECONDS.sleep(5);
			long before = this.writes.get();
			long start = System.nanoTime();
			TimeUnit.SECONDS.sleep(10);
			return (this.writes.get() - before) * 1e9 / (System.nanoTime() - start);
		}
		finally {
			this.ended = true;
			for (ZooKeeper client : clients) {
				client.close();
			}
		}
	}

	private ZooKeeper connect() throws Exception {
		CountDownLatch connected = new CountDownLatch(1);
		ZooKeeper client = new ZooKeeper(this.connectString, 20_000, (event) -> {
			if (event.getState() == KeeperState.SyncConnected) {
				connected.countDown();
			}
		});
		if (!connected.await(30, TimeUnit.SECONDS)) {
			throw new IllegalStateException("not connected");
		}
		return client;
	}

	private void create(ZooKeeper client) {
		client.create("/write-", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL,
				(rc, path, context, name) -> written(rc, () -> delete(client, name)), null);
	}

	private void delete(ZooKeeper client, String node) {
		client.delete(node, -1, (rc, path, context) -> written(rc, () -> create(client)), null);
	}

	private void written(int rc, Runnable next) {
		if (rc == Code.OK.intValue() && !this.ended) {
			this.writes.incrementAndGet();
			next.run();
		}
	}

	/**
	 * What was measured.
	 *
	 * @param writes creates and deletes in a second
	 * @param load the load average of the machine before
	 */
	record Result(double writes, double load) {
	}

}
