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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.zklock.zookeeper.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/**
 * One schedule from its first step to its last: the servers, the clients, what goes wrong
 * and the judge.
 */
final class World {

	private static final int MOST_STEPS = 60_000;

	/**
	 * How long somebody may wait for a lock that nobody holds, if nothing goes wrong and
	 * the servers are quick.
	 */
	private static final long CALM_SLEEP = TimeUnit.MILLISECONDS.toNanos(700);

	/** So many times the servers may need each other for a lock. */
	private static final int SERVER_MESSAGES = 40;

	private static final long SLEEP = TimeUnit.MILLISECONDS.toNanos(5000);

	private static final long END = TimeUnit.SECONDS.toNanos(120);

	private static final long IDLE = TimeUnit.SECONDS.toNanos(130);

	private final Setup setup;

	private final Schedule schedule;

	private final Counts counts = new Counts();

	private final Judge judge;

	private final LossCauses causes = new LossCauses(this);

	private final SimulatedEnsemble ensemble;

	private final Lane lane;

	private final Lane register;

	private final List<Client> clients = new ArrayList<>();

	private final @Nullable PlainCurator neighbour;

	private final MadeUpTick madeUp;

	// The keys for which somebody waits for too long, though not for ever.
	private final Set<String> late = new HashSet<>();

	private final long start;

	// When all that goes wrong has gone wrong, and its effects are over.
	private long calmFrom;

	World(Setup setup, boolean traced) {
		this.setup = setup;
		this.schedule = new Schedule(setup.scheduleSeed());
		if (setup.drill() == Drill.RECOVERY) {
			this.schedule.begin(MadeUpTick.BEGIN);
		}
		if (traced) {
			this.schedule.trace().keep();
		}
		this.judge = new Judge(this.schedule, this.counts);
		this.ensemble = new SimulatedEnsemble(this.schedule, setup.ensemble());
		this.lane = this.schedule.lane("world");
		this.register = this.schedule.pool("register");
		this.start = this.schedule.now();
		long lastFault = setup.faults().stream().mapToLong(Fault::endMillis).max().orElse(0);
		this.calmFrom = this.start;
		if (!setup.isCalm()) {
			disturbed(lastFault);
		}
		this.madeUp = new MadeUpTick(this);
		Faults faults = new Faults(this);
		for (Fault fault : setup.faults()) {
			later(TimeUnit.MILLISECONDS.toNanos(fault.atMillis()), fault.toString(), () -> faults.deal(fault));
		}
		for (int i = 0; i < setup.clients(); i++) {
			this.clients.add(new Client(this, i));
		}
		if (setup.drill() == Drill.PAUSES) {
			new Pauses(this);
		}
		this.neighbour = (setup.drill() == Drill.NEIGHBOUR) ? new PlainCurator(this) : null;
	}

	Setup setup() {
		return this.setup;
	}

	Schedule schedule() {
		return this.schedule;
	}

	Judge judge() {
		return this.judge;
	}

	Counts counts() {
		return this.counts;
	}

	SimulatedEnsemble ensemble() {
		return this.ensemble;
	}

	List<Client> clients() {
		return this.clients;
	}

	MadeUpTick madeUp() {
		return this.madeUp;
	}

	LossCauses causes() {
		return this.causes;
	}

	/**
	 * Something goes wrong for a time from now on.
	 */
	void disturbed(long millis) {
		long effects = TimeUnit.MILLISECONDS.toNanos(millis + 2L * this.setup.timeoutMillis() + 3000);
		this.calmFrom = Math.max(this.calmFrom, this.schedule.now() + effects);
	}

	/**
	 * Return whether nothing goes wrong.
	 */
	boolean isCalm() {
		return this.setup.isCalm();
	}

	/**
	 * Do something later, whatever stands still.
	 */
	void later(long nanos, String what, Runnable action) {
		this.lane.after(nanos, what, action);
	}

	/**
	 * Let a write under a lock arrive at its resource.
	 */
	void write(Hold hold, long nanos) {
		this.register.after(nanos, "write", () -> this.judge.wrote(hold));
	}

	/**
	 * Run the schedule to its end.
	 * @throws Violation if a promise is broken
	 */
	void run() {
		StepFailures.during(this.judge, () -> {
			until("work", END, this::isDone);
			until("clean up", END, this::isClean);
			if (this.setup.faults().stream().allMatch((fault) -> fault.kind() == Fault.Kind.DELETE_NODE)) {
				this.judge.handDeletes().requireAllTold();
			}
			if (this.setup.isTimely(Fault.Kind.LOSE_EVENT, Fault.Kind.DELETE_NODE)) {
				this.judge.handDeletes().requireAllNoticed();
			}
			if (this.setup.idle()) {
				long idleUntil = this.schedule.now() + IDLE;
				until("idle", IDLE * 2, () -> this.schedule.now() > idleUntil);
				requireBaseline();
			}
			if (this.neighbour != null) {
				this.neighbour.close();
			}
			List<CompletableFuture<Void>> ends = this.clients.stream().map(Client::end).toList();
			until("shutdown", END, () -> ends.stream().allMatch(CompletableFuture::isDone));
			until("end of sessions", END, this::isNothingLeft);
		});
		this.counts.schedules++;
		this.counts.steps += this.schedule.steps();
		this.counts.ticks += this.judge.ticks().runs();
		this.counts.recoveries += (this.setup.drill() == Drill.RECOVERY) ? 1 : 0;
		this.counts.repetitions += this.judge.ticks().repetitions();
		this.counts.virtualNanos += this.schedule.now() - this.start;
	}

