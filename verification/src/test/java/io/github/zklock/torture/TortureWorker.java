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

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * The process of an application: one client, some threads that take locks, and an ear for
 * orders.
 */
public final class TortureWorker {

	private static final int THREADS = 4;

	private final String name;

	private final int port;

	private final CuratorFramework client;

	private final LockProvider locks;

	private final StallMeter stalls = new StallMeter();

	private final AtomicBoolean stopped = new AtomicBoolean();

	private final List<Thread> threads = new ArrayList<>();

	private final RegisterLine events;

	private TortureWorker(String name, int port, String connectString, Variant variant) throws InterruptedException {
		this.name = name;
		this.port = port;
		this.client = CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.sessionTimeoutMs((int) TortureRun.SESSION_TIMEOUT.toMillis())
			.connectionTimeoutMs(3000)
			.retryPolicy(new ExponentialBackoffRetry(50, 5))
			// Or it would learn how to reach the servers past their links.
			.ensembleTracker(false)
			.build();
		this.client.start();
		this.client.blockUntilConnected();
		this.locks = variant.locks(this.client);
		this.events = new RegisterLine(name, port);
	}

	public static void main(String[] args) throws Exception {
		TortureWorker worker = new TortureWorker(args[0], Integer.parseInt(args[1]), args[2], Variant.valueOf(args[3]));
		worker.start(Long.parseLong(args[4]));
		worker.obey();
	}

	private void start(long seed) {
		for (int i = 0; i < THREADS; i++) {
			Thread thread = new Thread(body(seed + i, new RegisterLine(this.name, this.port)), "body-" + i);
			thread.setDaemon(true);
			this.threads.add(thread);
			thread.start();
		}
		System.out.println("ready, with " + LockProvider.class.getProtectionDomain().getCodeSource().getLocation());
	}

	private TortureBody body(long seed, RegisterLine register) {
		return new TortureBody(this.locks, new TortureKeys(seed), register, this.events, this.stalls, this.stopped);
	}

	private void obey() throws Exception {
		RegisterLine orders = new RegisterLine(this.name, this.port);
		orders.obey();
		for (;;) {
			String[] order = orders.order().split(" ");
			switch (order[0]) {
				case "take" -> take(order[1], Integer.parseInt(order[2]));
				case "end-session" -> endSession(order[1]);
				case "give-up-session" -> zooKeeper().getTestable().injectSessionExpiration();
				case "note" -> note(order[1]);
				case "stop" -> stop();
				default -> throw new IllegalArgumentException(order[0]);
			}
		}
	}

	// Several keys at the same time, each of them once.
	private void take(String prefix, int keys) {
		for (int i = 0; i < keys; i++) {
			LockRequest request = LockRequest.of(prefix + i)
				.withMode(LockMode.EXCLUSIVE)
				.withWait(Duration.ofSeconds(10));
			Thread thread = new Thread(() -> take(request), "take-" + prefix + i);
			thread.setDaemon(true);
			thread.start();
		}
	}

	private void take(LockRequest request) {
		try (RegisterLine register = new RegisterLine(this.name, this.port)) {
			body(0, register).attempt(request, 1);
		}
	}

	private ZooKeeper zooKeeper() throws Exception {
		return this.client.getZookeeperClient().getZooKeeper();
	}

	// A second client of the same session ends it, for the servers.
	private void endSession(String connectString) throws Exception {
		ZooKeeper session = zooKeeper();
		try (ZooKeeper other = new ZooKeeper(connectString, (int) TortureRun.SESSION_TIMEOUT.toMillis(), (event) -> {
		}, session.getSessionId(), session.getSessionPasswd())) {
			other.exists("/", false);
		}
		catch (KeeperException ex) {
			System.out.println("Not ended: " + ex);
		}
	}

	private void note(String when) {
		System.gc();
		this.events.ask("note", when, "threads=" + ManagementFactory.getThreadMXBean().getThreadCount() + ",heapMb="
				+ (ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20));
	}

	private void stop() throws InterruptedException {
		this.stopped.set(true);
		for (Thread thread : this.threads) {
			thread.join(10_000);
		}
		long hanging = this.threads.stream().filter(Thread::isAlive).count();
		this.events.ask("note", "stopped", "hanging=" + hanging);
		System.out.println("stopped");
	}

}
