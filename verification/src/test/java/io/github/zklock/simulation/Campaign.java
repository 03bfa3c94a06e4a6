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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Plays the schedules of many seeds, on all processors: each of them on one thread.
 */
final class Campaign {

	// The tests that run beside it want the processors too.
	private static final int THREADS_PER_PROCESSOR = 2;

	// A schedule takes milliseconds. One of its steps that never ends would stop the
	// campaign.
	private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(3);

	/** One of so many schedules is one of recovery, if they are mixed. */
	static final int RECOVERIES = 5;

	private final long firstSeed;

	private final long schedules;

	private final long until;

	private final Drill only;

	private boolean mixed;

	private final AtomicLong played = new AtomicLong();

	private final AtomicLong nextSeed;

	private final AtomicReference<@Nullable Outcome> broken = new AtomicReference<>();

	private final Map<Thread, Playing> playing = new ConcurrentHashMap<>();

	private final Counts counts = new Counts();

	private final long begin = System.nanoTime();

	private long nanos;

	/**
	 * Create a campaign.
	 * @param firstSeed the first seed
	 * @param schedules how many schedules at most
	 * @param nanos how long at most
	 * @param only which kind of schedules is played, if not {@code NONE}: the others are
	 * skipped and do not count
	 */
	Campaign(long firstSeed, long schedules, long nanos, Drill only) {
		this.firstSeed = firstSeed;
		this.nextSeed = new AtomicLong(firstSeed);
		this.schedules = schedules;
		this.until = nanos;
		this.only = only;
	}

	/**
	 * Make one of {@value #RECOVERIES} schedules one of recovery.
	 */
	Campaign mixed() {
		this.mixed = true;
		return this;
	}

	/**
	 * Play until one is broken, or all are played.
	 */
	Campaign run() {
		StepFailures.quietly(() -> {
			List<Thread> threads = new ArrayList<>();
			for (int i = THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors(); i > 0; i--) {
				Thread thread = new Thread(null, this::play, "simulation-" + i, 4L << 20);
				thread.setDaemon(true);
				thread.start();
				threads.add(thread);
			}
			threads.forEach(this::join);
		});
		this.nanos = System.nanoTime() - this.begin;
		return this;
	}

	private void join(Thread thread) {
		try {
			while (thread.isAlive()) {
				thread.join(1000);
				this.playing.values().forEach(Playing::failIfStuck);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void play() {
		Counts own = new Counts();
		while (this.played.getAndIncrement() < this.schedules && this.broken.get() == null
				&& System.nanoTime() - this.begin < this.until) {
			Setup setup = next();
			this.playing.put(Thread.currentThread(),
					new Playing(setup.seed(), Thread.currentThread(), System.nanoTime()));
			Outcome outcome = Outcome.of(setup, false);
			own.add(outcome.counts());
			if (outcome.isBroken()) {
				this.broken.compareAndSet(null, outcome);
			}
		}
		this.playing.remove(Thread.currentThread());
		synchronized (this.counts) {
			this.counts.add(own);
		}
	}

	private Setup next() {
		Setup setup = draw();
		while (this.only != Drill.NONE && setup.drill() != this.only) {
			setup = draw();
		}
		return setup;
	}

	private Setup draw() {
		long seed = this.nextSeed.getAndIncrement();
		boolean recovery = this.only == Drill.RECOVERY || (this.mixed && seed % RECOVERIES == 0);
		return Setup.draw(recovery ? -seed : seed);
	}

	long firstSeed() {
		return this.firstSeed;
	}

	/**
	 * Return the first schedule that broke a promise, if there is one.
	 */
	@Nullable Outcome broken() {
		return this.broken.get();
	}

	Counts counts() {
		return this.counts;
	}

	long millis() {
		return this.nanos / 1_000_000;
	}

	@Override
	public String toString() {
		return "seeds from " + this.firstSeed + ": " + this.counts + "; faults " + this.counts.faults + "; in "
				+ millis() + " ms";
	}

	private record Playing(long seed, Thread thread, long since) {

		void failIfStuck() {
			if (System.nanoTime() - this.since > LONGEST_NANOS) {
				IllegalStateException stuck = new IllegalStateException(
						"The schedule of seed " + this.seed + " does not end. Its thread is in this step");
				stuck.setStackTrace(this.thread.getStackTrace());
				throw stuck;
			}
		}

	}

}
