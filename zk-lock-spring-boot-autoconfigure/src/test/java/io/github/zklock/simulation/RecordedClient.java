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
import java.util.function.Consumer;
import java.util.stream.Collectors;

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

	private final List<Entry> log = new ArrayList<>();

	private final Map<String, Watcher> watchers = new TreeMap<>();

	private final ZooKeeper zooKeeper;

	private int step;

	private int asked;

	private int answered;

	RecordedClient(Side side, String name, Duration timeout) {
		this.side = side;
		this.name = name;
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
	 * Return what was recorded after the first entries.
	 */
	synchronized List<String> log(int from) {
		return this.log.stream().skip(from).map(Entry::text).toList();
	}

	synchronized int size() {
		return this.log.size();
	}

	synchronized boolean isAnswered() {
		return this.asked == this.answered;
	}

	synchronized boolean has(int from, String text) {
		return this.log.stream().skip(from).anyMatch((entry) -> entry.text().contains(text));
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
			reply("create " + mode + " " + path, rc, asked, created, text(stat));
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
		this.zooKeeper.setData(path, bytes(data), version, (rc, asked, context,
				stat) -> reply("setData " + path + " version " + version, rc, asked, text(stat)),
				null);
		return this;
	}

	RecordedClient getData(String path, @Nullable String watcher) {
		ask();
		this.zooKeeper.getData(path, watcher(watcher), (int rc, String asked, Object context, byte[] data,
				Stat stat) -> reply("getData " + path + watched(watcher), rc, asked, text(data), text(stat)),
				null);
		return this;
	}

	RecordedClient exists(String path, @Nullable String watcher) {
		ask();
		this.zooKeeper.exists(path, watcher(watcher),
				(int rc, String asked, Object context,
						Stat stat) -> reply("exists " + path + watched(watcher), rc, asked, text(stat)),
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
		this.zooKeeper.getChildren(path, watcher(watcher), (int rc, String asked, Object context, List<String> children,
				Stat stat) -> reply("getChildren2 " + path + watched(watcher), rc, asked, children, text(stat)),
				null);
		return this;
	}

	RecordedClient sync(String path) {
		ask();
		this.zooKeeper.sync(path, (rc, asked, context) -> reply("sync " + path, rc, asked), null);
		return this;
	}

	RecordedClient multi(List<Op> operations) {
		String what = operations.stream()
			.map((operation) -> operation.getKind() + "/" + operation.getType() + " " + operation.getPath())
			.collect(Collectors.joining(", ", "multi [", "]"));
		ask();
		this.zooKeeper.multi(operations, (int rc, String asked, Object context, List<OpResult> results) -> reply(what,
				rc, asked, (results != null) ? results.stream().map(this::text).toList() : "null"),
				null);
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
	 * Close the client; it takes its end into its log.
	 */
	void close() {
		this.side.close(this);
	}

	@Override
	public void process(WatchedEvent event) {
		record("event " + text(event));
	}

	// A client tells the watchers of one event in the order of their hash codes.
	@Override
	public int hashCode() {
		return 1;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
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

	private void reply(String request, int rc, Object... parts) {
		StringBuilder text = new StringBuilder(request).append(" -> ").append(Code.get(rc));
		for (Object part : parts) {
			text.append(" | ").append(part);
		}
		synchronized (this) {
			this.answered++;
			this.log.add(new Entry(this.step, text.toString()));
		}
		this.side.recorded();
	}

	private void record(String text) {
		synchronized (this) {
			this.log.add(new Entry(this.step, text));
		}
		this.side.recorded();
	}

	private static String text(WatchedEvent event) {
		return event.getType() + " " + event.getState() + " " + event.getPath() + " @" + event.getZxid() + "@";
	}

	private String text(@Nullable Stat stat) {
		if (stat == null) {
			return "no stat";
		}
		return String.format("czxid @%d@ mzxid @%d@ pzxid @%d@ version %d cversion %d aversion %d owner %s length %d"
				+ " children %d", stat.getCzxid(), stat.getMzxid(), stat.getPzxid(), stat.getVersion(),
				stat.getCversion(), stat.getAversion(), this.side.owner(stat.getEphemeralOwner()), stat.getDataLength(),
				stat.getNumChildren());
	}

	private String text(OpResult result) {
		if (result instanceof OpResult.CreateResult create) {
			return "created " + create.getPath() + " " + text(create.getStat());
		}
		if (result instanceof OpResult.SetDataResult set) {
			return "set " + text(set.getStat());
		}
		if (result instanceof OpResult.ErrorResult error) {
			return "error " + Code.get(error.getErr());
		}
		return result.getClass().getSimpleName();
	}

	private static String text(byte @Nullable [] data) {
		return (data != null) ? new String(data, StandardCharsets.UTF_8) : "no data";
	}

	private static byte[] bytes(String data) {
		return data.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Something that a client was told.
	 *
	 * @param step where the run was
	 * @param text what it was
	 */
	record Entry(int step, String text) {
	}

	private record NamedWatcher(RecordedClient client, String name) implements Watcher {

		@Override
		public void process(WatchedEvent event) {
			this.client.record("event " + text(event) + " for " + this.name);
		}

		@Override
		public int hashCode() {
			return this.name.hashCode();
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return this == other;
		}

	}

}
