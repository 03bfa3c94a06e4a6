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
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.zookeeper.Fairness;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who asks for a lock, works under it, gives it back and asks again: a thread of
 * a process. It looks at its lock every few milliseconds, and goes on for as long as it
 * is not told of a loss.
 */
final class Caller {

	private static final Duration TRY = Duration.ofMillis(500);

	private static final Set<Fault.Kind> CRASHES = Set.of(Fault.Kind.CRASH, Fault.Kind.CRASH_IN_RUN);

	private static final int PAUSE_OF_A_TASK = 25;

	private static final long BEAT = TimeUnit.MILLISECONDS.toNanos(4);

	// A new session may refuse requests until its lease is proved.
	private static final Duration PROOF = Duration.ofSeconds(1);

	private final World world;

	private final Client client;

	private final SimulatedProcess process;

	private final String name;

	private final Lane lane;

	private final SplittableRandom random;

	private final CallerRequests requests;

	private final NestedRequest nested;

	private int left;

	private @Nullable Asked asked;

	private @Nullable Hold hold;

	private long holdUntil;

	private long beat;

	private boolean finished;

	private MadeUpTick.@Nullable Run run;

	Caller(World world, Client client, SimulatedProcess process, int number, int left) {
		this.world = world;
		this.client = client;
		this.process = process;
		this.name = process.name() + "." + (number + 1);
		this.lane = process.lane("." + (number + 1));
		this.random = world.setup().randomOf(client.index(), number * 100 + client.starts());
		this.requests = new CallerRequests(this.name, client.index(), world, this.random);
		this.nested = new NestedRequest(world, process, this.lane, this.name);
		this.left = left;
		int late = world.setup().drill().begin(world.setup(), client.index());
		this.lane.after(millis(20) + TimeUnit.MILLISECONDS.toNanos(late), "begins", this::next);
	}

	int left() {
		return this.left;
	}

	/**
	 * Its process is gone.
	 */
	void vanish() {
		this.world.judge().order().leaves(this.name, false);
		this.world.judge().turns().leaves(this.name);
		this.world.judge().permits().leaves(this.name);
		if (this.asked != null) {
			this.world.judge().gaveUp(this.asked.request.key(), null);
		}
		this.finished = true;
		this.hold = null;
		this.asked = null;
	}

	/**
	 * Return whether it waits for the answer to a request.
	 */
	boolean isWaiting() {
		return this.asked != null;
	}

	boolean isWaitingFor(String key) {
		return this.asked != null && this.asked.request.key().equals(key);
	}

	boolean isFinished() {
		return this.finished;
	}

	/**
	 * Say what it does, for a report.
	 */
	String activity() {
		if (this.hold != null) {
			return this.name + " holds " + this.hold;
		}
		return (this.asked != null) ? this.name + " waits for " + this.asked.request : this.name + " does nothing";
	}

	private long millis(int most) {
		return TimeUnit.MICROSECONDS.toNanos(this.random.nextInt(1000 * most) + 1);
	}

	private long pause() {
		if (this.world.setup().drill() == Drill.IDLE) {
			return this.client.rest(this.random);
		}
		if (this.run != null) {
			return millis(PAUSE_OF_A_TASK);
		}
		return millis(this.world.setup().drill().mostPause(this.world.setup(), this.left, this.random));
	}

	private void next() {
		if (this.left == 0 || this.process.isClosing()) {
			// A job may have begun before its thread did.
			if (this.asked == null && this.hold == null) {
				this.finished = true;
				if (this.run != null) {
					this.run.isOver();
				}
			}
			return;
		}
		this.left--;
		KeyPlan plan = this.world.setup().keys().get(this.random.nextInt(this.world.setup().keys().size()));
		ask(this.requests.next(plan));
	}

	/**
	 * Ask for the lock of a job.
	 */
	void ask(MadeUpTick.Run asking) {
		this.run = asking;
		this.finished = false;
		ask(asking.request());
	}

