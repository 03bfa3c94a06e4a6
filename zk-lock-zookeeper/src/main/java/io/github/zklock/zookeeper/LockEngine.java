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
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.zookeeper.client.ExposedNodes;
import io.github.zklock.zookeeper.inspect.internal.QueueInspector;
import io.github.zklock.zookeeper.local.HeldLocks;
import io.github.zklock.zookeeper.local.LocalQueues;
import io.github.zklock.zookeeper.local.LockAttempt;
import io.github.zklock.zookeeper.local.LockCache;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.queue.JobMemory;
import io.github.zklock.zookeeper.queue.MinimumHolds;
import io.github.zklock.zookeeper.queue.Services;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.session.KeyDirectories;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a provider: puts its parts together, starts them, looks after them and
 * ends them. No part knows it.
 */
final class LockEngine {

	private static final Logger logger = LoggerFactory.getLogger(LockEngine.class);

	private static final long RECHECK_MS = 2000;

	static final Duration CLEAN_UP = Duration.ofSeconds(1);

	final EngineTasks tasks;

	final LockPaths paths;

	final SessionTracker tracker;

	final Services services;

	final MinimumHolds holds;

	final JobMemory jobs = new JobMemory();

	final ExposedNodes exposed;

	final LockCache cache;

	final HeldLocks held;

	final LocalQueues queues;

	final WaitingRequests attempts = new WaitingRequests(ConcurrentHashMap.newKeySet());

	final QueueInspector inspector;

	final RefusedAccess access;

	private final OutageLog outages;

	private final OutageRefusals refusals;

	private final LockLimits limits;

	private final Connection connection;

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	LockEngine(ZooKeeperLockProviderBuilder settings) {
		Tasks plain = settings.tasks();
		this.connection = settings.connection;
		this.tasks = new EngineTasks(plain);
		this.paths = new LockPaths(settings.connection.namespace(), settings.root, settings.aclProvider,
				settings.shownKey, plain::nanoTime);
		this.tracker = new SessionTracker(settings.client(), this.tasks, this.paths);
		this.exposed = new ExposedNodes(this.paths, settings.aclProvider, this.tasks, settings.label());
		ContenderNames names = new ContenderNames(settings.processNumber);
		KeyDirectories directories = new KeyDirectories(this.tracker, this.tasks);
		NodeJanitor janitor = new NodeJanitor(this.tracker, names, this.tasks, directories);
		this.holds = new MinimumHolds(this.tasks, names, janitor);
		this.services = new Services(this.tracker, this.tasks, this.paths, names, janitor, directories,
				List.of(this.holds, this.jobs), this.exposed::found);
		this.cache = new LockCache(this.tasks);
		this.held = new HeldLocks(janitor, this.tasks, settings.awaitRelease, settings.commitWait.toMillis());
		this.inspector = new QueueInspector(this.services, this.jobs, this.held);
		this.queues = new LocalQueues(this.services, this.cache, this.held, settings.fairness == Fairness.STRICT);
		this.access = new RefusedAccess(this.tasks::nanoTime, settings.label(), settings.shownKey);
		this.limits = settings.limits;
		this.refusals = new OutageRefusals(settings, this.tracker, this.tasks, this.attempts);
		this.outages = new OutageLog(settings, plain, this.held, this.attempts, this.tracker::whenAnswered);
	}

	/**
	 * Return the servers and the path of the root, as the ensemble sees it.
	 */
	String lockSpace() {
		return this.connection.servers().replaceFirst("/+$", "") + this.paths.root();
	}

	/**
	 * Take note of the connection from now on.
	 */
	void start() {
		this.outages.start();
		this.tracker.start();
		this.refusals.start();
		this.tasks.startPeriodicCheck(this::periodicCheck, RECHECK_MS, TimeUnit.MILLISECONDS);
	}

	/**
	 * Look for what no event reports: a failed step, a lost event, a closed client.
	 */
	void periodicCheck() {
		if (this.tasks.generation().isBroken()) {
			this.tasks.nextGeneration();
			this.tasks.run(this::renew);
		}
		else {
			// A thread may have been in the middle of a step when another one failed.
			this.held.loseBroken();
			this.cache.renew();
			this.services.janitor().removeBroken();
		}
		this.tracker.refresh();
		this.tracker.endRevived();
		if (this.tracker.isClosed()) {
			this.attempts.forEach((attempt) -> attempt.endUnavailable("its ZooKeeper client is closed"));
			if (this.state.get() == State.ENDED) {
				stop();
			}
		}
		this.attempts.forEach(LockAttempt::checkWatchedNode);
		this.cache.tidy();
		LockSession session = this.tracker.usable();
		if (session != null) {
			session.tidy(this.tasks.nanoTime());
			this.exposed.lookAgain(session);
		}
	}

