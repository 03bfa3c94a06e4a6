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

import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.interceptor.operation.LockFallback;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.scheduling.ScheduledRun;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * What a call returns that was refused its lock: the value of the fallback method, an
 * empty one, or the exception.
 */
final class LockRefusals {

	private static final Logger logger = LoggerFactory.getLogger(LockRefusals.class);

	// The methods for which skipped calls are reported: once for each outage.
	private final Set<LockTarget> outages = ConcurrentHashMap.newKeySet();

	// On most nodes a skipped tick is what happens most of the time.
	private final Set<String> skippedTicks = ConcurrentHashMap.newKeySet();

	// The pause of each schedule for which a skip is reported.
	private final Map<String, Instant> pauses = new ConcurrentHashMap<>();

	// The methods whose last key is reported, since it is computed.
	private final Set<LockTarget> lastKeys = ConcurrentHashMap.newKeySet();

	private final Supplier<Optional<JobRecovery>> recovery;

	/**
	 * Create the refusals.
	 * @param recovery what makes up for ticks, if that is wanted anywhere
	 */
	LockRefusals(Supplier<Optional<JobRecovery>> recovery) {
		this.recovery = recovery;
	}

	@Nullable Object result(LockCall call, LockException refusal) throws Throwable {
		LockOperation operation = call.operation();
		MethodInvocation invocation = call.invocation();
		if (operation.recovery() != null) {
			this.recovery.get().ifPresent((recovery) -> recovery.refused(call, refusal));
		}
		if (refusal instanceof LockUnavailableException) {
			return duringOutage(operation, refusal);
		}
		if (refusal instanceof LockNotAcquiredException) {
			answered(operation);
		}
		if (call.run().isLate() || call.run().isShard()) {
			logger.debug("{} does not run here: {}", operation.target(), refusal.getMessage());
			return operation.skippedResult();
		}
		LockFallback fallback = operation.fallback();
		if (fallback != null) {
			return checked(operation, fallback.call(invocation, refusal), "fallback method " + fallback, refusal);
		}
		if (operation.onNotAcquired() != NotAcquiredPolicy.SKIP) {
			throw refusal;
		}
		LockTick tick = call.requests().get(0).tick();
		if (tick != null) {
			logSkipped(tick.schedule(), refusal);
		}
		return operation.skippedResult();
	}

	/**
	 * Return whether a refused run is looked for again.
	 */
	boolean isLookedFor(LockOperation operation, ScheduledRun run) {
		return this.recovery.get().filter((recovery) -> recovery.looksFor(operation, run)).isPresent();
	}

	/**
	 * A run with several keys is asked for. Its tick is recorded for the last one alone.
	 */
	void planned(LockCall call) {
		LockOperation operation = call.operation();
		if (call.requests().size() < 2 || this.lastKeys.contains(operation.target())) {
			return;
		}
		String last = call.requests().stream().map(LockRequest::key).max(Comparator.naturalOrder()).orElseThrow();
		boolean fixed = operation.locks()
			.stream()
			.map(LockSpecification::key)
			.anyMatch((key) -> key.isLiteral() && key.text().equals(last));
		if (!fixed && this.lastKeys.add(operation.target())) {
			logger.warn("{} has several keys, and the last one, '{}', is computed. The tick is recorded for that key "
					+ "alone, so a node that computes another last key runs it again. Use one fixed key for the job",
					operation.target(), LockKeys.printable(last));
		}
	}

	/**
	 * The run of a task has acquired its lock.
	 */
	void begins(LockCall call, ScheduledRun run, LockHandle handle) {
		if (call.operation().recovery() != null) {
			this.recovery.get().ifPresent((recovery) -> recovery.begins(call, run, handle));
		}
	}

	/**
	 * The method of a run has ended. If others can read that it did not come to its end,
	 * the record of the run reports it.
	 */
	void ended(LockCall call, ScheduledRun run, LockHandle handle) {
		if (handle.state() == LockState.LOST) {
			unfinished(call, run);
		}
	}

	/**
	 * A run did not come to its end, and perhaps no other node looks for it.
	 */
	void unfinished(LockCall call, ScheduledRun run) {
		if (call.operation().recovery() != null) {
			this.recovery.get().ifPresent((recovery) -> recovery.unfinished(call, run));
		}
	}

	/**
	 * The lock of a call could be asked for, whatever the answer was.
	 */
	void answered(LockOperation operation) {
		if (!this.outages.isEmpty()) {
			this.outages.remove(operation.target());
		}
	}

	private @Nullable Object duringOutage(LockOperation operation, LockException refusal) {
		if (operation.onUnavailable() != UnavailablePolicy.SKIP) {
			throw refusal;
		}
		if (this.outages.add(operation.target())) {
			logger.warn("{} is skipped: {}. Further calls are skipped without a log line until its lock is available",
					operation.target(), refusal.getMessage());
		}
		return operation.skippedResult();
	}

	private void logSkipped(String schedule, LockException refusal) {
		Instant pause = (refusal instanceof LockNotAcquiredException other) ? other.getPausedSince() : null;
		boolean first = (pause != null) ? !pause.equals(this.pauses.put(schedule, pause))
				: this.skippedTicks.add(schedule);
		if (first) {
			logger.info("{} is skipped on this node: {} (its next skips are logged at DEBUG)", schedule,
					refusal.getMessage());
		}
		else if (logger.isDebugEnabled()) {
			logger.debug("{} is skipped on this node: {}", schedule, refusal.getMessage());
		}
	}

	private static @Nullable Object checked(LockOperation operation, @Nullable Object result, String source,
			LockException refusal) {
		Method method = operation.method();
		Class<?> type = method.getReturnType();
		if (type == void.class) {
			return null;
		}
		if (ClassUtils.isAssignableValue(type, result)) {
			return result;
		}
		throw new IllegalStateException("The " + source + " returned "
				+ ((result != null) ? "a " + result.getClass().getName() : "null") + " for " + operation.target()
				+ ", which returns " + type.getTypeName() + ": return a value of that type, or throw the exception",
				refusal);
	}

}
