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

package io.github.zklock.test.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.core.spi.JobStore.Pause;

/**
 * Does to the locks of an application what other processes, ZooKeeper and time do to
 * them. A test then sees how its code reacts. Nothing of it sleeps.
 * <p>
 * There is one state for all tests that use a provider. Tests that run at the same time
 * need providers of their own, or keys of their own if none resets or moves the time.
 *
 * @since 0.1.0
 */
public class InMemoryLockTesting {

	private static final String ANOTHER = "another-process";

	// After the ticks of every scheduler that runs in a test as well, which are refused
	// then, since they are earlier.
	private static final Instant START = Instant.parse("2100-01-01T00:00:00Z");

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final InMemoryLockProvider provider;

	private volatile long tokenBefore;

	private volatile Instant now = START;

	/**
	 * Create it.
	 * @param provider the provider that is tested with
	 */
	public InMemoryLockTesting(InMemoryLockProvider provider) {
		this.provider = provider;
	}

	/**
	 * Hold a key as another process does, called {@code another-process}.
	 * @param key the key
	 * @return what to close for the key to be free again
	 * @throws LockNotAcquiredException if the key is not free
	 */
	public LockHandle hold(String key) {
		return hold(key, LockMode.EXCLUSIVE, ANOTHER);
	}

	/**
	 * Hold a key as another process does.
	 * @param key the key
	 * @param mode the mode
	 * @param holder what messages call that process
	 * @return what to close for the key to be free again
	 * @throws LockNotAcquiredException if the key is not free
	 */
	public LockHandle hold(String key, LockMode mode, String holder) {
		return this.provider.another(holder)
			.acquire(LockRequest.of(key).withMode(mode).withWait(Duration.ZERO).withOwner(new Object()));
	}

	/**
	 * Return the locks of another process, for what {@link #hold(String)} cannot do:
	 * permits, several keys, or a run of a job.
	 * @param name what messages call that process
	 * @return its locks
	 */
	public LockOperations another(String name) {
		return new LockTemplate(this.provider.another(name));
	}

	/**
	 * Lose the lock that the application holds on a key. Its listeners have been notified
	 * when this returns, and the next waiting request has the lock.
	 * @param key the key
	 * @throws AssertionError if the application does not hold the key
	 */
	public void lose(String key) {
		assertHeld(key);
		this.provider.lose(key);
	}

	/**
	 * End the session of the application: it loses all locks that it holds, as with
	 * {@link #lose}.
	 */
	public void expireSession() {
		this.provider.loseAll();
	}

	/**
	 * Interrupt the connection of the application to ZooKeeper. Until it is back, the
	 * locks that the application holds are
	 * {@link io.github.zklock.core.LockState#UNCERTAIN UNCERTAIN}. All requests, even
	 * waiting ones, fail with a {@link io.github.zklock.core.LockUnavailableException}.
	 * They fail at once; with ZooKeeper, they fail when the timeout is over.
	 * {@link #expireSession()} is what happens in the end if the connection does not come
	 * back in time.
	 * @return what to close for the connection to be back
	 */
	public Outage interruptConnection() {
		this.provider.disconnect();
		return this.provider::reconnect;
	}

	/**
	 * Move the time on: that for which locks are waited for and kept
	 * ({@code lockAtLeastFor}, periods), and {@link #now()}. Requests that have waited
	 * long enough are refused when this returns.
	 * @param time by how much
	 * @throws IllegalArgumentException if it is negative
	 */
	public void advance(Duration time) {
		if (time.isNegative()) {
			throw new IllegalArgumentException("The time to move on by is " + time + "; time cannot go back");
		}
		this.now = this.now.plus(time);
		this.provider.queues().clock().advance(time);
	}

	/**
	 * Return the time of the ticks. It stands still unless it is {@linkplain #advance
	 * moved}.
	 * @return the time, at first {@code 2100-01-01T00:00:00Z}
	 */
	public Instant now() {
		return this.now;
	}

	/**
	 * Kill the process that holds a key, for example in the middle of a job. It loses all
	 * its locks, and the end of its run is not recorded. If that process is the
	 * application, its method still goes on, since a test has one JVM.
	 * @param key the key
	 * @throws AssertionError if the key is not held
	 */
	public void killHolder(String key) {
		InMemoryLockHandle holder = this.provider.queues()
			.holding(key)
			.stream()
			.findFirst()
			.orElseThrow(() -> new AssertionError("No process holds '" + key + "'"));
		this.provider.loseAll(holder.node());
	}

