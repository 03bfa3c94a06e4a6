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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A client that writes down each reply and each event, in their order. Zxids are written
 * as {@code @42@}: a {@link Comparison} looks only at their order.
 */
final class RecordedClient implements Watcher {

	private final Side side;

	private final String name;

	private final Wording wording;

	private final List<Entry> log = new ArrayList<>();

	private final Map<String, Watcher> watchers = new TreeMap<>();

	private final ZooKeeper zooKeeper;

	private int step;

	private int asked;

	private int answered;

	RecordedClient(Side side, String name, Duration timeout) {
		this.side = side;
		this.name = name;
		this.wording = new Wording(side);
		this.zooKeeper = side.connect(this, timeout);
	}

	String name() {
		return this.name;
	}

	ZooKeeper zooKeeper() {
		return this.zooKeeper;
	}

	long session() {
		return this.zooKeeper.getSessionId();
	}

	/**
	 * Say at which step of a run the client is; it helps who reads the log.
	 */
	synchronized void at(int step) {
		this.step = step;
	}

	synchronized List<Entry> log() {
		return List.copyOf(this.log);
	}

	/**
	 * Return in brief what the client was told since it had been told so many things.
	 */
	synchronized List<String> told(int since) {
		return this.log.stream().skip(since).map(Entry::brief).toList();
	}

	/**
	 * Return all of the last thing in whose brief form there is some text.
	 */
	synchronized String last(String text) {
		return this.log.stream()
			.filter((entry) -> entry.brief().contains(text))
			.reduce((first, second) -> second)
			.map(Entry::text)
			.orElse("nothing");
	}

	synchronized int size() {
		return this.log.size();
	}

	synchronized boolean isAnswered() {
		return this.asked == this.answered;
	}

	synchronized boolean has(int from, String text) {
		return this.log.stream().skip(from).anyMatch((entry) -> entry.brief().contains(text));
	}

	RecordedClient awaitConnected() {
		awaitEvent(0, "SyncConnected");
		this.side.name(session(), this.name);
		return this;
	}

	RecordedClient awaitEvent(int from, String text) {
		this.side.await(this.name + " to be told " + text, () -> has(from, text));
		return this;
	}

	/**
	 * Await an event of the connection. The watchers get it in any order, so the event of
	 * a watcher does not show that the client has its own.
	 */
	RecordedClient awaitState(int from, String state) {
		this.side.await(this.name + " to be told " + state, () -> told(from).contains(state));
		return this;
	}

	RecordedClient awaitAnswers() {
		this.side.await(this.name + " to be answered", this::isAnswered);
		return this;
	}

	RecordedClient create(String path, CreateMode mode) {
		return create(path, mode, Ids.OPEN_ACL_UNSAFE, (created) -> {
		});
	}

	RecordedClient create(String path, CreateMode mode, List<ACL> acl, Consumer<String> whenCreated) {
		Create2Callback reply = (rc, asked, context, created, stat) -> {
			if (rc == 0) {
				whenCreated.accept(created);
			}
			reply("create " + mode + " " + path, rc, asked, created, this.wording.of(stat));
		};
		ask();
		this.zooKeeper.create(path, bytes(this.name), acl, mode, reply, null);
		return this;
	}

	RecordedClient delete(String path, int version) {
		ask();
		this.zooKeeper.delete(path, version,
				(rc, asked, context) -> reply("delete " + path + " version " + version, rc, asked), null);
		return this;
	}

	RecordedClient setData(String path, String data, int version) {
		ask();
		this.zooKeeper.setData(
				path, bytes(data), version, (rc, asked, context,
						stat) -> reply("setData " + path + " version " + version, rc, asked, this.wording.of(stat)),
				null);
		return this;
	}

	RecordedClient getData(String path, @Nullable String watcher) {
		ask();
		this.zooKeeper.getData(path, watcher(watcher),
				(int rc, String asked, Object context, byte[] data, Stat stat) -> reply(
						"getData " + path + watched(watcher), rc, asked, Wording.of(data), this.wording.of(stat)),
				null);
		return this;
	}

	RecordedClient exists(String path, @Nullable String watcher) {
		ask();
		this.zooKeeper.exists(
				path, watcher(watcher), (int rc, String asked, Object context,
						Stat stat) -> reply("exists " + path + watched(watcher), rc, asked, this.wording.of(stat)),
				null);
		return this;
	}

