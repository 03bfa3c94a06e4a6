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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.simulation.FailedStep;
import io.github.zklock.simulation.Lane;
import io.github.zklock.simulation.Participant;
import io.github.zklock.simulation.Schedule;
import io.github.zklock.simulation.SimulatedEnsemble;
import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.local.LockAttempt.Verdict;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * A process of a simulation, with a provider on the threads and the connection of a
 * simulation: from its start until it is shut down or gone.
 */
public final class SimulatedProcess implements Participant {

	private static final long OTHER_CLOCK = TimeUnit.HOURS.toNanos(1);

	private final Schedule schedule;

	private final SimulatedEnsemble ensemble;

	private final String name;

	private final int timeoutMillis;

	private final int servers;

	private final boolean readOnly;

	private final SimulatedTasks tasks;

	private final SimulatedCurator curator;

	private final ZooKeeperLockProvider provider;

	private final List<SimulatedZooKeeper> handles = new ArrayList<>();

	private final List<Lane> lanes = new ArrayList<>();

	private final List<Runnable> whenResumed = new ArrayList<>();

	private boolean paused;

	private boolean gone;

	private boolean closing;

	private boolean closed;

	private long pausedAt;

	private long pausedNanos;

	// How many threads stand still, and the sum of the times since when.
	private long stalls;

	private long stalledAt;

	public SimulatedProcess(Schedule schedule, SimulatedEnsemble ensemble, String name, int timeoutMillis,
			int tickMillis, int servers, boolean readOnly, Fairness fairness, boolean awaitRelease) {
		this.schedule = schedule;
		this.ensemble = ensemble;
		this.name = name;
		this.timeoutMillis = timeoutMillis;
		this.servers = servers;
		this.readOnly = readOnly;
		long clock = schedule.random().nextLong(-OTHER_CLOCK, OTHER_CLOCK);
		this.tasks = new SimulatedTasks(schedule, name, clock, this::isDelivering);
		this.curator = new SimulatedCurator(schedule, name, timeoutMillis, this::connect);
		this.lanes.addAll(List.of(this.tasks.timer(), this.tasks.others(), this.curator.lane()));
		long number = schedule.random().nextLong();
		ZooKeeperLockProviderBuilder builder = new ZooKeeperLockProviderBuilder(this.curator).tasks(this.tasks)
			.processNumber((session) -> number ^ session)
			.serverTick(Duration.ofMillis(tickMillis))
			.ownerDetail(OwnerDetail.MINIMAL)
			.fairness(fairness)
			.awaitRelease(awaitRelease);
		this.curator.start();
		this.provider = builder.build();
		// Longer than anybody may sleep beside a free lock.
		this.provider.engine.cache.limit(1000, Duration.ofMillis(3000));
	}

	/**
	 * End one of the next replies with an error before it becomes a step.
	 * @param after how many others go before
	 */
	public void failReply(int after) {
		this.tasks.failReply(after);
	}

	/**
	 * End one of the next steps that need a thread or a timer with an error.
	 * @param after how many others go before
	 * @param had whether it gets that nevertheless
	 */
	public void failTask(int after, boolean had) {
		this.tasks.failTask(after, had);
	}

	/** Let its clock go fast from now on, or slow. */
	public void drift(double rate) {
		this.tasks.drift(rate);
	}

	private SimulatedZooKeeper connect(Watcher watcher) {
		SimulatedZooKeeper handle = this.ensemble.connect(this.name, this.timeoutMillis, watcher, this.readOnly,
				IntStream.rangeClosed(1, this.servers).boxed().toList());
		this.handles.add(handle);
		if (this.paused) {
			handle.sendLane().pause();
			handle.eventLane().pause();
		}
		return handle;
	}

	private boolean isDelivering() {
		return this.handles.stream().anyMatch(SimulatedZooKeeper::isDelivering);
	}

	/** Add another thread. */
	public Lane lane(String suffix) {
		Lane lane = this.schedule.lane(this.name + suffix);
		this.lanes.add(lane);
		return lane;
	}

	@Override
	public String name() {
		return this.name;
	}

	public LockProvider provider() {
		return this.provider;
	}