	/**
	 * Pause a job, as another process does with {@link io.github.zklock.core.LockJobs}.
	 * Its planned runs are skipped until it is {@linkplain #resumeJob resumed}.
	 * @param schedule the explicit name of its lock, else its class and method, as in
	 * {@link io.github.zklock.core.LockTick#schedule()}
	 * @param key the key of its lock
	 */
	public void pauseJob(String schedule, String key) {
		jobs(schedule, key).forEach((job) -> this.provider.queues().pause(job, new Pause(this.now, ANOTHER)));
	}

	/**
	 * End the pause of a job.
	 * @param schedule the explicit name of its lock, else its class and method
	 * @param key the key of its lock
	 */
	public void resumeJob(String schedule, String key) {
		jobs(schedule, key).forEach((job) -> this.provider.queues().resume(job, this.now));
	}

	// Whether the job has a period is not known here.
	private static Stream<Job> jobs(String schedule, String key) {
		return Stream.of(true, false).map((periodic) -> new Job(schedule, periodic, key));
	}

	/**
	 * Return whether the application holds a key.
	 * @param key the key
	 * @return whether it does
	 */
	public boolean isHeld(String key) {
		return this.provider.queues().holding(key).stream().anyMatch((handle) -> handle.node() == this.provider.node());
	}

	/**
	 * Return the holders of a key: the application, or other processes.
	 * @param key the key
	 * @return the holders
	 */
	public List<LockHolder> holders(String key) {
		return this.provider.queues().holding(key).stream().map(InMemoryLockHandle::holder).toList();
	}

	/**
	 * Return how many requests wait for a key.
	 * @param key the key
	 * @return the number of requests
	 */
	public int waiting(String key) {
		return this.provider.queues().waiting(key);
	}

	/**
	 * Wait until so many requests wait for a key, such as the requests of threads that a
	 * test has begun.
	 * @param key the key
	 * @param count the number of requests
	 * @throws AssertionError if that is not so for 30 seconds, or the thread is
	 * interrupted
	 */
	public void awaitWaiting(String key, int count) {
		boolean interrupted = false;
		try {
			if (this.provider.queues().awaitWaiting(key, count, PATIENCE)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			interrupted = true;
		}
		throw new AssertionError(waiting(key) + " instead of " + count + " requests wait for '" + key + "'"
				+ (interrupted ? " when the test was interrupted" : ""));
	}

	/**
	 * Assert that the application holds a key.
	 * @param key the key
	 * @throws AssertionError if it does not, with the holders
	 */
	public void assertHeld(String key) {
		if (!isHeld(key)) {
			throw new AssertionError("The application does not hold '" + key + "': " + describe(key));
		}
	}

	/**
	 * Assert that a key is free: it is not held, kept or waited for.
	 * @param key the key
	 * @throws AssertionError if it is not, with the holder
	 */
	public void assertFree(String key) {
		if (this.provider.queues().first(key) != null) {
			throw new AssertionError("'" + key + "' is not free: " + describe(key));
		}
	}

	/**
	 * Forget the effects of the test. These are keys that other processes hold or keep,
	 * runs of jobs, interruptions and the time. The locks that the application has
	 * acquired during the test, and still holds, are lost. Locks from the time before
	 * stay. Requests that wait are refused.
	 */
	public void reset() {
		this.now = START;
		this.provider.reset(this.tokenBefore);
	}

	/**
	 * Called when a test begins. Locks that the application holds by now stay.
	 */
	protected void begin() {
		this.tokenBefore = this.provider.queues().lastToken();
	}

	private String describe(String key) {
		List<LockHolder> holders = holders(key);
		InMemoryLockHandle first = this.provider.queues().first(key);
		if (!holders.isEmpty() || first == null) {
			return holders.isEmpty() ? "it is free" : "it is held by " + holders.get(0);
		}
		return "its last holder, " + first.holder() + ", keeps it at least " + first.request().lockAtLeastFor();
	}

	/**
	 * A time without connection.
	 */
	@FunctionalInterface
	public interface Outage extends AutoCloseable {

		/**
		 * Let the connection come back. Locks that were not lost meanwhile are held
		 * again.
		 */
		@Override
		void close();

	}

}