	private void ask(LockRequest request) {
		this.world.schedule().trace().note(() -> this.name + " asks for " + request);
		Asked current = new Asked(request, this.process.session(), this.world.schedule().now(), bound(request),
				this.process.pausedNanos(), isTimely(request) && this.world.isCalm());
		this.asked = current;
		this.world.judge().asks(request.key());
		this.world.judge().permits().asks(this.name, request, current.calm);
		if (isInTurn(request)) {
			takesTurns(request);
		}
		if (request.tick() != null) {
			this.world.judge().ticks().asked(request.key(), request.tick());
		}
		CompletableFuture<LockHandle> future = (this.run != null || this.random.nextBoolean())
				? this.process.acquire(request, this.lane) : this.process.provider().acquireAsync(request);
		future.whenComplete((handle, failure) -> this.world.judge().watch(() -> answered(current, handle, failure)));
		if (this.world.setup().troubled() && this.random.nextInt(6) == 0) {
			this.lane.after(millis(60), "cancels", () -> {
				if (!future.isDone()) {
					this.world.counts().cancels++;
					future.cancel(true);
				}
			});
		}
	}

	// Whether ZooKeeper answers in time.
	private boolean isTimely(LockRequest request) {
		return entersInTime(request) && this.process.isConnectedFor(PROOF);
	}

	private boolean entersInTime(LockRequest request) {
		boolean longEnough = request.waitTime().isZero() || request.waitTime().toMillis() >= 300;
		return longEnough && this.world.setup().isTimely(Fault.Kind.LOSE_EVENT)
				&& this.process.isConnectedFor(Duration.ZERO);
	}

	private void takesTurns(LockRequest request) {
		boolean timely = entersInTime(request);
		if (timely && this.world.setup().fairness() == Fairness.BOUNDED) {
			this.world.judge().turns().asks(this.name, this.process, request, this.world.isCalm());
		}
		else if (timely && this.world.isCalm()) {
			this.world.judge().order().asks(this.name, request);
		}
	}

	// Who looks at the queue first, or needs more than its turn, is not in the order of
	// asking.
	private boolean isInTurn(LockRequest request) {
		return !request.waitTime().isZero() && request.tick() == null && request.permits() == 1;
	}

	private long bound(LockRequest request) {
		return request.waitTime().isZero() ? TRY.toNanos() + this.process.openingNanos() : request.waitNanos();
	}

	// On the thread that completes the future.
	private void answered(Asked answered, @Nullable LockHandle handle, @Nullable Throwable failure) {
		if (this.process.isGone()) {
			return;
		}
		LockRequest request = answered.request;
		long waited = this.world.schedule().now() - answered.at - (this.process.pausedNanos() - answered.pausedBefore);
		// A request that may have its run waits for the answer while its session lives.
		long grace = (request.tick() != null) ? TimeUnit.MILLISECONDS.toNanos(this.world.setup().timeoutMillis()) : 0;
		this.world.judge().waited(this.name, request.key(), waited - answered.bound - grace);
		this.asked = null;
		this.world.judge().order().leaves(this.name, handle != null);
		this.world.judge().turns().leaves(this.name);
		this.world.judge().permits().leaves(this.name);
		if (handle == null) {
			refused(answered, (failure instanceof CompletionException wrapped) ? wrapped.getCause() : failure);
			return;
		}
		Hold entered = new Hold(this.process, this.name, request, handle, this.process.grantedAt(handle));
		this.hold = entered;
		if (this.run != null) {
			this.run.begins(handle);
		}
		this.world.judge().entered(entered);
		handle.onLost((lost) -> this.world.judge().watch(() -> {
			this.world.causes().seen(entered);
			this.world.judge().losses().told(entered);
		}));
		long hold = hold();
		this.beat = Math.max(BEAT, hold / this.world.setup().drill().looks());
		this.holdUntil = this.world.schedule().now() + hold;
		this.lane.run("looks", this::look);
		this.client.granted();
	}

	// Now and then for longer than a session lives without its servers.
	private long hold() {
		if (this.world.setup().drill().isPatient() && this.random.nextBoolean()) {
			return TimeUnit.MILLISECONDS.toNanos(this.world.setup().timeoutMillis())
					+ millis(this.world.setup().timeoutMillis());
		}
		if (this.world.setup().drill() == Drill.HALF_CUT && this.random.nextBoolean()) {
			return millis(this.world.setup().timeoutMillis() / 2);
		}
		int longest = this.world.setup().drill().longestHold(this.random);
		if (longest > 0) {
			return millis(longest);
		}
		int die = this.random.nextInt(60);
		if (this.world.setup().patient() && die < 20) {
			return millis(2 * this.world.setup().timeoutMillis());
		}
		return (die < 6) ? millis(120) : millis(8);
	}

