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

package io.github.zklock.interceptor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.interceptor.LockExecutions.LockExecution;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.Sharding;
import io.github.zklock.scheduling.ScheduledRun;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a tick that is split into shards. The node shares the key of the job while it
 * takes one free shard after the other. Each shard is another call of the task, with a
 * lock, a record and a tick of its own. The first node that shares the key for a tick
 * records into how many shards it is split.
 */
final class ShardedExecution implements LockExecution {

	private static final Logger logger = LoggerFactory.getLogger(ShardedExecution.class);

	// After a shard on this node, the next one begins a little late, so that another node
	// comes first.
	private static final Duration STEP_BACK = Duration.ofMillis(50);

	private final LockOperations operations;

	private final LockExecution single;

	// A node begins at a random shard.
	private final int start = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);

	// The other numbers of shards that are reported.
	private final Set<Integer> others = ConcurrentHashMap.newKeySet();

	/**
	 * Create the execution.
	 * @param operations what acquires, runs and releases
	 * @param single runs one call under its lock
	 */
	ShardedExecution(LockOperations operations, LockExecution single) {
		this.operations = operations;
		this.single = single;
	}

	@Override
	public @Nullable Object execute(LockCall call) throws Throwable {
		LockOperation operation = call.operation();
		ScheduledRun run = call.run().scheduled();
		Duration shortestPeriod = operation.oncePerTick().shortestPeriod();
		LockTick tick = (run != null && shortestPeriod != null) ? run.toTick(operation.schedule(), shortestPeriod)
				: null;
		Instant time = (tick != null) ? tick.time() : null;
		if (run == null || tick == null || time == null) {
			return this.single.execute(call);
		}
		LockRequest request = request(call);
		if (run.isShard()) {
			String key = Sharding.key(request.key(), tick.shard());
			return this.single.execute(call.with(operation.locks().get(0).request(key, 1).withWait(Duration.ZERO)));
		}
		LockCall joining = call.with(request.withMode(LockMode.READ));
		LockTick whole = LockTick.at(operation.schedule(), time).withShard(0, operation.sharding().shards());
		return tick.isByHand() ? share(joining.with(joining.requests().get(0).withWait(Duration.ZERO)), run)
				: split(joining.with(joining.requests().get(0).withTick(whole)), joining, run);
	}

	private static LockRequest request(LockCall call) {
		if (call.requests().size() != 1) {
			RuntimeException failure = call.operation()
				.target()
				.invalid("has shards, but was called with " + call.requests().size() + " keys",
						"Give it one key: the lock of a shard has the number of the shard behind it.");
			call.cannotBegin(failure);
			throw failure;
		}
		return call.requests().get(0);
	}

	private @Nullable Object split(LockCall call, LockCall joining, ScheduledRun run) throws Throwable {
		LockRun lock = LockRun.ofThread(call.requests());
		try {
			call.begin(lock, this.operations);
		}
		catch (LockNotAcquiredException ex) {
			LockTick other = ex.getRun();
			if (other != null && isSame(other, call)) {
				return isOtherNumber(call, other) ? skip(call, run, ex) : share(joining, run);
			}
			// The shards of an earlier tick have records that decide.
			return (other != null && run.isLate() && !isOtherNumber(call, other)) ? share(joining, run)
					: call.refused(ex);
		}
		catch (LockUnavailableException ex) {
			return call.refused(ex);
		}
		return runShards(call, run, lock);
	}

	private static boolean isSame(LockTick other, LockCall call) {
		LockTick tick = call.requests().get(0).tick();
		return tick != null && tick.time() != null && other.time() != null
				&& tick.time().toEpochMilli() == other.time().toEpochMilli();
	}

	private static boolean isOtherNumber(LockCall call, LockTick other) {
		return other.shards() != call.operation().sharding().shards();
	}

	private @Nullable Object skip(LockCall call, ScheduledRun run, LockException refusal) {
		LockTick tick = call.requests().get(0).tick();
		LockNotAcquiredException split = (LockNotAcquiredException) refusal;
		int other = (split.getRun() != null) ? split.getRun().shards() : 1;
		if (this.others.add(other)) {
			logger.warn("{} skips the tick {} on this node, which has shards = {}: another node runs it with {}. In a "
					+ "rolling deployment that changes the number, this ends with it. Otherwise give all nodes one "
					+ "number", call.operation().target(), (tick != null) ? tick.time() : "",
					call.operation().sharding().shards(), (other > 1) ? "shards = " + other : "no shards");
		}
		run.isRefused(refusal);
		run.settled();
		return call.operation().skippedResult();
	}

	private @Nullable Object share(LockCall call, ScheduledRun run) throws Throwable {
		LockRun lock = LockRun.ofThread(call.requests());
		try {
			call.begin(lock, this.operations);
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			return call.refused(ex);
		}
		return runShards(call, run, lock);
	}

	// Before JDK 22 the compiler does not read from class files that a type argument is
	// nullable.
	@SuppressWarnings("NullAway")
	private @Nullable Object runShards(LockCall call, ScheduledRun run, LockRun lock) throws Throwable {
		return lock.<@Nullable Object, Throwable>execute((shared) -> {
			Sharding sharding = call.operation().sharding();
			if (run.shard() == null && !run.isLate()) {
				run.shards().callHelpers(sharding.perNode() - 1);
			}
			runShards(order(run, sharding), run, call.operation(), shared);
			return call.operation().skippedResult();
		});
	}

	private List<Integer> order(ScheduledRun run, Sharding sharding) {
		Integer only = run.shard();
		if (only != null) {
			return List.of(only);
		}
		int shards = sharding.shards();
		int first = this.start % shards + run.shards().helper() * shards / sharding.perNode();
		return IntStream.range(first, first + shards).mapToObj((shard) -> shard % shards).toList();
	}

	private static void runShards(List<Integer> order, ScheduledRun run, LockOperation operation, LockHandle shared) {
		Throwable refusal = null;
		for (int shard : order) {
			if (Thread.currentThread().isInterrupted() || shared.state() == LockState.LOST || run.shards().isEnough()) {
				break;
			}
			// The recovery looks later only for a shard that was refused.
			if (operation.recovery() == null && isForAll(refusal)) {
				break;
			}
			ScheduledRun each = run.shards().call(shard, operation.sharding().shards());
			refusal = each.refusal();
			if (each.hasBegun() && order.size() > 1) {
				stepBack();
			}
		}
		if (!run.hasBegun()) {
			run.isRefused((refusal != null) ? refusal : new IllegalStateException(
					"No shard of " + run.task() + " has begun: its thread was interrupted, or the lock is lost"));
		}
	}

	// No other shard would begin.
	private static boolean isForAll(@Nullable Throwable refusal) {
		return refusal instanceof LockUnavailableException
				|| (refusal instanceof LockNotAcquiredException other && other.getPausedSince() != null);
	}

	private static void stepBack() {
		try {
			TimeUnit.NANOSECONDS.sleep(STEP_BACK.toNanos());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