	RecordedClient getChildren(String path, @Nullable String watcher) {
		ask();
		this.zooKeeper.getChildren(path, watcher(watcher),
				(int rc, String asked, Object context,
						List<String> children) -> reply("getChildren " + path + watched(watcher), rc, asked, children),
				null);
		return this;
	}

	RecordedClient getChildrenAndStat(String path, @Nullable String watcher) {
		ask();
		this.zooKeeper
			.getChildren(path, watcher(watcher),
					(int rc, String asked, Object context, List<String> children, Stat stat) -> reply(
							"getChildren2 " + path + watched(watcher), rc, asked, children, this.wording.of(stat)),
					null);
		return this;
	}

	RecordedClient sync(String path) {
		ask();
		this.zooKeeper.sync(path, (rc, asked, context) -> reply("sync " + path, rc, asked), null);
		return this;
	}

	RecordedClient multi(List<Op> operations) {
		String what = "multi " + operations.stream().map(Wording::of).toList();
		ask();
		this.zooKeeper.multi(operations, (int rc, String asked, Object context, List<OpResult> results) -> reply(what,
				rc, asked, (results != null) ? results.stream().map(this.wording::of).toList() : "null"), null);
		return this;
	}

	RecordedClient removeWatches(String path, String watcher, WatcherType type, boolean local) {
		ask();
		this.zooKeeper.removeWatches(path, watcher(watcher), type, local,
				(rc, asked, context) -> reply("removeWatches " + type + " " + path + watched(watcher), rc, asked),
				null);
		return this;
	}

	RecordedClient removeAllWatches(String path, WatcherType type, boolean local) {
		ask();
		this.zooKeeper.removeAllWatches(path, type, local,
				(rc, asked, context) -> reply("removeAllWatches " + type + " " + path, rc, asked), null);
		return this;
	}

	/**
	 * Read a node now.
	 * @return its stat, {@code null} if there is no such node
	 */
	@Nullable Stat stat(String path) {
		AtomicReference<Stat> read = new AtomicReference<>();
		ask();
		this.zooKeeper.exists(path, false, (int rc, String asked, Object context, Stat stat) -> {
			read.set(stat);
			answered();
		}, null);
		awaitAnswers();
		return read.get();
	}

	/**
	 * Read the names of children now, in their order.
	 */
	List<String> children(String path) {
		AtomicReference<List<String>> read = new AtomicReference<>(List.of());
		ask();
		this.zooKeeper.getChildren(path, false, (int rc, String asked, Object context, List<String> children) -> {
			read.set((children != null) ? children.stream().sorted().toList() : List.of());
			answered();
		}, null);
		awaitAnswers();
		return read.get();
	}

	/**
	 * Close the client; it takes its end into its log.
	 */
	void close() {
		this.side.close(this);
	}

	@Override
	public void process(WatchedEvent event) {
		record(event, "");
	}

	private synchronized @Nullable Watcher watcher(@Nullable String watcher) {
		return (watcher != null) ? this.watchers.computeIfAbsent(watcher, (key) -> new NamedWatcher(this, key)) : null;
	}

	private static String watched(@Nullable String watcher) {
		return (watcher != null) ? " watched by " + watcher : "";
	}

	private synchronized void ask() {
		this.asked++;
	}

	private void answered() {
		synchronized (this) {
			this.answered++;
		}
		this.side.recorded();
	}

	private void reply(String request, int rc, Object... parts) {
		StringBuilder details = new StringBuilder();
		for (Object part : parts) {
			details.append(" | ").append(part);
		}
		synchronized (this) {
			this.answered++;
			this.log.add(new Entry(this.step, request + ": " + Code.get(rc), details.toString()));
		}
		this.side.recorded();
	}

	private void record(WatchedEvent event, String watcher) {
		String brief = (event.getType() == Event.EventType.None) ? event.getState().toString()
				: event.getType() + " " + event.getPath();
		synchronized (this) {
			this.log
				.add(new Entry(this.step, brief + watcher, " | " + event.getState() + " @" + event.getZxid() + "@"));
		}
		this.side.recorded();
	}

	private static byte[] bytes(String data) {
		return data.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Something that a client was told.
	 *
	 * @param step where the run was
	 * @param brief what it was
	 * @param details the rest of it
	 */
	record Entry(int step, String brief, String details) {

		String text() {
			return this.brief + this.details;
		}

	}

	private record NamedWatcher(RecordedClient client, String name) implements Watcher {

		@Override
		public void process(WatchedEvent event) {
			this.client.record(event, " for " + this.name);
		}

	}

}