	private void refused(Asked answered, @Nullable Throwable failure) {
		this.world.schedule().trace().note(() -> this.name + " gets no lock: " + failure);
		this.world.judge().gaveUp(answered.request.key(), failure);
		this.world.judge().failed(this.name, failure, answered.calm && !this.process.isClosing());
		if (answered.session == this.process.session()) {
			TickBook.checkUnheld(this.world, answered.request, answered.at, failure);
		}
		if (failure instanceof LockUnavailableException || failure instanceof LockAccessException) {
			this.world.counts().unavailable++;
		}
		else if (failure instanceof LockNotAcquiredException refusal) {
			this.world.counts().refusals++;
			LockTick tick = refusal.getTick();
			if (refusal.getPausedSince() != null) {
				if (!this.world.judge().ticks().refusedInPause(tick, refusal.getPausedSince())) {
					throw this.world.judge().violated("ticks", this.name + " is refused in no pause", failure);
				}
			}
			else if (tick != null && !this.world.judge()
				.ticks()
				.refused(answered.request.key(), tick, refusal.getDiedAttempts(),
						answered.session == this.process.session())) {
				throw this.world.judge()
					.violated("ticks", this.name + " is refused " + tick + ", which nobody had", null);
			}
		}
		if (this.run != null && failure instanceof LockException refusal) {
			this.run.refused(refusal);
		}
		this.lane.after(pause(), "goes on", this::next);
	}

	private void look() {
		Hold current = this.hold;
		if (current == null) {
			return;
		}
		LockState state = current.handle().state();
		if (state == LockState.LOST) {
			this.world.causes().seen(current);
			this.world.judge().lost(current);
		}
		boolean interrupted = this.run != null && this.process.isClosing();
		boolean over = this.world.schedule().now() >= this.holdUntil;
		if (!this.nested.isAsking() && (state == LockState.LOST || interrupted || over)) {
			if (this.run != null) {
				this.run.ends(current, over && state != LockState.LOST);
			}
			leave(current);
			return;
		}
		if (state != LockState.LOST && this.random.nextInt(3) == 0) {
			this.world.write(current, millis(4));
		}
		if (this.world.setup().troubled() && this.nested.isNone() && this.random.nextInt(6) == 0) {
			this.nested.ask(current, state, this.random);
		}
		long left = Math.max(this.holdUntil - this.world.schedule().now(), 1);
		this.lane.after(this.nested.isAsking() ? this.beat : Math.min(this.beat, left), "looks", this::look);
	}

	private void leave(Hold current) {
		this.nested.release();
		boolean forgo = !current.request().lockAtLeastFor().isZero() && this.random.nextInt(4) == 0;
		if (this.client.isWaitingFor(current.key())) {
			current.handOn();
		}
		this.world.judge().exited(current, forgo);
		this.hold = null;
		long released = this.world.schedule().now();
		CompletableFuture<Void> release = forgo ? UnusedRelease.of(current.handle()) : current.handle().releaseAsync();
		this.world.schedule().trace().note(() -> this.name + (forgo ? " forgoes" : " releases"));
		release.thenRun(() -> ended(current));
		if (this.random.nextInt(3) == 0) {
			this.lane.after(pause(), "goes on", this::next);
		}
		else {
			long pausedBefore = this.process.pausedNanos();
			release.whenComplete((done, failure) -> {
				this.world.judge()
					.released(current,
							this.world.schedule().now() - released - this.process.pausedNanos() + pausedBefore);
				this.lane.after(pause(), "goes on", this::next);
			});
		}
	}

	// A crash of another process does not keep the end from being written. A release that
	// does not wait ends before it is written, so a crash of its own process may.
	private void ended(Hold hold) {
		Setup setup = this.world.setup();
		boolean written = setup.awaitRelease() && setup.faults().stream().map(Fault::kind).allMatch(CRASHES::contains);
		if (written && !this.process.isGone()) {
			this.world.judge().ticks().ended(hold);
		}
	}

	/**
	 * A request that is under way.
	 */
	private record Asked(LockRequest request, long session, long at, long bound, long pausedBefore, boolean calm) {

	}

}