	// If this fails it begins again. Its order: a holder is notified before its node is
	// deleted, and requests that wait enter new queues in the order of their arrival.
	private void renew() {
		this.queues.renew();
		this.held.loseBroken();
		this.cache.renew();
		this.tracker.renew();
		this.services.janitor().renew();
		this.holds.renew();
		this.jobs.renew();
		this.attempts.stream()
			.filter(LockAttempt::countFailedStep)
			.sorted(Comparator.comparingLong((attempt) -> -attempt.failures().waitedNanos()))
			.forEach(this.queues::enter);
	}

	/**
	 * A request has ended without an answer of ZooKeeper.
	 */
	void unanswered(LockRequest request) {
		this.outages.unanswered(request.tick());
	}

	/**
	 * Let an attempt wait for its lock. It is among the {@linkplain #attempts} until the
	 * caller removes it.
	 */
	void enter(LockAttempt attempt) {
		check(attempt);
		this.attempts.add(attempt);
		this.outages.lockRequested();
		if (!isOpen()) {
			this.attempts.remove(attempt);
			throw new LockUnavailableException(attempt.request(), Duration.ZERO, "the lock provider is closed", null);
		}
		if (this.refusals.isRefusing()) {
			this.attempts.remove(attempt);
			unanswered(attempt.request());
			throw attempt.failures().noConnection();
		}
		this.tasks.run(() -> this.queues.enter(attempt));
	}

	private void check(LockAttempt attempt) {
		this.limits.checkKey(attempt.request());
		int most = this.limits.waitersPerKey();
		if (this.attempts.of(attempt.request().key()) >= most) {
			throw attempt.failures().tooManyWaiters(most);
		}
	}

	boolean isOpen() {
		return this.state.get() == State.OPEN;
	}

	/**
	 * Refuse new requests and withdraw the waiting ones. Then wait on the calling thread
	 * for the locks that are held and for the deletes that are left. Has an effect only
	 * once. An interrupt shortens both times.
	 * @param grace how long locks may still be held
	 * @param own the locks of the calling thread, which are not waited for
	 */
	void shutdown(Duration grace, Set<LockHandle> own) {
		if (beginShutdown()) {
			this.tasks.awaitUnlessInterrupted(this.held.whenNone(own), grace);
			this.tasks.awaitUnlessInterrupted(cleanUp(), CLEAN_UP);
			this.tasks.awaitUnlessInterrupted(this.held.whenLogged(), CLEAN_UP);
			endShutdown();
		}
	}

	boolean beginShutdown() {
		if (!this.state.compareAndSet(State.OPEN, State.ENDING)) {
			return false;
		}
		this.outages.stop();
		this.refusals.stop();
		this.attempts.forEach((attempt) -> attempt.endUnavailable("the lock provider is shutting down"));
		this.cache.close();
		return true;
	}

	// The parts stop as soon as no node is left that has to be deleted, but not before.
	CompletableFuture<@Nullable Void> cleanUp() {
		this.held.revokeAll();
		this.holds.stopTimers();
		LockSession session = this.tracker.current();
		if (session != null) {
			session.deleteHeartbeatNode();
		}
		CompletableFuture<@Nullable Void> clean = new CompletableFuture<>();
		this.services.names().whenNone(() -> {
			stop();
			clean.complete(null);
		});
		return clean;
	}

	void endShutdown() {
		this.state.set(State.ENDED);
		int left = this.services.names().size();
		if (left > 0) {
			logger.warn("Nodes of locks that are not deleted yet{}: {}; that goes on while the client lives",
					this.tracker.label(), left);
		}
	}

	void stop() {
		this.tasks.stop();
		this.tracker.stop();
	}

	private enum State {

		/** Requests are accepted. */
		OPEN,

		/** They are not, and what is held or left behind is waited for. */
		ENDING,

		/** Nothing is waited for any more. */
		ENDED

	}

}
