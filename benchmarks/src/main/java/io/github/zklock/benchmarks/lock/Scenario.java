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
import java.util.stream.Stream;

import io.github.zklock.benchmarks.jmh.Times;
import io.github.zklock.benchmarks.server.Backend;

/**
 * What is measured in one JVM.
 */
enum Scenario {

	/**
	 * A free lock that was used before.
	 */
	UNCONTENDED("Lock and unlock a free key, one thread", "uncontended", 1, true,
			Set.of(Backend.SYNC, Backend.DISTANT, Backend.ENSEMBLE),
			List.of(Peer.ZK_LOCK, Peer.ASYNC_RELEASE, Peer.MUTEX_FRESH, Peer.RAW),
			List.of(Peer.MUTEX_SHARED, Peer.READ_WRITE, Peer.SEMAPHORE_MUTEX, Peer.SPRING_INTEGRATION, Peer.SHEDLOCK)),

	/**
	 * The same lock again and again.
	 */
	REPEATED("Lock and unlock the same key again and again, one thread", "repeated", 1, false, Set.of(Backend.SYNC),
			List.of(Peer.CACHED, Peer.MUTEX_FRESH), List.of(Peer.ZK_LOCK, Peer.ASYNC_RELEASE)),

	/**
	 * A free lock that was never used.
	 */
	COLD_KEY("Lock and unlock a key for the first time, 8 threads", "coldKey", 8, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH),
			List.of(Peer.READ_WRITE, Peer.SEMAPHORE_MUTEX, Peer.SPRING_INTEGRATION, Peer.SHEDLOCK)),

	/**
	 * The same, where round trips can be counted.
	 */
	COLD_LATENCY("Lock and unlock a key for the first time, one thread", "coldLatency", 1, true,
			Set.of(Backend.DISTANT), List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH), List.of(Peer.SPRING_INTEGRATION)),

	/**
	 * A free lock of many that were used before.
	 */
	USED_KEYS("Lock and unlock each of 10,000 keys again, 8 threads", "usedKeys", 8, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH), List.of(Peer.SPRING_INTEGRATION)),

	/**
	 * A lock that is taken.
	 */
	FAILED_TRY("Try a key that another session holds, one thread", "failedTry", 1, true,
			Set.of(Backend.SYNC, Backend.ENSEMBLE), List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH),
			List.of(Peer.MUTEX_SHARED, Peer.READ_WRITE, Peer.SEMAPHORE_MUTEX, Peer.SHEDLOCK)),

	/**
	 * Few threads that want the same.
	 */
	SAME_KEY_8("One key, 8 threads of one JVM", "sameKey", 8, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH),
			List.of(Peer.MUTEX_SHARED, Peer.READ_WRITE, Peer.SEMAPHORE_MUTEX, Peer.SPRING_INTEGRATION, Peer.SHEDLOCK)),

	/**
	 * Some threads that want the same.
	 */
	SAME_KEY_32("One key, 32 threads of one JVM", "sameKey", 32, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH), List.of(Peer.MUTEX_SHARED, Peer.SPRING_INTEGRATION)),

	/**
	 * Many threads that want the same.
	 */
	SAME_KEY_128("One key, 128 threads of one JVM", "sameKey", 128, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH), List.of(Peer.MUTEX_SHARED, Peer.SPRING_INTEGRATION)),

	/**
	 * Readers and a few writers.
	 */
	READ_MOSTLY("One key, 95 % readers, 32 threads of one JVM", "readMostly", 32, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.READ_WRITE), List.of()),

	/**
	 * Many threads that seldom want the same.
	 */
	MANY_KEYS("1,024 keys, 64 threads on one connection", "manyKeys", 64, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.RAW), List.of(Peer.ASYNC_RELEASE, Peer.SPRING_INTEGRATION));

	final String title;

	final String method;

	final int threads;

	// Else the throughput.
	final boolean latency;

	private final Set<Backend> backends;

	private final List<Peer> peers;

	private final List<Peer> others;

	Scenario(String title, String method, int threads, boolean latency, Set<Backend> backends, List<Peer> peers,
			List<Peer> others) {
		this.title = title;
		this.method = method;
		this.threads = threads;
		this.latency = latency;
		this.backends = backends;
		this.peers = peers;
		this.others = others;
	}

	/**
	 * Return who takes part.
	 * @param backend on which servers
	 * @param all whether to measure more than the targets need
	 * @return the peers, none if nothing is measured there
	 */
	List<Peer> peers(Backend backend, boolean all) {
		boolean everywhere = this == UNCONTENDED || this == FAILED_TRY;
		if (all && (everywhere || this.backends.contains(backend))) {
			return Stream.concat(this.peers.stream(), this.others.stream()).toList();
		}
		if (!this.backends.contains(backend)) {
			return List.of();
		}
		// Each peer once.
		return (this == UNCONTENDED && backend == Backend.SYNC) ? peers(backend, true) : this.peers;
	}

	/**
	 * Return how long it runs. The more code takes part, the longer a JVM needs to become
	 * warm. On two processors, many threads on one connection are three to nine times as
	 * fast after 14 seconds as in the first two. A single thread, which uses its code
	 * least often, is warm last.
	 * @param peer whose locks
	 * @return the times, the same for all peers that a target names
	 */
	Times times(Peer peer) {
		return switch (this) {
			case UNCONTENDED -> new Times(this.peers.contains(peer) ? 16 : 4, 3, 1000);
			case FAILED_TRY -> new Times(4, 3, 1000);
			case REPEATED -> new Times(5, 3, 1000);
			// Every lock leaves a node behind.
			case COLD_KEY -> new Times(12, 3, 500);
			case USED_KEYS -> new Times(10, 3, 1000);
			case COLD_LATENCY -> new Times(3, 3, 500);
			// A thread may wait for most of a second until it is its turn.
			case SAME_KEY_128 -> new Times(4, 3, 1000);
			case MANY_KEYS -> new Times(15, 3, 1000);
			default -> new Times(4, 3, 500);
		};
	}

	/**
	 * Return what others are compared with.
	 * @return the peer
	 */
	Peer base() {
		return (this == READ_MOSTLY) ? Peer.READ_WRITE : Peer.MUTEX_FRESH;
	}

	/**
	 * Return the value that is compared.
	 * @return its name
	 */
	String value() {
		return this.latency ? "p50" : "score";
	}

	String series(Backend backend, Peer peer) {
		return this + "/" + backend + "/" + peer;
	}

}