	/**
	 * Acquire a lock as a thread does that waits for it.
	 * @param thread the thread, on which this is called
	 * @return what the thread gets; cancelling it interrupts the thread
	 */
	public CompletableFuture<LockHandle> acquire(LockRequest request, Lane thread) {
		Object owner = Objects.requireNonNull(request.owner(), "a thread has a name here");
		try {
			LockHandle here = this.provider.acquireHere(request, owner);
			return (here != null) ? CompletableFuture.completedFuture(here) : await(request, owner, thread);
		}
		catch (LockException | FailedStep ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<LockHandle> await(LockRequest request, Object owner, Lane thread) {
		LockAttempt attempt = this.provider.beginAttempt(request, AcquireContext.NONE);
		CompletableFuture<LockHandle> result = new CompletableFuture<>();
		result.whenComplete((handle, failure) -> {
			this.provider.engine.attempts.remove(attempt);
			if (failure instanceof CancellationException) {
				attempt.cancel();
			}
		});
		if (attempt.bound() != Long.MAX_VALUE && !attempt.isDecided()) {
			Lane.Scheduled expiry = thread.after(attempt.bound(), "waited for long enough", attempt::expire);
			attempt.verdict().thenAccept((verdict) -> expiry.cancel());
		}
		attempt.verdict().thenAccept((verdict) -> thread.run("wakes up", () -> {
			if (!result.isDone()) {
				wake(attempt, verdict, owner, result);
			}
		}));
		return result;
	}

	private void wake(LockAttempt attempt, Verdict verdict, Object owner, CompletableFuture<LockHandle> result) {
		try {
			result.complete(this.provider.register(attempt.heldOrThrow(verdict), attempt.request(), owner));
		}
		catch (LockException ex) {
			result.completeExceptionally(ex);
		}
	}

	/** Return the handle that the client has now. */
	public @Nullable SimulatedZooKeeper handle() {
		return this.curator.handle();
	}

	/** Return when a lock was granted, in the time of the schedule. */
	public long grantedAt(LockHandle handle) {
		return this.provider.snapshot()
			.held()
			.stream()
			.filter((held) -> held.fencingToken() == handle.fencingToken() && held.key().equals(handle.key()))
			.findFirst()
			.map((held) -> this.schedule.now() - held.heldFor().toNanos())
			.orElse(this.schedule.now());
	}

	/** Let nothing happen in it for a while. */
	public void pause() {
		if (!this.paused) {
			this.paused = true;
			this.pausedAt = this.schedule.now();
			this.lanes.forEach(Lane::pause);
			this.handles.forEach((handle) -> {
				handle.sendLane().pause();
				handle.eventLane().pause();
			});
		}
	}

	public void resume() {
		if (this.paused) {
			this.paused = false;
			this.pausedNanos += this.schedule.now() - this.pausedAt;
			this.lanes.forEach(Lane::resume);
			this.handles.forEach((handle) -> {
				handle.sendLane().resume();
				handle.eventLane().resume();
			});
			List<Runnable> actions = List.copyOf(this.whenResumed);
			this.whenResumed.clear();
			actions.forEach(Runnable::run);
		}
	}

	/**
	 * Let one thread stand still.
	 * @param number which of them
	 * @return lets it go on
	 */
	public Runnable stall(int number) {
		List<Lane> all = new ArrayList<>(this.lanes);
		SimulatedZooKeeper current = handle();
		if (current != null) {
			all.add(current.sendLane());
			all.add(current.eventLane());
		}
		return stall(all.get(number % all.size()));
	}

	/**
	 * Let the thread stand still that tells of the connection.
	 * @return lets it go on
	 */
	public Runnable stallConnection() {
		return stall(this.curator.lane());
	}

	private Runnable stall(Lane stalled) {
		this.schedule.trace().note(() -> stalled.name() + " stands still");
		stalled.pause();
		this.stalls++;
		this.stalledAt += this.schedule.now();
		long begin = this.schedule.now();
		return () -> {
			this.stalls--;
			this.stalledAt -= begin;
			this.pausedNanos += this.schedule.now() - begin;
			if (!this.paused) {
				stalled.resume();
			}
		};
	}

	@Override
	public long session() {
		SimulatedZooKeeper current = handle();
		return (current != null) ? current.getSessionId() : 0;
	}

	/** Return whether it has had its session for so long. */
	public boolean isConnectedFor(Duration time) {
		LockSession session = this.provider.engine.tracker.usable();
		return session != null && session.lease().now() >= time.toNanos();
	}

	/** Return how long its first connection may still take, which is a second at most. */
	public long openingNanos() {
		return Math.min(this.provider.engine.tracker.openingAfter(this.tasks.nanoTime()), TimeUnit.SECONDS.toNanos(1));
	}

	/**
	 * Return what the client knows of locks, which is nothing if none is held or wanted.
	 */
	public String leftovers() {
		if (this.gone || this.closed) {
			return "";
		}
		Map<String, Integer> sizes = new TreeMap<>();
		sizes.put("held", this.provider.heldLocks());
		sizes.put("attempts", this.provider.engine.attempts.size());
		sizes.put("queues", this.provider.engine.queues.size());
		sizes.put("re-entrant", this.provider.registry.size());
		sizes.put("kept", this.provider.engine.cache.size());
		sizes.put("deletes", this.provider.pendingDeletes());
		sizes.put("names", this.provider.engine.services.names().size());
		sizes.values().removeIf((size) -> size == 0);
		return sizes.isEmpty() ? "" : sizes.toString();
	}

	@Override
	public boolean isPaused() {
		return this.paused;
	}

	/** Return whether one of its threads stands still. */
	public boolean isStalled() {
		return this.stalls > 0;
	}

	@Override
	public long pausedNanos() {
		return this.pausedNanos + this.stalls * this.schedule.now() - this.stalledAt;
	}

	@Override
	public void whenResumed(Runnable action) {
		this.whenResumed.add(action);
	}

	/** End it as a power failure does. */
	public void crash() {
		this.gone = true;
		this.lanes.forEach(Lane::stop);
		this.handles.forEach(SimulatedZooKeeper::crash);
	}

	/**
	 * End it in an orderly way.
	 * @return what completes when its client is closed
	 */
	public CompletableFuture<Void> shutdown(Duration grace) {
		this.closing = true;
		// A client is closed whatever becomes of what uses it.
		return CompletableFuture.completedFuture(grace)
			.thenCompose((given) -> AsyncShutdown.of(this.provider.engine, given))
			.handle((done, failure) -> {
				close();
				return null;
			});
	}

	private void close() {
		this.curator.close();
		this.closed = true;
	}

	/** Return whether it is shut down, or about to be. */
	public boolean isClosing() {
		return this.closing;
	}

	public boolean isGone() {
		return this.gone;
	}

}
