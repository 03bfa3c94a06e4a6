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

package io.github.zklock.test;

import java.time.Duration;
import java.time.Instant;

import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;

/**
 * Does to the locks of an application what other processes, ZooKeeper and time do to
 * them. A test then sees how its code reacts. Nothing of it sleeps. A bean of tests with
 * {@link AutoConfigureZkLock @AutoConfigureZkLock}, which is {@linkplain #reset reset}
 * after each test method, and of use without Spring as well.
 * <p>
 * There is one state for all tests of an application context, which each test resets.
 * Tests that run at the same time need contexts of their own.
 *
 * @since 0.1.0
 */
public final class LockTesting extends InMemoryLockTesting {

	/**
	 * Create it.
	 * @param provider the provider of the application
	 */
	public LockTesting(InMemoryLockProvider provider) {
		super(provider);
	}

	/**
	 * Run a job as the scheduler does at the tick of {@link #now()}. The guarded method
	 * that it calls first runs once per tick, and is skipped if the tick has run.
	 * @param job what calls the method, on this thread
	 */
	public void runTick(Runnable job) {
		runTick(now(), job);
	}

	/**
	 * Run a job as the scheduler does at a tick.
	 * @param time the time that its cron expression has planned
	 * @param job what calls the guarded method, on this thread
	 */
	public void runTick(Instant time, Runnable job) {
		ScheduledRun.callAt(time, job);
	}

	/**
	 * Start another node, which looks for a missed tick of a job at {@link #now()}. It
	 * runs the job if {@code recoverWithin} allows that: the run has died, or no node has
	 * run the tick and an earlier tick has run.
	 * @param job what calls the guarded method, on this thread
	 */
	public void startNode(Runnable job) {
		startNode(now(), job);
	}

	/**
	 * Start another node, which looks for a missed tick of a job.
	 * @param time the time of the latest tick, as its cron expression has planned it. It
	 * must be younger than {@code recoverWithin}
	 * @param job what calls the guarded method, on this thread
	 */
	public void startNode(Instant time, Runnable job) {
		ScheduledRun.callLate(time, job);
	}

	/**
	 * Run a job as the scheduler does that repeats it with {@code fixedRate} or
	 * {@code fixedDelay}. The guarded method that it calls first is skipped if another
	 * process has run it within 0.9 of the period.
	 * @param period the time between two runs
	 * @param job what calls the method, on this thread
	 */
	public void runEvery(Duration period, Runnable job) {
		ScheduledRun.callEvery(period, job);
	}

	/**
	 * Called when a test begins.
	 */
	void beginTest() {
		begin();
	}

}
