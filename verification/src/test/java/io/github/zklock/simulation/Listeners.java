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

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.Ids;

/**
 * An ensemble and its clients, who write down what they hear.
 */
final class Listeners {

	static final int SESSION_TIMEOUT = 10_000;

	final Schedule schedule;

	final SimulatedEnsemble ensemble;

	/** What was heard, in its order. */
	final List<String> heard = new ArrayList<>();

	Listeners(long seed, EnsembleSettings settings) {
		this.schedule = new Schedule(seed);
		this.ensemble = new SimulatedEnsemble(this.schedule, settings);
	}

	Listeners(long seed) {
		this(seed, EnsembleSettings.defaults());
	}

	SimulatedZooKeeper connect(String name) {
		return this.ensemble.connect(name, SESSION_TIMEOUT, (event) -> hear(name, event));
	}

	SimulatedZooKeeper connect(String name, boolean readOnly, Integer... servers) {
		return this.ensemble.connect(name, SESSION_TIMEOUT, (event) -> hear(name, event), readOnly, List.of(servers));
	}

	/**
	 * Connect a client, wait until it is, and forget that.
	 */
	SimulatedZooKeeper connected(String name, Integer... servers) {
		SimulatedZooKeeper client = (servers.length == 0) ? connect(name) : connect(name, false, servers);
		runUntil(() -> this.heard.contains(name + " SyncConnected"));
		this.heard.clear();
		return client;
	}

	private void hear(String name, WatchedEvent event) {
		String what = (event.getType() == EventType.None) ? event.getState().name()
				: event.getType() + " " + event.getPath();
		this.heard.add(name + " " + what);
	}

	void create(SimulatedZooKeeper client, String path, CreateMode mode) {
		Create2Callback reply = (rc, asked, context, name, stat) -> this.heard.add("created " + code(rc, name));
		client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode, reply, null);
	}

	void list(SimulatedZooKeeper client, String path) {
		client.getChildren(path, false, (rc, asked, context, children, stat) -> this.heard
			.add("listed " + code(rc, (children != null) ? new TreeSet<>(children) : null)), null);
	}

	void exists(SimulatedZooKeeper client, String path) {
		client.exists(path, false, (rc, asked, context, stat) -> this.heard.add("exists " + Code.get(rc)), null);
	}

	void watch(SimulatedZooKeeper client, String name, String path) {
		client.exists(path, (event) -> hear(name, event),
				(rc, asked, context, stat) -> this.heard.add("watched " + Code.get(rc)), null);
	}

	void sync(SimulatedZooKeeper client) {
		client.sync("/", (rc, asked, context) -> this.heard.add("synced " + Code.get(rc)), null);
	}

	void delete(SimulatedZooKeeper client, String path) {
		client.delete(path, -1, (rc, asked, context) -> this.heard.add("deleted " + Code.get(rc)), null);
	}

	void multi(SimulatedZooKeeper client, Op... operations) {
		client.multi(List.of(operations), (rc, asked, context, results) -> this.heard
			.add("multi " + Code.get(rc) + " " + results.stream().map(Listeners::result).toList()), null);
	}

	private static String result(OpResult result) {
		return (result instanceof ErrorResult error) ? Code.get(error.getErr()).name() : "OK";
	}

	private static String code(int rc, Object result) {
		return (rc == 0) ? String.valueOf(result) : Code.get(rc).name();
	}

	void runFor(int millis) {
		this.schedule.runFor(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/**
	 * Run until something is so, for a minute at most.
	 */
	void runUntil(BooleanSupplier condition) {
		long end = this.schedule.now() + TimeUnit.MINUTES.toNanos(1);
		while (!condition.getAsBoolean()) {
			if (this.schedule.now() > end || !this.schedule.step()) {
				throw new AssertionError("It did not happen within a minute; heard: " + this.heard);
			}
		}
	}

	/**
	 * Run until so much was heard.
	 */
	List<String> hear(int count) {
		runUntil(() -> this.heard.size() >= count);
		return this.heard;
	}

	long millis() {
		return TimeUnit.NANOSECONDS.toMillis(this.schedule.now());
	}

}
