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

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.RecordedRun;
import io.github.zklock.simulation.Fault.Cause;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.jspecify.annotations.Nullable;

/**
 * Which planned runs have happened: each at most once and in their order, and none was
 * refused for a run that nobody can have had.
 */
final class TickBook {

	private static final LockPaths PATHS = new LockPaths("", "/locks", null);

	private static final Set<Cause> JUDGED = Set.of(Cause.NETWORK, Cause.SERVER);

	private final Map<String, TreeMap<Instant, String>> runs = new HashMap<>();

	// By call: what was asked for and has not been refused for its time.
	private final Map<String, Map<String, Instant>> possible = new HashMap<>();

	// Such a run hides whose the record before it is.
	private final Set<String> startedByHand = new HashSet<>();

	// There is one job that is paused.
	private final Set<Instant> pauses = new HashSet<>();

	private boolean paused;

	private final AttemptBook attempts = new AttemptBook();

	// The calls that came in the pause which goes on.
	private final Set<String> inPause = new HashSet<>();

	/**
	 * A pause is asked for.
	 */
	void pauses(Instant since) {
		this.pauses.add(since);
	}

	/**
	 * The servers have confirmed a pause.
	 */
	void paused() {
		this.paused = true;
	}

	/**
	 * The end of the pause is asked for, and may come at any time from now on.
	 */
	void resumes() {
		this.paused = false;
		this.inPause.clear();
	}

	/**
	 * Somebody asks for a run.
	 */
	void asked(String key, LockTick tick) {
		if (tick.isByHand()) {
			this.startedByHand.add(key);
			return;
		}
		if (this.paused) {
			this.inPause.add(tick.call());
		}
		if (tick.maxAttempts() > 1) {
			this.attempts.asked(key, tick);
			return;
		}
		if (tick.time() != null) {
			this.possible.computeIfAbsent(key, (unknown) -> new LinkedHashMap<>()).put(tick.call(), tick.time());
		}
	}

	/**
	 * A caller has a run.
	 * @return whether no other caller had it, and none had a later one: no run is
	 * recorded over one that was not seen; and whether its job was not paused when it was
	 * asked for
	 */
	boolean granted(Hold hold, LockTick tick) {
		String key = hold.key();
		// The grant may come after the one of a later run then. So may one that is
		// shared.
		boolean late = hold.isExcused() || hold.request().mode() == LockMode.READ;
		if (this.inPause.contains(tick.call())) {
			return false;
		}
		if (tick.maxAttempts() > 1) {
			return this.attempts.granted(key, tick, WorkRecords.attempt(hold.handle())) || late;
		}
		if (tick.time() == null || tick.isByHand()) {
			return true;
		}
		TreeMap<Instant, String> before = this.runs.computeIfAbsent(key, (unknown) -> new TreeMap<>());
		boolean allowed = late ? !before.containsKey(tick.time()) : before.tailMap(tick.time()).isEmpty();
		before.put(tick.time(), tick.call());
		return allowed;
	}

	/**
	 * Somebody is told that the job is paused.
	 * @return whether somebody may have paused it
	 */
	boolean refusedInPause(LockTick tick, Instant since) {
		return !tick.isByHand() && this.pauses.contains(since);
	}

	/**
	 * Somebody is told that a run has happened, or a later one.
	 * @param inOneSession whether the session is still the one in which it was asked for
	 * @return whether somebody may have had it: was granted it, or went away unheard
	 */
	boolean refused(String key, LockTick tick, int diedAttempts, boolean inOneSession) {
		if (tick.maxAttempts() > 1) {
			return diedAttempts > 0 || this.attempts.refused(key, tick);
		}
		if (tick.time() == null) {
			return true;
		}
		Map<String, Instant> calls = this.possible.getOrDefault(key, Map.of());
		calls.remove(tick.call());
		return (!inOneSession && this.startedByHand.contains(key))
				|| calls.values().stream().anyMatch((time) -> !time.isBefore(tick.time()));
	}

	/**
	 * The process of a run is gone in its middle.
	 */
	void died(Hold hold) {
		LockTick tick = hold.request().tick();
		if (tick != null && tick.maxAttempts() > 1 && !hold.isLost()) {
			this.attempts.died(hold.key(), tick, WorkRecords.attempt(hold.handle()));
		}
	}

	/**
	 * A run has ended, and nothing can have kept its end from being written.
	 */
	void ended(Hold hold) {
		LockTick tick = hold.request().tick();
		RecordedRun run = hold.handle().unwrap(RecordedRun.class);
		if (tick != null && tick.maxAttempts() > 1 && run != null && run.outcome().isUnfinished()) {
			this.attempts.died(hold.key(), tick, run.attempt());
		}
		else if (tick != null && tick.maxAttempts() > 1) {
			this.attempts.ended(hold.key(), tick, WorkRecords.attempt(hold.handle()));
		}
	}

	/**
	 * A caller gets no lock in the session in which it asked. Its run must not be
	 * recorded, since no other node runs it. This excuses processes that are stopped,
	 * steps that fail, and deleted nodes.
	 * @param since when it asked. After a session timeout it does not wait any longer
	 */
	static void checkUnheld(World world, LockRequest request, long since, @Nullable Throwable failure) {
		LockTick tick = request.tick();
		boolean judged = world.setup().faults().stream().allMatch((fault) -> JUDGED.contains(fault.kind().cause()))
				&& TimeUnit.NANOSECONDS.toMillis(world.schedule().now() - since) < world.setup().timeoutMillis()
				&& (failure instanceof LockNotAcquiredException || failure instanceof LockUnavailableException);
		NodeView job = (judged && tick != null) ? world.ensemble().node(PATHS.job(tick, request.key())) : null;
		JobRecord record = (job != null) ? JobRecord.parse(job.data()) : null;
		if (record != null && record.last() != null && record.last().call().equals(tick.call())) {
			throw world.judge()
				.violated("ticks", "The run of " + request + " is recorded, but no caller has it", failure);
		}
	}

	int repetitions() {
		return this.attempts.repetitions();
	}

	int runs() {
		return this.runs.values().stream().mapToInt(Map::size).sum();
	}

}
