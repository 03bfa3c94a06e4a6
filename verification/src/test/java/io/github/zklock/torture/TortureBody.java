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

package io.github.zklock.torture;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;

/**
 * One thread of a worker: takes locks and writes to the register under them. A body that
 * the register tells to stay goes on for as long as it is not told that its lock is lost,
 * which is the worst that a user's may do.
 */
final class TortureBody implements Runnable {

	private static final long BEAT = TimeUnit.MILLISECONDS.toNanos(3);

	private static final AtomicLong ids = new AtomicLong();

	private final LockProvider locks;

	private final TortureKeys keys;

	private final RegisterLine register;

	private final RegisterLine losses;

	private final StallMeter stalls;

	private final AtomicBoolean stopped;

	private String told = "";

	TortureBody(LockProvider locks, TortureKeys keys, RegisterLine register, RegisterLine losses, StallMeter stalls,
			AtomicBoolean stopped) {
		this.locks = locks;
		this.keys = keys;
		this.register = register;
		this.losses = losses;
		this.stalls = stalls;
		this.stopped = stopped;
	}

	@Override
	public void run() {
		while (!this.stopped.get()) {
			LockRequest request = this.keys.request();
			if (this.register.ask("next", request.key()).equals("ok")) {
				attempt(request, this.keys.hold());
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(this.keys.think()));
		}
	}

	/**
	 * Ask for a lock once and hold it, if it is granted.
	 */
	void attempt(LockRequest request, int holdMillis) {
		long stalledBefore = this.stalls.stalled().toMillis();
		long start = System.nanoTime();
		LockHandle handle = null;
		String outcome = Attempt.GRANTED;
		try {
			handle = this.locks.acquire(request);
		}
		catch (LockException ex) {
			outcome = ex.getClass().getSimpleName();
		}
		catch (RuntimeException ex) {
			outcome = rootOf(ex).getClass().getName();
		}
		long acquired = System.nanoTime();
		long stalled = this.stalls.stalled().toMillis();
		if (handle != null) {
			hold(handle, acquired, holdMillis);
		}
		long took = TimeUnit.NANOSECONDS.toMillis(acquired - start) - (stalled - stalledBefore);
		this.register.ask("wait", request.key(), TortureKeys.boundMillis(request), took, outcome);
	}

	private void hold(LockHandle handle, long acquired, int holdMillis) {
		String id = ProcessHandle.current().pid() + "-" + ids.incrementAndGet();
		this.register.ask("enter", id, handle.key(), handle.mode(), handle.fencingToken(), acquired);
		handle.onLost((lost) -> tellLoss(id));
		long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(holdMillis);
		long look = acquired;
		long lookBefore = acquired;
		boolean stay = true;
		while (stay) {
			lookBefore = look;
			look = System.nanoTime();
			stay = write(handle, id) && (this.told.equals("stay") || System.nanoTime() - until < 0);
			if (stay) {
				LockSupport.parkNanos(BEAT);
			}
		}
		// For so long it could not have known better.
		this.register.ask("exit", id, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lookBefore));
		try {
			handle.release();
		}
		catch (RuntimeException ex) {
			this.register.ask("wait", handle.key(), 0, 0, "release:" + rootOf(ex).getClass().getName());
		}
	}

	private boolean write(LockHandle handle, String id) {
		LockState state = handle.state();
		if (state == LockState.LOST) {
			tellLoss(id);
		}
		this.told = this.register.ask("write", id, state == LockState.HELD);
		return state != LockState.LOST && state != LockState.RELEASED && !this.stopped.get();
	}

	private void tellLoss(String id) {
		this.losses.ask("lost", id, System.nanoTime());
	}

	private static Throwable rootOf(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root;
	}

}
