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
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.HolderSource;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.core.spi.RunOutcome;
import io.github.zklock.interceptor.SimulatedJob;
import io.github.zklock.scheduling.SimulatedScheduler;
import io.github.zklock.zookeeper.SimulatedProcess;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronTrigger;

/**
 * One tick of a job that every client makes up for, by the real classes of the scheduler
 * and of recovery. The job has run before. The clocks of the clients are up to 30 s
 * apart.
 */
final class MadeUpTick {

	/** When the schedule begins: on all clocks before the tick. */
	static final long BEGIN = TimeUnit.SECONDS.toNanos(402);

	private static final int APART_MILLIS = 30_000;

	private static final long LAST_TICK = 120_000;

	private static final Instant TICK = Instant.EPOCH.plusSeconds(420);

	private static final int ATTEMPTS = 3;

	private static final LockPaths PATHS = new LockPaths("", "/locks", null);

	private static final String PATH = PATHS.job(SimulatedJob.SCHEDULE, false, "k1");

	private static final String DIRECTORY = PATHS.directory("k1");

	// As JobRecovery waits.
	private static final long LONGEST_READ = TimeUnit.SECONDS.toNanos(5);

	/** A client waits for up to 32 s between two looks. The next tick is later. */
	private static final long BOUND = TimeUnit.SECONDS.toNanos(45);

	/** For so long no client may run the tick again. */
	private static final long QUIET = TimeUnit.SECONDS.toNanos(8);

	private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long LATEST_BEGIN = TimeUnit.MILLISECONDS.toNanos(300);

	private static final long LONGEST_STEP = TimeUnit.MICROSECONDS.toNanos(600);

	private static final long LONGEST_BODY = TimeUnit.MILLISECONDS.toNanos(500);

	private final World world;

	private final boolean played;

	private final SplittableRandom random;

	// How many attempts are interrupted, on nodes that live on.
	private final int interrupted;

	private final List<Fault> crashes = new ArrayList<>();

	private long slowest;

	private final Map<String, Armed> armed = new HashMap<>();

	private long nextLook;

	// Whether one of its runs has come to its end.
	private boolean done;

	private long lastEnd;

	// When the record had its end, or no attempt was left.
	private @Nullable Long over;

	private @Nullable JobPause pause;

	// When its first attempt began.
	private @Nullable Instant began;

	MadeUpTick(World world) {
		this.world = world;
		this.played = world.setup().drill() == Drill.RECOVERY;
		this.random = world.setup().randomOf(-2, 0);
		this.interrupted = Math.max(world.setup().randomOf(-3, 0).nextInt(9) - 6, 0);
		if (this.played) {
			world.later(1, "the job has run before", this::seed);
			world.ensemble().fail((name, type, path) -> asked(name));
		}
	}

	private void seed() {
		JobRecord.Run run = new JobRecord.Run(LAST_TICK, false, "1", 1, "z9f-1-lock-0000000001", "9f", LAST_TICK,
				LAST_TICK + 1, RunOutcome.DONE, 1);
		byte[] data = JobRecord.of(SimulatedJob.SCHEDULE, "k1").with(run, new byte[0], 0).data();
		this.world.ensemble().create("/locks", new byte[0], CreateMode.PERSISTENT);
		this.world.ensemble().create("/locks/~jobs", new byte[0], CreateMode.PERSISTENT);
		this.world.ensemble().create(PATH, data, CreateMode.PERSISTENT);
	}

	/**
	 * A process starts.
	 */
	void start(Client client, SimulatedProcess process, Caller caller) {
		int ahead = this.world.setup().randomOf(client.index(), -100).nextInt(APART_MILLIS);
		Duration clock = Duration.ofMillis(ahead - APART_MILLIS / 2);
		long due = Duration.between(Instant.EPOCH.plus(clock), TICK).toNanos();
		this.slowest = Math.max(this.slowest, due);
		SimulatedJob job = new SimulatedJob((HolderSource) process.provider());
		Lane lane = process.lane("-scheduler");
		SimulatedScheduler scheduler = new SimulatedScheduler(lane, this.world.schedule()::now, clock,
				() -> read(process, job, lane));
		Runnable task = () -> {
			Run run = new Run(client, job.call(LockRequest.of("k1").withOwner(process.name()).withWait(Duration.ZERO)));
			scheduler.goesOn(run.over);
			if (run.isTick()) {
				crash(client, process);
			}
			caller.ask(run);
		};
		// An application schedules its tasks before there is a session, or later.
		long later = this.random.nextBoolean() ? 0 : this.random.nextLong(LATEST_BEGIN);
		lane.after(later, "tasks are scheduled",
				() -> job.begin(scheduler.plan(task, new CronTrigger(SimulatedJob.CRON, ZoneOffset.UTC))));
	}

	private CompletableFuture<?> read(SimulatedProcess process, SimulatedJob job, Lane lane) {
		CompletableFuture<@Nullable State> read = JobReading.of(process.handle(), PATH, DIRECTORY);
		lane.after(LONGEST_READ, "has read for long enough", () -> read.complete(null));
		return read.thenAccept(job::read);
	}

	/**
	 * Let a process be gone at its next run.
	 */
	void crashInRun(Fault fault) {
		this.crashes.add(fault);
	}

	/**
	 * Pause the job for a time.
	 */
	void pause(Fault fault) {
		this.pause = new JobPause(this.world, PATH, TimeUnit.MILLISECONDS.toNanos(fault.millis()));
	}

