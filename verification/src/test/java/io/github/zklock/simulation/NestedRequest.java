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
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/**
 * A second request of a caller for the key that it holds.
 */
final class NestedRequest {

	private final World world;

	private final SimulatedProcess process;

	private final Lane lane;

	private final String caller;

	private @Nullable LockHandle granted;

	private boolean asking;

	NestedRequest(World world, SimulatedProcess process, Lane lane, String caller) {
		this.world = world;
		this.process = process;
		this.lane = lane;
		this.caller = caller;
	}

	boolean isAsking() {
		return this.asking;
	}

	boolean isNone() {
		return this.granted == null && !this.asking;
	}

	void ask(Hold outer, LockState state, SplittableRandom random) {
		LockRequest request = outer.request()
			.withTick(null)
			.withLockAtLeastFor(Duration.ZERO)
			.withCache(false)
			.withMode((random.nextInt(3) == 0) ? LockMode.EXCLUSIVE : outer.request().mode())
			.withWait(Duration.ZERO);
		this.asking = true;
		this.process.provider()
			.acquireAsync(request)
			.whenComplete((inner, failure) -> this.lane.after(1, "is inside again",
					() -> answered(outer, state, request.mode(), inner, failure)));
	}

	private void answered(Hold outer, LockState before, LockMode mode, @Nullable LockHandle inner,
			@Nullable Throwable failure) {
		this.asking = false;
		if (inner != null) {
			this.granted = inner;
			this.world.counts().nested++;
			if (inner.fencingToken() != outer.token()) {
				throw this.world.judge()
					.violated("re-entrancy", this.caller + " got another token than " + outer, null);
			}
		}
		else {
			refused(outer, before, mode, (failure instanceof CompletionException ex) ? ex.getCause() : failure);
		}
	}

	// The state of a lock may have changed since the request was refused.
	private void refused(Hold outer, LockState before, LockMode mode, @Nullable Throwable cause) {
		boolean upgrade = outer.request().mode() == LockMode.READ && mode != LockMode.READ;
		if (before == LockState.HELD && outer.handle().state() == LockState.HELD && !upgrade) {
			throw this.world.judge()
				.violated("re-entrancy", this.caller + " is refused what it holds: " + outer, cause);
		}
		if (!(cause instanceof LockException)) {
			throw this.world.judge().violated("I10", this.caller + " got an unexpected " + cause, cause);
		}
	}

	void release() {
		if (this.granted != null) {
			this.granted.release();
			this.granted = null;
		}
	}

}
