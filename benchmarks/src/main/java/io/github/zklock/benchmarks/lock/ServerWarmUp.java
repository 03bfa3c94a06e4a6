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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.zklock.benchmarks.server.Backend;

/**
 * What servers do before anything is measured, so that the first runs do not pay for what
 * the servers have to compile. These are the requests of all that are compared, one after
 * the other.
 */
final class ServerWarmUp {

	static final long MILLIS = 5000;

	static final List<Peer> PEERS = List.of(Peer.RAW, Peer.MUTEX_FRESH, Peer.ZK_LOCK);

	private static final int THREADS = 16;

	// So few that some of them have to wait, and get events.
	private static final int KEYS = 64;

	private ServerWarmUp() {
	}

	static void of(Backend.Running running, long millis) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			for (Peer peer : PEERS) {
				try (Session session = Session.open(peer, running.client())) {
					long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
					List<Future<?>> results = new ArrayList<>();
					for (int i = 0; i < THREADS; i++) {
						results.add(executor.submit(() -> lockUntil(session.contender(), end)));
					}
					for (Future<?> result : results) {
						result.get();
					}
				}
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static Void lockUntil(Contender contender, long end) throws Exception {
		while (System.nanoTime() - end < 0) {
			contender.lock("warm-" + ThreadLocalRandom.current().nextInt(KEYS)).unlock();
		}
		return null;
	}

}
