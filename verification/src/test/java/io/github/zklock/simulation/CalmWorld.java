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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.SimulatedProcess;

/**
 * Clients of a simulated ensemble in which nothing goes wrong and nothing is by chance.
 * Only messages take time, so what is counted is the same in each run.
 */
final class CalmWorld {

	static final long MESSAGE = TimeUnit.MICROSECONDS.toNanos(500);

	static final long BETWEEN_SERVERS = TimeUnit.MICROSECONDS.toNanos(250);

	static final int SESSION_TIMEOUT_MS = 20_000;

	private static final Duration WAIT = Duration.ofDays(100);

	private final Schedule schedule = Schedule.inOrder();

	private final SimulatedEnsemble ensemble;

	private final List<SimulatedProcess> clients = new ArrayList<>();

	private final Lane bodies = this.schedule.lane("bodies");

	CalmWorld(int servers, int clients) {
		EnsembleSettings settings = EnsembleSettings.defaults()
			.withServers(servers)
			.withNetwork(MESSAGE)
			.withLag(BETWEEN_SERVERS);
		this.ensemble = new SimulatedEnsemble(this.schedule, settings);
		for (int i = 0; i < clients; i++) {
			this.clients.add(new SimulatedProcess(this.schedule, this.ensemble, "c" + i, SESSION_TIMEOUT_MS,
					settings.tickTime(), servers, false, Fairness.BOUNDED, true));
		}
		until(() -> this.clients.stream().allMatch((process) -> process.isConnectedFor(Duration.ZERO)));
	}

	SimulatedEnsemble ensemble() {
		return this.ensemble;
	}

	List<SimulatedProcess> clients() {
		return this.clients;
	}

	long now() {
		return this.schedule.now();
	}

	Traffic.Totals traffic() {
		return this.ensemble.traffic().totals();
	}

	void until(BooleanSupplier done) {
		while (!done.getAsBoolean()) {
			if (!this.schedule.step()) {
				throw new IllegalStateException("Nothing is left to do");
			}
		}
	}

	/**
	 * Let time pass.
	 * @return what was sent meanwhile
	 */
	Traffic.Totals pass(Duration time) {
		Traffic.Totals before = traffic();
		this.schedule.runFor(time.toNanos());
		return traffic().since(before);
	}

	/**
	 * Ask for a lock as one thread of a client.
	 */
	static CompletableFuture<LockHandle> ask(SimulatedProcess client, String key, Object thread) {
		return ask(client, LockRequest.of(key), thread);
	}

	static CompletableFuture<LockHandle> ask(SimulatedProcess client, LockRequest request, Object thread) {
		return client.provider().acquireAsync(request.withOwner(thread).withWait(WAIT)).toCompletableFuture();
	}

	/**
	 * Do something when a body has run for so long.
	 */
	void after(long nanos, Runnable action) {
		this.bodies.after(nanos, "body", action);
	}

}
