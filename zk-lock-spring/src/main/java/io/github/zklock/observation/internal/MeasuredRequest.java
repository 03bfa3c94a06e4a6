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

package io.github.zklock.observation.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.internal.LockObserver;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.RecordedRun;

/**
 * Measures one request. A lost lock is no longer held, and may be released later. Its
 * loss may be reported when it happens, or noticed only at the release.
 */
final class MeasuredRequest implements LockObserver {

	private final LockMeters meters;

	private final AtomicBoolean held = new AtomicBoolean();

	private final AtomicBoolean lost = new AtomicBoolean();

	MeasuredRequest(LockMeters meters) {
		this.meters = meters;
	}

	@Override
	public void acquired(LockRequest request, LockHandle handle, Duration waited) {
		this.held.set(true);
		this.meters.acquired(request, handle, waited);
	}

	@Override
	public void notAcquired(LockRequest request, LockException exception) {
		this.meters.notAcquired(request, exception);
	}

	@Override
	public void withdrawn(LockRequest request, Duration waited) {
		this.meters.withdrawn(waited);
	}

	@Override
	public void lost(LockRequest request, LockHandle handle) {
		notHeld();
		if (this.lost.compareAndSet(false, true)) {
			this.meters.lost();
		}
	}

	@Override
	public void rolledBack(LockRequest request, LockHandle handle) {
		this.meters.rolledBack();
	}

	@Override
	public void released(LockRequest request, LockHandle handle, Duration held) {
		boolean afterLoss = handle.state() == LockState.LOST;
		if (afterLoss) {
			lost(request, handle);
		}
		notHeld();
		this.meters.released(afterLoss, held);
		RecordedRun run = (request.tick() != null && !LockMeters.splits(request)) ? handle.unwrap(RecordedRun.class)
				: null;
		if (run != null) {
			this.meters.ended(afterLoss ? Outcome.LOST : JobStore.Run.outcome(run.outcome(), false));
		}
	}

	private void notHeld() {
		if (this.held.compareAndSet(true, false)) {
			this.meters.notHeld();
		}
	}

}
