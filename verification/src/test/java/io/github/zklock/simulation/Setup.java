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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.Fairness;

/**
 * All that a seed decides before the first step: who asks for what, and what goes wrong.
 *
 * @param seed from which all was drawn, and the callers draw what they do
 * @param order which of the orders of the steps: 0 unless it was found by shrinking
 * @param clients the number of processes
 * @param callers the number of callers of each of them
 * @param operations how often each caller asks for a lock
 * @param keys the keys
 * @param fairness of all clients
 * @param awaitRelease of all clients
 * @param timeoutMillis the session timeout
 * @param servers the number of servers: 1 or 3
 * @param lagMicros the longest that a message between two servers takes
 * @param readOnly whether a server without the others serves those who only read
 * @param patient whether some locks are held for longer than a session may be cut off
 * @param troubled whether callers cancel, are interrupted and ask again for what they
 * hold
 * @param idle whether the clients stay for so long after the work that nothing may be
 * left
 * @param faults what goes wrong
 * @param drill which kind of schedule
 */
record Setup(long seed, int order, int clients, int callers, int operations, List<KeyPlan> keys, Fairness fairness,
		boolean awaitRelease, int timeoutMillis, int servers, int lagMicros, boolean readOnly, boolean patient,
		boolean troubled, boolean idle, List<Fault> faults, Drill drill) {

	/** The tick of the servers. */
	static final int TICK_MILLIS = 500;

	private static final int LAGS_PER_TICK = 25;

	private static final int[] TIMEOUTS = { 2000, 3000, 6000 };

	static Setup draw(long seed) {
		SplittableRandom random = new SplittableRandom(seed ^ 0x5DEECE66DL);
		int clients = 1 + random.nextInt(random.nextInt(4) + 1);
		int callers = 1 + random.nextInt(random.nextInt(4) + 1);
		int operations = Math.max(2, 14 / (clients * callers)) + random.nextInt(3);
		List<KeyPlan> keys = new ArrayList<>();
		for (int i = random.nextInt(random.nextInt(3) + 1); i >= 0; i--) {
			keys.add(KeyPlan.draw(random, "k" + (keys.size() + 1)));
		}
		Fairness fairness = (random.nextInt(4) == 0) ? Fairness.STRICT : Fairness.BOUNDED;
		boolean awaitRelease = random.nextInt(3) != 0;
		int timeout = TIMEOUTS[random.nextInt(TIMEOUTS.length)];
		int servers = (random.nextInt(2) == 0) ? 1 : 3;
		int lag = (random.nextInt(3) > 0) ? 400 : 1 + random.nextInt(40_000);
		boolean readOnly = random.nextInt(8) == 0;
		boolean patient = random.nextInt(5) == 0;
		boolean troubled = random.nextInt(3) == 0;
		boolean idle = random.nextInt(50) == 0;
		List<Fault> faults = new ArrayList<>();
		int within = patient ? 2 * timeout : 20 + 40 * operations;
		for (int i = random.nextInt(5); i > 0; i--) {
			faults.add(Fault.draw(random, within, timeout));
		}
		if (random.nextInt(8) == 0) {
			faults.addAll(Fault.storm(random, within));
		}
		SplittableRandom more = new SplittableRandom(seed ^ 0x2545F4914F6CDD1DL);
		int least = deleteListed(more, within, keys, faults);
		// So many that somebody would notice if the others had no turn.
		boolean busy = more.nextInt(48) == 0 && !patient;
		return Drill.of(new Setup(seed, 0, Math.max(clients, least), callers, busy ? 4 * operations : operations,
				List.copyOf(keys), fairness, awaitRelease, timeout, servers, lag, readOnly, patient, troubled, idle,
				List.copyOf(faults), Drill.NONE));
	}

	// For that, several have to plan the same run.
	private static int deleteListed(SplittableRandom random, int within, List<KeyPlan> keys, List<Fault> faults) {
		if (random.nextInt(10) != 0) {
			return 1;
		}
		faults.add(new Fault(Fault.Kind.DELETE_LISTED, random.nextInt(within), random.nextInt(12), 0, within));
		if (!random.nextBoolean()) {
			return 1;
		}
		keys.clear();
		keys.add(new KeyPlan("k1", KeyPlan.Use.TICK, 1, 0, false));
		return 3;
	}

	/**
	 * Return the same as a schedule of another kind.
	 */
	Setup as(Drill other, int otherClients, int otherCallers, int otherOperations, List<KeyPlan> otherKeys,
			int otherServers, List<Fault> otherFaults) {
		return new Setup(this.seed, 0, otherClients, otherCallers, otherOperations, List.copyOf(otherKeys),
				this.fairness, this.awaitRelease, this.timeoutMillis, otherServers, this.lagMicros, this.readOnly,
				other.isPatient(), this.troubled && other != Drill.RECOVERY, false, List.copyOf(otherFaults), other);
	}

	/**
	 * Return the same with another session timeout.
	 */
	Setup withTimeout(int millis) {
		return new Setup(this.seed, this.order, this.clients, this.callers, this.operations, this.keys, this.fairness,
				this.awaitRelease, millis, this.servers, this.lagMicros, this.readOnly, this.patient, this.troubled,
				this.idle, this.faults, this.drill);
	}

	/**
	 * Return set-ups of which each is a little smaller, the smallest first.
	 */
	List<Setup> smaller() {
		List<Setup> smaller = new ArrayList<>(withFewerFaults());
		if (this.clients > 1) {
			smaller.add(with(this.clients - 1, this.callers, this.operations, this.keys));
		}
		if (this.callers > 1) {
			smaller.add(with(this.clients, this.callers - 1, this.operations, this.keys));
		}
		if (this.operations > 1) {
			smaller.add(with(this.clients, this.callers, this.operations / 2, this.keys));
			smaller.add(with(this.clients, this.callers, this.operations - 1, this.keys));
		}
		smaller.addAll(withSimplerKeys());
		if (this.troubled) {
			smaller.add(new Setup(this.seed, 0, this.clients, this.callers, this.operations, this.keys, this.fairness,
					this.awaitRelease, this.timeoutMillis, this.servers, this.lagMicros, this.readOnly, this.patient,
					false, this.idle, this.faults, this.drill));
		}
		if (this.servers > 1) {
			smaller.add(new Setup(this.seed, 0, this.clients, this.callers, this.operations, this.keys, this.fairness,
					this.awaitRelease, this.timeoutMillis, 1, this.lagMicros, false, this.patient, this.troubled,
					this.idle, this.faults, this.drill));
		}
		return smaller;
	}

	private List<Setup> withFewerFaults() {
		List<Setup> smaller = new ArrayList<>();
		int half = this.faults.size() / 2;
		if (half > 1) {
			smaller.add(withFaults(this.faults.subList(0, half)));
			smaller.add(withFaults(this.faults.subList(half, this.faults.size())));
		}
		for (int i = 0; i < this.faults.size(); i++) {
			List<Fault> others = new ArrayList<>(this.faults);
			others.remove(i);
			smaller.add(withFaults(others));
		}
		return smaller;
	}

	private List<Setup> withSimplerKeys() {
		List<Setup> smaller = new ArrayList<>();
		for (int i = 0; i < this.keys.size(); i++) {
			List<KeyPlan> others = new ArrayList<>(this.keys);
			KeyPlan removed = others.remove(i);
			if (!others.isEmpty()) {
				smaller.add(with(this.clients, this.callers, this.operations, List.copyOf(others)));
			}
			KeyPlan simpler = removed.simpler();
			if (!simpler.equals(removed)) {
				others.add(i, simpler);
				smaller.add(with(this.clients, this.callers, this.operations, List.copyOf(others)));
			}
		}
		return smaller;
	}

	private Setup with(int fewerClients, int fewerCallers, int fewerOperations, List<KeyPlan> fewerKeys) {
		return new Setup(this.seed, 0, fewerClients, fewerCallers, fewerOperations, fewerKeys, this.fairness,
				this.awaitRelease, this.timeoutMillis, this.servers, this.lagMicros, this.readOnly, this.patient,
				this.troubled, this.idle, this.faults, this.drill);
	}

	private Setup withFaults(List<Fault> fewer) {
		return new Setup(this.seed, 0, this.clients, this.callers, this.operations, this.keys, this.fairness,
				this.awaitRelease, this.timeoutMillis, this.servers, this.lagMicros, this.readOnly, this.patient,
				this.troubled, this.idle, List.copyOf(fewer), this.drill);
	}

	Setup withOrder(int other) {
		return new Setup(this.seed, other, this.clients, this.callers, this.operations, this.keys, this.fairness,
				this.awaitRelease, this.timeoutMillis, this.servers, this.lagMicros, this.readOnly, this.patient,
				this.troubled, this.idle, this.faults, this.drill);
	}

	/**
	 * Return the servers for it.
	 */
	EnsembleSettings ensemble() {
		EnsembleSettings settings = EnsembleSettings.defaults()
			.withServers(this.servers)
			.withTickTime(TICK_MILLIS)
			.withSessionTimeouts(2 * TICK_MILLIS, 60_000)
			.withLag(TimeUnit.MICROSECONDS.toNanos(this.lagMicros));
		return (this.readOnly && this.servers > 1) ? settings.withReadOnlyMode() : settings;
	}

	/**
	 * Return the seed of the schedule.
	 */
	long scheduleSeed() {
		return this.seed + 0x9E3779B97F4A7C15L * this.order;
	}

	/**
	 * Return what the callers' own choices come from.
	 */
	SplittableRandom randomOf(int client, int caller) {
		return new SplittableRandom(this.seed * 1000 + client * 31L + caller);
	}

	/**
	 * Return whether some round trips have a place in half a tick.
	 */
	boolean answersInTime() {
		return this.servers == 1 || TimeUnit.MILLISECONDS.toMicros(TICK_MILLIS) >= LAGS_PER_TICK * this.lagMicros;
	}

	/**
	 * Return whether the servers hear of each other at once.
	 */
	boolean isQuick() {
		return this.servers == 1 || this.lagMicros < 1000;
	}

	/**
	 * Return whether nothing goes wrong.
	 */
	boolean isCalm() {
		return this.faults.isEmpty();
	}

	/**
	 * Return whether the servers hear of each other at once, and nothing goes wrong but
	 * this.
	 */
	boolean isTimely(Fault.Kind... but) {
		return isQuick() && this.faults.stream().allMatch((fault) -> List.of(but).contains(fault.kind()));
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT,
				"seed %d%s%s: %d client(s) x %d caller(s) x %d operations; keys %s; %s, %s release, session timeout %d ms, %d server(s), lag %d us%s%s%s%s; "
						+ "faults %s",
				this.seed, (this.order != 0) ? " (order " + this.order + ")" : "",
				(this.drill != Drill.NONE) ? " (" + this.drill + ")" : "", this.clients, this.callers, this.operations,
				this.keys, this.fairness, this.awaitRelease ? "SYNC" : "ASYNC", this.timeoutMillis, this.servers,
				this.lagMicros, this.readOnly ? ", read-only mode" : "", this.patient ? ", long holds" : "",
				this.troubled ? ", cancels and nested requests" : "", this.idle ? ", idle at the end" : "",
				this.faults);
	}

}
