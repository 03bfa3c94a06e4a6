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

package io.github.zklock.fencing;

import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.fencing.Bank.Body;
import io.github.zklock.fencing.Bank.Point;
import io.github.zklock.support.PlainLockHandle;

import org.springframework.dao.DataAccessException;

/**
 * Holders of one lock, most of which lose it at a random point and go on as if they had
 * not.
 */
final class FenceStress {

	private static final int THREADS = 6;

	private static final double LOSSES = 0.7;

	private static final long LONGEST_PAUSE_NANOS = 3_000_000;

	private final Bank bank;

	private final Body body;

	private final Semaphore lock = new Semaphore(1, true);

	private final AtomicLong tokens = new AtomicLong();

	private final AtomicInteger late = new AtomicInteger();

	private final AtomicInteger commits = new AtomicInteger();

	// Holders that had kept their lock.
	private final AtomicInteger wronglyRefused = new AtomicInteger();

	FenceStress(Bank bank, Body body) {
		this.bank = bank;
		this.body = body;
	}

	Result run(int rounds, long seed) throws InterruptedException, ExecutionException {
		FenceRounds.run(THREADS, rounds, seed, this::round);
		long stored = (this.body == Body.INSERT) ? this.bank.places() : this.bank.balance();
		return new Result(this.commits.get(), this.late.get(), this.commits.get() - stored, this.wronglyRefused.get());
	}

	private void round(Random random) {
		Point[] points = Point.values();
		Point losesAt = (random.nextDouble() < LOSSES) ? points[random.nextInt(points.length)] : null;
		long pause = (long) (random.nextDouble() * LONGEST_PAUSE_NANOS);
		this.lock.acquireUninterruptibly();
		// A holder that is refused early has not come to its point.
		boolean[] lost = new boolean[1];
		try {
			PlainLockHandle handle = new PlainLockHandle("account", LockMode.EXCLUSIVE, this.tokens.incrementAndGet());
			boolean late = this.bank.run(handle, this.body, (point) -> {
				if (point == losesAt) {
					lost[0] = true;
					this.lock.release();
					LockSupport.parkNanos(pause);
				}
			});
			this.commits.incrementAndGet();
			this.late.addAndGet((late) ? 1 : 0);
		}
		catch (LockLostException ex) {
			this.wronglyRefused.addAndGet((!lost[0]) ? 1 : 0);
		}
		catch (DataAccessException ex) {
			// The database has seen the conflict first.
		}
		finally {
			if (!lost[0]) {
				this.lock.release();
			}
		}
	}

	/**
	 * What came of it.
	 */
	record Result(int commits, int late, long lostUpdates, int wronglyRefused) {

	}

}
