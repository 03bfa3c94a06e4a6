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
import java.time.Instant;
import java.util.Locale;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;

/**
 * A request, the nodes that it leaves in ZooKeeper while it holds its lock, and what
 * these nodes mean to others. The nodes are in the file of its name.
 */
enum WireScenario {

	EXCLUSIVE(request(), request(), null),

	WRITE(request().withMode(LockMode.WRITE), request().withMode(LockMode.READ), null),

	READ(request().withMode(LockMode.READ), request().withMode(LockMode.WRITE), request().withMode(LockMode.READ)),

	PERMITS(request().withPermits(3), null, request().withPermits(3)),

	CACHED(request().withCache(true), request(), null),

	AT_LEAST(atLeast(LockMode.EXCLUSIVE), request().withMode(LockMode.READ), null),

	AT_LEAST_READ(atLeast(LockMode.READ), request(), request().withMode(LockMode.READ)),

	TICK(tick(0), tick(0), tick(1000)),

	SHARD(shard(0), shard(0), shard(1000)),

	PERIODIC_TICK(periodicTick(), periodicTick(), tick(0)),

	ESCAPED_KEY(request("räume/3 %"), LockRequest.of("räume/3 %"), LockRequest.of("räume")),

	LONG_KEY(request("k".repeat(1025)), LockRequest.of("k".repeat(1025)), LockRequest.of("k".repeat(120))),

	TRACED(request(), request(), null),

	MINIMAL(request(), request(), null),

	HEARTBEAT(request(), request(), null);

	private final LockRequest writes;

	private final LockRequest refused;

	private final LockRequest granted;

	WireScenario(LockRequest writes, LockRequest refused, LockRequest granted) {
		this.writes = writes;
		this.refused = refused;
		this.granted = granted;
	}

	private static LockRequest request() {
		return request("orders:42");
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withName("orders-ship");
	}

	private static LockRequest atLeast(LockMode mode) {
		return request().withMode(mode).withLockAtLeastFor(Duration.ofMinutes(1));
	}

	private static LockRequest tick(long millis) {
		return request().withTick(LockTick.at("Jobs.report", Instant.ofEpochMilli(1_767_258_000_000L + millis)));
	}

	private static LockRequest shard(long millis) {
		return request("orders:42#3").withTick(tick(millis).tick().withShard(3, 8));
	}

	private static LockRequest periodicTick() {
		return request().withTick(LockTick.every("Jobs.report", Duration.ofHours(1)));
	}

	String file() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".txt";
	}

	OwnerDetail detail() {
		return (this == MINIMAL) ? OwnerDetail.MINIMAL : OwnerDetail.FULL;
	}

	/**
	 * Return the trace in which the lock is asked for, if there is one.
	 */
	String traceId() {
		return (this == TRACED) ? "4bf92f3577b34da6a3ce929d0e0e4736" : null;
	}

	/**
	 * Return what was held before that, if something was.
	 */
	LockRequest before() {
		return (this == TICK) ? tick(-1000) : null;
	}

	/**
	 * Return what leaves the nodes.
	 */
	LockRequest writes() {
		return this.writes;
	}

	/**
	 * Return what cannot be granted beside the nodes, if there is something.
	 */
	LockRequest refused() {
		return this.refused;
	}

	/**
	 * Return what can be granted beside the nodes, if there is something.
	 */
	LockRequest granted() {
		return this.granted;
	}

}