	private void until(String phase, long bound, BooleanSupplier done) {
		this.schedule.trace().note(() -> "phase: " + phase);
		long from = Math.max(this.schedule.now(), this.calmFrom);
		while (!done.getAsBoolean()) {
			if (!this.schedule.step()) {
				throw violation("liveness", phase + " does not end, and nothing is left to do");
			}
			this.judge.throwFirst();
			this.judge.losses().requireAllTold();
			requireNobodyAsleep();
			this.madeUp.requireInTime(this.calmFrom);
			if (this.schedule.steps() > MOST_STEPS || this.schedule.now() > from + bound) {
				throw violation("liveness", phase + " does not end");
			}
		}
		this.judge.throwFirst();
	}

	private Violation violation(String invariant, String what) {
		List<String> activities = this.clients.stream().flatMap((client) -> client.activities().stream()).toList();
		return new Violation(invariant,
				what + " after " + this.schedule.steps() + " steps and "
						+ (this.schedule.now() - this.start) / 1_000_000 + " ms: " + activities + ", " + leftovers()
						+ ", " + this.ensemble.watches() + " watches, sessions " + this.ensemble.sessions());
	}

	private void requireNobodyAsleep() {
		if (this.schedule.now() < this.calmFrom) {
			return;
		}
		for (KeyPlan plan : this.setup.keys()) {
			long asleep = Math.min(this.judge.asleep(plan.key()), this.schedule.now() - this.calmFrom);
			countLate(plan.key(), asleep);
			if (isCalm() && this.setup.isQuick()) {
				this.counts.longestSleep = Math.max(this.counts.longestSleep, asleep);
			}
			if (asleep > longestSleep()) {
				throw violation("liveness",
						"nobody has had '" + plan.key() + "' for " + asleep / 1_000_000 + " ms, and somebody waits");
			}
		}
	}

	private long longestSleep() {
		return isCalm() ? calmSleep() : SLEEP;
	}

	private long calmSleep() {
		return CALM_SLEEP + SERVER_MESSAGES * TimeUnit.MICROSECONDS.toNanos(this.setup.lagMicros());
	}

	// No event has woken who waits: only the look that is repeated every two seconds
	// does.
	private void countLate(String key, long asleep) {
		if (asleep <= calmSleep()) {
			this.late.remove(key);
		}
		else if (this.late.add(key)) {
			this.counts.lateWakes++;
		}
	}

	private boolean isDone() {
		return this.lane.size() == 0 && this.clients.stream().allMatch(Client::isFinished) && this.madeUp.isOver()
				&& (this.neighbour == null || this.neighbour.isFinished());
	}

	private boolean isClean() {
		return this.lane.size() == 0 && this.judge.isNobodyInside() && leftovers().isEmpty();
	}

	/**
	 * Return what is left of locks, at the servers and in the clients.
	 */
	private List<String> leftovers() {
		List<String> leftovers = new ArrayList<>();
		for (Client client : this.clients) {
			String left = client.process().leftovers();
			if (!left.isEmpty()) {
				leftovers.add(client.process().name() + " " + left);
			}
		}
		for (Map.Entry<String, NodeView> node : this.ensemble.nodes().entrySet()) {
			// The stamp of a process that has ended stays until somebody wants the key.
			boolean stamp = node.getKey().contains("least-")
					&& this.setup.faults().stream().anyMatch((fault) -> fault.kind().cause() == Fault.Cause.CRASH);
			if (isOfLock(node.getKey()) && !stamp) {
				leftovers.add(node.getKey());
			}
		}
		return leftovers;
	}

	/**
	 * Return whether a node stands for a lock, or keeps one taken: it is below that of a
	 * key.
	 */
	static boolean isOfLock(String path) {
		return path.startsWith("/locks/k") && path.indexOf('/', 8) > 0;
	}

	private void requireBaseline() {
		if (this.ensemble.watches() > 0) {
			throw new Violation("I4", this.ensemble.watches() + " watches are left of clients that do nothing");
		}
		for (NodeView node : this.ensemble.nodes().values()) {
			if (node.ephemeralOwner() > 0 && this.ensemble.sessions().contains(node.ephemeralOwner())) {
				throw new Violation("I4", node.path() + " is left of clients that do nothing");
			}
		}
	}

	// The servers apply the end of the last session one after the other.
	private boolean isNothingLeft() {
		return this.ensemble.sessions().isEmpty() && this.ensemble.watches() == 0 && leftovers().isEmpty();
	}

	SimulatedProcess processOf(Fault fault) {
		return clientOf(fault).process();
	}

	Client clientOf(Fault fault) {
		return this.clients.get(fault.client() % this.clients.size());
	}

}
