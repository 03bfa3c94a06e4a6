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

import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockSnapshot;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockSnapshot.Held;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockSnapshot.Waiting;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Session;
import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.local.ZooKeeperLockHandle;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionLease;
import io.github.zklock.zookeeper.session.SessionMark;
import io.github.zklock.zookeeper.session.SessionTracker;
import org.jspecify.annotations.Nullable;

/**
 * What an engine knows at one moment. Sends no request and never blocks.
 */
final class EngineStatus {

	private static final Pattern REMOTE = Pattern.compile("remoteserver:([^\\s/]*)/(\\S+):(\\d+)");

	private EngineStatus() {
	}

	static ZooKeeperLockStatus of(LockEngine engine) {
		SessionTracker tracker = engine.tracker;
		LockSession session = tracker.current();
		Connection connection = engine.isOpen() ? connection(tracker) : Connection.CLOSED;
		String server = (session != null && connection == Connection.CONNECTED) ? server(session.zooKeeper().toString())
				: null;
		return new ZooKeeperLockStatus(connection, server, (session != null) ? session(session) : null,
				engine.held.size(), engine.services.janitor().pending(),
				(connection == Connection.CONNECTED) ? engine.access.problem() : tracker.problem(),
				engine.access.last(), engine.exposed.texts());
	}

	private static Connection connection(SessionTracker tracker) {
		if (tracker.isClosed()) {
			return Connection.CLOSED;
		}
		if (tracker.usable() != null) {
			return Connection.CONNECTED;
		}
		return tracker.isOpening() ? Connection.CONNECTING : Connection.DISCONNECTED;
	}

	/**
	 * Return the server that the description of a client names. The client has no other
	 * way to tell it without a request.
	 */
	static @Nullable String server(String client) {
		Matcher remote = REMOTE.matcher(client);
		if (!remote.find()) {
			return null;
		}
		String host = remote.group(1).isEmpty() ? remote.group(2) : remote.group(1);
		return host + ":" + remote.group(3);
	}

	static @Nullable Duration leaseLeft(LockEngine engine) {
		LockSession session = engine.tracker.current();
		return (session != null) ? session(session).leaseLeft() : null;
	}

	private static Session session(LockSession session) {
		SessionLease lease = session.lease();
		boolean kept = lease.isKept();
		return new Session(Objects.requireNonNullElse(SessionMark.of(session.id()), "none"),
				Duration.ofMillis(lease.terms().timeoutMillis()), kept ? session.stateOfLocks() : session.state(),
				(kept && lease.isPossible()) ? Duration.ofNanos(Math.max(lease.remaining(), 0)) : null);
	}

	static ZooKeeperLockSnapshot snapshot(LockEngine engine) {
		return new ZooKeeperLockSnapshot(
				engine.held.handles()
					.map(EngineStatus::held)
					.sorted(Comparator.comparing(Held::heldFor).reversed())
					.toList(),
				engine.attempts.stream()
					.filter((attempt) -> !attempt.isDecided())
					.map(EngineStatus::waiting)
					.sorted(Comparator.comparing(Waiting::waitingFor).reversed())
					.toList());
	}

	private static Held held(ZooKeeperLockHandle handle) {
		return new Held(handle.key(), handle.mode(), handle.request().name(), handle.knownState(), handle.heldFor(),
				handle.fencingToken());
	}

	private static Waiting waiting(LockAttempt attempt) {
		LockRequest request = attempt.request();
		return new Waiting(request.key(), request.mode(), request.name(), attempt.waitingFor(), request.waitTime());
	}

}
