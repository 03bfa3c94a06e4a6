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

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.zklock.benchmarks.server.Backend;

/**
 * What is measured with several JVMs, all of which want one key.
 */
enum Fleet {

	/**
	 * The lock goes to and fro.
	 */
	HAND_OFF("Two JVMs, one thread each, that hold the lock for 10 ms", List.of(1, 1),
			Set.of(Backend.SYNC, Backend.DISTANT, Backend.ENSEMBLE), List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH),
			List.of(Peer.ASYNC_RELEASE, Peer.STRICT, Peer.READ_WRITE)),

	/**
	 * One JVM locks all the time, another now and then.
	 */
	REVOKE("A JVM that locks without a pause, and one that locks every 20 ms", List.of(1, 1), Set.of(Backend.DISTANT),
			List.of(Peer.CACHED, Peer.RAW), List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH)),

	/**
	 * Several JVMs alike.
	 */
	FOUR_BY_EIGHT("Four JVMs with 8 threads each", List.of(8, 8, 8, 8), Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH), List.of(Peer.STRICT, Peer.MUTEX_SHARED, Peer.SPRING_INTEGRATION)),

	/**
	 * One thread beside many.
	 */
	ONE_BESIDE_MANY("Two JVMs, one with a single thread and one with 32", List.of(1, 32), Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH), List.of(Peer.STRICT)),

	/**
	 * Readers in several JVMs.
	 */
	READ_MOSTLY("Four JVMs with 8 threads each, 95 % readers", List.of(8, 8, 8, 8), Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.READ_WRITE), List.of()),

	/**
	 * A long queue.
	 */
	THOUSAND_WAITERS("Ten JVMs with 100 threads each", Collections.nCopies(10, 100), Set.of(Backend.SYNC),
			List.of(Peer.ZK_LOCK, Peer.MUTEX_FRESH), List.of(Peer.STRICT));

	private static final int READS_OF_100 = 95;

	private static final int HOLD_MILLIS = 10;

	private static final int PAUSE_MILLIS = 20;

	final String title;

	final List<Integer> threads;

	private final Set<Backend> backends;

	private final List<Peer> peers;

	private final List<Peer> others;

	Fleet(String title, List<Integer> threads, Set<Backend> backends, List<Peer> peers, List<Peer> others) {
		this.title = title;
		this.threads = threads;
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
		if (!this.backends.contains(backend)) {
			return List.of();
		}
		return all ? Stream.concat(this.peers.stream(), this.others.stream()).toList() : this.peers;
	}

	/**
	 * Return the command for a JVM.
	 * @param last whether it is the last one
	 * @return percentage of readers, milliseconds to hold each lock, milliseconds between
	 * two locks
	 */
	List<Integer> task(boolean last) {
		return List.of((this == READ_MOSTLY) ? READS_OF_100 : 0, (this == HAND_OFF) ? HOLD_MILLIS : 0,
				(this == REVOKE && last) ? PAUSE_MILLIS : 0);
	}

	/**
	 * Return how long it runs. Who holds the lock for long or pauses gets too few locks
	 * to become warm by that.
	 * @return the times
	 */
	FleetTimes times() {
		return switch (this) {
			case HAND_OFF -> new FleetTimes(5000, 1000, 4000);
			case REVOKE -> new FleetTimes(3000, 2000, 3000);
			case THOUSAND_WAITERS -> new FleetTimes(0, 5000, 3000);
			case FOUR_BY_EIGHT -> new FleetTimes(0, 20_000, 4000);
			default -> new FleetTimes(0, 8000, 3000);
		};
	}

	/**
	 * Return whether at most one thread has the lock, so that there is a time in which it
	 * is free.
	 * @param peer whose locks
	 * @return {@code false} if several may have it
	 */
	boolean isExclusive(Peer peer) {
		return this != READ_MOSTLY && peer != Peer.RAW;
	}

	/**
	 * Return whether the order of the grants is to be reported, which takes memory.
	 * @return {@code false} where it says nothing
	 */
	boolean hasTurns() {
		return this != READ_MOSTLY && this != REVOKE;
	}

	/**
	 * Return what others are compared with.
	 * @return the peer
	 */
	Peer base() {
		return switch (this) {
			case READ_MOSTLY -> Peer.READ_WRITE;
			case REVOKE -> Peer.RAW;
			default -> Peer.MUTEX_FRESH;
		};
	}

	/**
	 * Return the value that is compared.
	 * @return its name
	 */
	String value() {
		return switch (this) {
			case HAND_OFF -> FleetValues.HAND_OFF;
			case REVOKE -> FleetValues.REMOTE_WAIT;
			default -> FleetValues.THROUGHPUT;
		};
	}

	String series(Backend backend, Peer peer) {
		return this + "/" + backend + "/" + peer;
	}

}
