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
 * What is measured in one JVM.
 */
enum Scenario {

	/**
	 * A free lock that was used before.
	 */
	UNCONTENDED("Lock and unlock a free key, one thread", "uncontended", 1, true, Set.of(Backend.values()),
			List.of(Peer.values())),

	/**
	 * A free lock that was never used.
	 */
	COLD_KEY("Lock and unlock a key for the first time, 8 threads", "coldKey", 8, false,
			Set.of(Backend.SYNC, Backend.ENSEMBLE),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.READ_WRITE, Peer.SEMAPHORE_MUTEX, Peer.SPRING_INTEGRATION,
					Peer.SHEDLOCK)),

	/**
	 * A lock that is taken.
	 */
	FAILED_TRY("Try a key that another session holds, one thread", "failedTry", 1, true,
			Set.of(Backend.SYNC, Backend.DISTANT, Backend.ENSEMBLE),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.MUTEX_SHARED, Peer.READ_WRITE, Peer.SEMAPHORE_MUTEX,
					Peer.SHEDLOCK)),

	/**
	 * Few threads that want the same.
	 */
	SAME_KEY_8("One key, 8 threads of one JVM", "sameKey", 8, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.MUTEX_SHARED, Peer.READ_WRITE, Peer.SEMAPHORE_MUTEX,
					Peer.SPRING_INTEGRATION, Peer.SHEDLOCK)),

	/**
	 * Some threads that want the same.
	 */
	SAME_KEY_32("One key, 32 threads of one JVM", "sameKey", 32, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.MUTEX_SHARED, Peer.SPRING_INTEGRATION)),

	/**
	 * Many threads that want the same.
	 */
	SAME_KEY_128("One key, 128 threads of one JVM", "sameKey", 128, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.MUTEX_SHARED, Peer.SPRING_INTEGRATION)),

	/**
	 * Readers and a few writers.
	 */
	READ_MOSTLY("One key, 95 % readers, 32 threads of one JVM", "readMostly", 32, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.READ_WRITE)),

	/**
	 * Many threads that seldom want the same.
	 */
	MANY_KEYS("1,024 keys, 64 threads on one connection", "manyKeys", 64, false, Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH, Peer.SPRING_INTEGRATION, Peer.RAW));

	final String title;

	final String method;

	final int threads;

	// Else the throughput.
	final boolean latency;

	final Set<Backend> backends;

	final List<Peer> peers;

	Scenario(String title, String method, int threads, boolean latency, Set<Backend> backends, List<Peer> peers) {
		this.title = title;
		this.method = method;
		this.threads = threads;
		this.latency = latency;
		this.backends = backends;
		this.peers = peers;
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
