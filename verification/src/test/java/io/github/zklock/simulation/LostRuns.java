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

import java.util.EnumSet;
import java.util.Set;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.simulation.Fault.Cause;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.jspecify.annotations.Nullable;

/**
 * Runs that are recorded although their caller gets no lock: no other node runs them.
 */
final class LostRuns {

	private static final LockPaths PATHS = new LockPaths("", "/locks", null);

	// Without a process that is stopped, a step that fails, or a deleted node.
	private static final Set<Cause> EXCUSED = EnumSet.of(Cause.HAND, Cause.PAUSE, Cause.CRASH, Cause.PROCESS);

	private LostRuns() {
	}

	/**
	 * A caller gets no lock in the session in which it asked.
	 * @param end when the time of the request is over
	 */
	static void check(World world, LockRequest request, long end, @Nullable Throwable failure) {
		LockTick tick = request.tick();
		boolean excused = world.setup().faults().stream().anyMatch((fault) -> EXCUSED.contains(fault.kind().cause()))
				|| world.schedule().now() - end >= world.setup().timeoutMillis() * 1_000_000L;
		if (tick == null || excused
				|| !(failure instanceof LockNotAcquiredException || failure instanceof LockUnavailableException)) {
			return;
		}
		NodeView job = world.ensemble().node(PATHS.job(tick, request.key()));
		JobRecord record = (job != null) ? JobRecord.parse(job.data()) : null;
		if (record != null && record.last() != null && tick.call().equals(record.last().call())) {
			throw world.judge().violated("ticks", "The run of " + request + " is recorded, but nobody has it", failure);
		}
	}

}
