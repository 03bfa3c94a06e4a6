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

package io.github.zklock.leader.internal;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.leader.LeadershipRevoked.Reason;
import io.github.zklock.leader.internal.LeaderStatus.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Asks for a role, leads it, and asks again, on a thread of its own. It stops just before
 * the phase of the beans, which it has stopped when Spring comes to them.
 */
final class RoleRace implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(RoleRace.class);

	private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	private static final int MOST_DOUBLINGS = 6;

	private final ElectedRoles node;

	private final String role;

	private final RoleBeans beans;

	private final boolean enabled;

	private final LockRequest request;

	private final AtomicLong overruns = new AtomicLong();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private Course course = Course.STOPPED;

	private volatile State idle = State.OUT;

	private volatile @Nullable RoleTerm term;

	private @Nullable CompletableFuture<LockHandle> asked;

	private CompletableFuture<@Nullable Void> ended = CompletableFuture.completedFuture(null);

	private long notBefore = System.nanoTime();

	private int failures;

	RoleRace(ElectedRoles node, String role, RoleBeans beans, boolean enabled, Duration delay) {
		this.node = node;
		this.role = role;
		this.beans = beans;
		this.enabled = enabled;
		this.request = RoleFinder.request(role).withWait(LockRequest.FOREVER);
		postpone(delay);
	}

	@Override
	public boolean isAutoStartup() {
		return true;
	}

	@Override
	public int getPhase() {
		int phase = this.beans.phase();
		return (phase < Integer.MAX_VALUE) ? phase + 1 : phase;
	}

	@Override
	public void start() {
		requireStopped();
		this.lock.lock();
		try {
			if (this.course == Course.STOPPED) {
				this.course = Course.RUNNING;
				this.ended = new CompletableFuture<>();
				Thread runner = new Thread(null, this::run, "zk-lock-leader-" + this.role, 0, false);
				runner.setDaemon(true);
				// The default depends on the version of Java.
				runner.setContextClassLoader(this.node.classLoader());
				runner.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Refuse beans that run although this node does not lead. */
	void requireStopped() {
		if (isHeld()) {
			return;
		}
		try {
			this.beans.requireStopped();
		}
		catch (InvalidLockUsageException ex) {
			// The role may have started them meanwhile.
			if (!isHeld()) {
				throw ex;
			}
		}
	}

	@Override
	public boolean isRunning() {
		this.lock.lock();
		try {
			return this.course != Course.STOPPED;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void stop() {
		stopping().join();
	}

	@Override
	public void stop(Runnable callback) {
		stopping().thenRun(callback);
	}

	private CompletableFuture<@Nullable Void> stopping() {
		this.lock.lock();
		try {
			if (this.course == Course.RUNNING) {
				this.course = Course.STOPPING;
			}
		}
		finally {
			this.lock.unlock();
		}
		withdraw(Reason.SHUT_DOWN);
		return this.ended;
	}

	/**
	 * Give the role up, or the place in its queue.
	 * @return whether this node led the role
	 */
	boolean withdraw(Reason reason) {
		RoleTerm served;
		this.lock.lock();
		try {
			served = this.term;
			cancelRequest();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		return served != null && served.held().revoke(reason);
	}

	/** Give the role up, if this node leads it. */
	boolean yield() {
		RoleTerm served = this.term;
		return served != null && served.held().revoke(Reason.YIELDED);
	}

	/**
	 * Ask for the role later, behind the nodes that ask meanwhile. Has no effect if this
	 * node has got it.
	 */
	void postpone(Duration delay) {
		this.lock.lock();
		try {
			this.notBefore = Math.max(this.notBefore - System.nanoTime(), delay.toNanos()) + System.nanoTime();
			cancelRequest();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Look again whether this node may ask for the role. */
	void signal() {
		this.lock.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void cancelRequest() {
		if (this.asked != null) {
			this.asked.cancel(false);
		}
	}

	boolean isHeld() {
		return this.term != null;
	}

	LeaderStatus status() {
		RoleTerm served = this.term;
		return (served != null)
				? new LeaderStatus(this.role, served.state(), served.held(), served.held().ledFor(),
						this.overruns.get())
				: new LeaderStatus(this.role, this.idle, null, Duration.ZERO, this.overruns.get());
	}

	private void run() {
		try {
			while (isTurn()) {
				LockHandle handle = ask();
				if (handle != null) {
					lead(handle);
				}
			}
		}
		finally {
			CompletableFuture<@Nullable Void> done;
			this.lock.lock();
			try {
				this.idle = State.OUT;
				this.course = Course.STOPPED;
				done = this.ended;
			}
			finally {
				this.lock.unlock();
			}
			done.complete(null);
		}
	}

	// Returns false when the race is over.
	private boolean isTurn() {
		this.lock.lock();
		try {
			while (this.course == Course.RUNNING) {
				boolean out = isOut();
				this.idle = out ? State.OUT : State.WAITING;
				long left = this.notBefore - System.nanoTime();
				if (!out && left <= 0) {
					return true;
				}
				await(out ? Long.MAX_VALUE : left);
			}
			return false;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void await(long nanos) {
		try {
			this.changed.awaitNanos(nanos);
		}
		catch (InterruptedException ex) {
			logger.debug("The interrupt of the thread of role '{}' has no effect", this.role);
		}
	}

	private boolean isOut() {
		return !this.enabled || !this.node.isReady();
	}

	private @Nullable LockHandle ask() {
		try {
			CompletableFuture<LockHandle> future = this.node.provider().acquireAsync(this.request);
			remember(future);
			return future.get();
		}
		catch (CancellationException ex) {
			return null;
		}
		catch (ExecutionException ex) {
			refused(Objects.requireNonNullElse(ex.getCause(), ex));
			return null;
		}
		catch (InterruptedException ex) {
			withdraw(Reason.SHUT_DOWN);
			return null;
		}
		catch (RuntimeException ex) {
			refused(ex);
			return null;
		}
		finally {
			remember(null);
		}
	}

	private void remember(@Nullable CompletableFuture<LockHandle> future) {
		this.lock.lock();
		try {
			this.asked = future;
			if (this.course != Course.RUNNING || isOut() || this.notBefore - System.nanoTime() > 0) {
				cancelRequest();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void refused(Throwable failure) {
		Duration pause = nextPause();
		logger.warn("Role '{}' cannot be asked for, and is asked for again in {}s: {}", this.role, pause.toSeconds(),
				failure.toString());
		logger.debug("The failure of the request for role '{}'", this.role, failure);
		postpone(pause);
	}

	private Duration nextPause() {
		return pause(this.failures++);
	}

	static Duration pause(int failures) {
		Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

	private void lead(LockHandle handle) {
		HeldRole led = this.node.held(this.role, handle, Thread.currentThread(), this.overruns::incrementAndGet);
		RoleTerm served = new RoleTerm(led, this.beans, this.node.events());
		if (!enter(served)) {
			led.end();
			return;
		}
		this.node.granted(this);
		Reason reason = served.serve();
		this.term = null;
		this.failures = (reason == Reason.START_FAILED) ? this.failures : 0;
		postpone(pauseAfter(reason));
	}

	// The race may have ended, or the node may refuse traffic, since the grant.
	private boolean enter(RoleTerm next) {
		this.lock.lock();
		try {
			if (this.course != Course.RUNNING || isOut()) {
				return false;
			}
			this.term = next;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Duration pauseAfter(Reason reason) {
		return switch (reason) {
			case START_FAILED -> nextPause();
			case YIELDED -> FIRST_PAUSE;
			case LEASE_ENDS, LOST, NOT_READY, SHUT_DOWN -> this.node.delay();
		};
	}

	/** What Spring has asked for. */
	private enum Course {

		STOPPED, RUNNING, STOPPING

	}

}