	private boolean isInPause() {
		return this.pause != null && this.pause.contains(TICK);
	}

	private void crash(Client client, SimulatedProcess process) {
		Fault crash = this.crashes.stream()
			.filter((fault) -> this.world.clientOf(fault) == client)
			.findFirst()
			.orElse(null);
		if (crash != null) {
			this.crashes.remove(crash);
			this.armed.put(process.name(), new Armed(client, process, crash));
		}
	}

	private @Nullable Code asked(String name) {
		Armed crash = this.armed.get(name);
		if (crash != null && crash.left-- == 0) {
			this.armed.remove(name);
			long after = this.random.nextLong((this.random.nextInt(3) == 0) ? LONGEST_BODY : LONGEST_STEP);
			this.world.later(after, name + " crashes in its run", () -> crash(crash));
		}
		return null;
	}

	private void crash(Armed crash) {
		if (crash.client.process() == crash.process) {
			this.world.disturbed(crash.fault.millis());
			crash.client.crash(TimeUnit.MILLISECONDS.toNanos(crash.fault.millis()));
		}
	}

	/**
	 * Return whether the tick has run, and no client can still look for it.
	 */
	boolean isOver() {
		long now = this.world.schedule().now();
		return !this.played || (this.over != null && now > this.over + QUIET && now > this.slowest + QUIET);
	}

	/**
	 * A tick whose runner has died, or that no node has run, has run a time after
	 * everything has gone wrong, or after its last attempt was interrupted.
	 */
	void requireInTime(long calmFrom) {
		long now = this.world.schedule().now();
		if (!this.played || this.over != null || now < this.nextLook) {
			return;
		}
		this.nextLook = now + BETWEEN_LOOKS;
		if (this.world.ensemble().node(PATH) == null) {
			// A server that was down, or crashed, has not written it.
			seed();
		}
		if (this.pause != null && !this.pause.isOver()) {
			return;
		}
		if (isSettled()) {
			this.over = now;
		}
		else if (now > Math.max(Math.max(calmFrom, this.slowest), this.lastEnd) + BOUND) {
			throw this.world.judge().violated("at least once", "no client makes up for the tick at " + TICK, null);
		}
	}

	// What the last attempt was is known from the record only: its process may be gone.
	private boolean isSettled() {
		NodeView node = this.world.ensemble().node(PATH);
		JobRecord record = (node != null) ? JobRecord.parse(node.data()) : null;
		JobRecord.Attempt attempt = (record != null) ? record.attempt(TICK.toEpochMilli()) : null;
		if (record == null || attempt == null) {
			return isExcused();
		}
		if (this.began == null) {
			this.began = Instant.ofEpochMilli(record.last().began());
		}
		if (attempt.outcome() == RunOutcome.DONE && !this.done) {
			throw this.world.judge().violated("at least once", "the record has an end that no run has come to", null);
		}
		boolean held = this.world.ensemble().node(DIRECTORY + "/" + record.last().lock()) != null;
		return !attempt.isUnfinished() || (attempt.number() >= ATTEMPTS && !held) || isExcused();
	}

	// No node looks for a tick of a pause. A node whose clock is behind may run it after
	// the pause, and die.
	private boolean isExcused() {
		boolean before = this.began != null && this.pause != null && this.pause.isAfter(this.began);
		return isInPause() && !before && this.world.schedule().now() > this.slowest + QUIET;
	}

	/**
	 * One call of the job.
	 */
	final class Run {

		private final Client client;

		private final SimulatedJob.Call call;

		private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

		private final boolean afterPause;

		private Run(Client client, SimulatedJob.Call call) {
			this.client = client;
			this.call = call;
			this.afterPause = isInPause();
		}

		LockRequest request() {
			return this.call.request().withName(this.client.process().name());
		}

		private boolean isTick() {
			return TICK.equals(request().tick().time());
		}

		void begins(LockHandle handle) {
			boolean repeats = WorkRecords.attempt(handle) > 1;
			if (isTick() && (request().tick().isRecovery() || repeats)) {
				MadeUpTick.this.world.counts().madeUp++;
				if (this.afterPause && !repeats) {
					throw MadeUpTick.this.world.judge()
						.violated("pause", this.client.process().name() + " makes up for a tick of a pause", null);
				}
			}
			this.call.begins(handle);
		}

		/**
		 * Its work is over.
		 * @param done whether it has come to its end under its lock
		 */
		void ends(Hold hold, boolean done) {
			boolean cut = isTick() && WorkRecords.attempt(hold.handle()) <= MadeUpTick.this.interrupted;
			boolean ended = done && !cut;
			WorkRecords.ended(hold.handle(), ended ? RunOutcome.DONE : RunOutcome.INTERRUPTED);
			this.call.ends(hold.handle());
			MadeUpTick.this.done |= ended && isTick();
			if (isTick()) {
				MadeUpTick.this.lastEnd = MadeUpTick.this.world.schedule().now();
			}
		}

		void refused(LockException refusal) {
			this.call.refused(refusal);
		}

		/**
		 * Its thread has nothing to do.
		 */
		void isOver() {
			this.over.complete(null);
		}

	}

	/**
	 * A process that is gone at one of its next requests.
	 */
	private static final class Armed {

		private final Client client;

		private final SimulatedProcess process;

		private final Fault fault;

		private int left;

		private Armed(Client client, SimulatedProcess process, Fault fault) {
			this.client = client;
			this.process = process;
			this.fault = fault;
			this.left = fault.server();
		}

	}

}
