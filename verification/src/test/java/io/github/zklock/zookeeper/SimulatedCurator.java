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

package io.github.zklock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.zklock.simulation.Lane;
import io.github.zklock.simulation.Schedule;
import io.github.zklock.zookeeper.session.Connection;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.jspecify.annotations.Nullable;

/**
 * What Curator does with the connection of a client: tells of its states on a thread of
 * its own, counts by itself how long a session can live without a connection, and makes
 * another handle when the session has ended.
 */
final class SimulatedCurator implements Connection, Watcher {

	private final Schedule schedule;

	private final Function<Watcher, SimulatedZooKeeper> client;

	// Its ConnectionStateManager.
	private final Lane lane;

	private final int sessionTimeoutMillis;

	private final List<Listener> listeners = new ArrayList<>();

	private @Nullable SimulatedZooKeeper handle;

	private @Nullable Change state;

	private Lane.@Nullable Scheduled look;

	private long suspendedAt;

	private boolean connected;

	private boolean stopped;

	SimulatedCurator(Schedule schedule, String name, int sessionTimeoutMillis,
			Function<Watcher, SimulatedZooKeeper> client) {
		this.schedule = schedule;
		this.client = client;
		this.lane = schedule.lane(name + "-curator");
		this.sessionTimeoutMillis = sessionTimeoutMillis;
	}

	Lane lane() {
		return this.lane;
	}

	void start() {
		this.handle = this.client.apply(this);
	}

	void close() {
		this.stopped = true;
		this.connected = false;
		this.listeners.clear();
		closeHandle();
	}

	private void closeHandle() {
		SimulatedZooKeeper old = this.handle;
		if (old != null) {
			old.register((event) -> {
			});
			old.close();
		}
	}

	@Override
	public @Nullable SimulatedZooKeeper handle() {
		return this.handle;
	}

	@Override
	public boolean isConnected() {
		return this.connected;
	}

	@Override
	public boolean isStopped() {
		return this.stopped;
	}

	@Override
	public String namespace() {
		return "";
	}

	@Override
	public String servers() {
		return "simulated";
	}

	@Override
	public long timeoutMillis() {
		return 1000;
	}

	@Override
	public void reset() {
		this.connected = false;
		closeHandle();
		this.handle = this.client.apply(this);
	}

	@Override
	public void listen(Listener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void unlisten(Listener listener) {
		this.listeners.remove(listener);
	}

	// As its ConnectionState, which does not look from which handle an event comes.
	@Override
	public void process(WatchedEvent event) {
		if (this.stopped || event.getType() != EventType.None) {
			return;
		}
		KeeperState now = event.getState();
		if (now == KeeperState.Expired) {
			reset();
		}
		else if (now != KeeperState.SaslAuthenticated) {
			this.connected = now == KeeperState.SyncConnected || now == KeeperState.ConnectedReadOnly;
		}
		switch (now) {
			case Disconnected -> suspend();
			case Expired -> change(Change.LOST);
			case SyncConnected -> change(Change.CONNECTED);
			case ConnectedReadOnly -> change(Change.READ_ONLY);
			default -> {
			}
		}
	}

	private void suspend() {
		if (this.state != Change.LOST && this.state != Change.SUSPENDED) {
			this.suspendedAt = this.schedule.now();
			change(Change.SUSPENDED);
		}
	}

	private void change(Change next) {
		if (this.state == next) {
			return;
		}
		this.state = next;
		this.lane.run("curator " + next, () -> {
			for (Listener listener : List.copyOf(this.listeners)) {
				listener.changed(next);
			}
			lookLater();
		});
	}

	private void lookLater() {
		if (this.look != null) {
			this.look.cancel();
			this.look = null;
		}
		long timeout = TimeUnit.MILLISECONDS.toNanos(this.sessionTimeoutMillis);
		if (this.state == Change.SUSPENDED) {
			this.look = this.lane.after(this.suspendedAt + timeout - this.schedule.now(), "curator looks", this::look);
		}
		else if (this.state == Change.LOST) {
			this.look = this.lane.after(timeout / 2, "curator looks", this::look);
		}
	}

	private void look() {
		if (this.stopped) {
			return;
		}
		long elapsed = this.schedule.now() - this.suspendedAt;
		if (this.state == Change.SUSPENDED && elapsed >= TimeUnit.MILLISECONDS.toNanos(this.sessionTimeoutMillis)) {
			this.suspendedAt = this.schedule.now();
			SimulatedZooKeeper current = this.handle;
			if (current != null) {
				current.getTestable().injectSessionExpiration();
			}
		}
		else if (this.state == Change.LOST && this.connected) {
			change(Change.CONNECTED);
		}
		lookLater();
	}

}
