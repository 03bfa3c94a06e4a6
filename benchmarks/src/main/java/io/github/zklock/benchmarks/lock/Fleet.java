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

package io.github.zklock.benchmarks.lock;

import java.util.List;
import java.util.Set;

import io.github.zklock.benchmarks.server.Backend;

/**
 * What is measured with several JVMs, all of which want one key.
 */
enum Fleet {

	/**
	 * The lock goes to and fro.
	 */
	HAND_OFF("Two JVMs, one thread each, that hold the lock for 10 ms", List.of(1, 1), 0, 10,
			Set.of(Backend.SYNC, Backend.DISTANT, Backend.ENSEMBLE),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.READ_WRITE)),

	/**
	 * Several JVMs alike.
	 */
	FOUR_BY_EIGHT("Four JVMs with 8 threads each", List.of(8, 8, 8, 8), 0, 0, Set.of(Backend.SYNC, Backend.ENSEMBLE),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.MUTEX_SHARED, Peer.SPRING_INTEGRATION)),

	/**
	 * One thread beside many.
	 */
	ONE_BESIDE_MANY("Two JVMs, one with a single thread and one with 32", List.of(1, 32), 0, 0, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH)),

	/**
	 * Readers in several JVMs.
	 */
	READ_MOSTLY("Four JVMs with 8 threads each, 95 % readers", List.of(8, 8, 8, 8), 95, 0, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.READ_WRITE)),

	/**
	 * A long queue.
	 */
	THOUSAND_WAITERS("Ten JVMs with 100 threads each", List.of(100, 100, 100, 100, 100, 100, 100, 100, 100, 100), 0, 0,
			Set.of(Backend.SYNC), List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH));

	final String title;

	final List<Integer> threads;

	final int readsOf100;

	final long holdMillis;

	final Set<Backend> backends;

	final List<Peer> peers;

	Fleet(String title, List<Integer> threads, int readsOf100, long holdMillis, Set<Backend> backends,
			List<Peer> peers) {
		this.title = title;
		this.threads = threads;
		this.readsOf100 = readsOf100;
		this.holdMillis = holdMillis;
		this.backends = backends;
		this.peers = peers;
	}

	Peer base() {
		return (this == READ_MOSTLY) ? Peer.READ_WRITE : Peer.MUTEX_FRESH;
	}

	String series(Backend backend, Peer peer) {
		return this + "/" + backend + "/" + peer;
	}

}
