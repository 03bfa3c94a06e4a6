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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.fencing.Bank.Point;
import io.github.zklock.support.PlainLockHandle;

import org.springframework.dao.DataAccessException;

/**
 * Readers and writers of one or several of three accounts, most of which lose their locks
 * at a random point and go on. Each says which balances it has seen. What was committed
 * has to be what they would have seen one after the other, in the order of their tokens.
 */
final class FenceHistory {

	private static final int THREADS = 6;

	private static final int KEYS = 3;

	private static final double LOSSES = 0.7;

	private static final double READS = 0.5;

	private static final long LONGEST_PAUSE_NANOS = 3_000_000;

	private final Bank bank;

	// A writer needs all permits of its key.
	private final List<Semaphore> locks = new ArrayList<>();

	private final AtomicLong tokens = new AtomicLong();

	FenceHistory(Bank bank) {
		this.bank = bank;
		for (int key = 1; key <= KEYS; key++) {
			this.locks.add(new Semaphore(THREADS, true));
			bank.open(key);
		}
	}

	/**
	 * Run rounds.
	 * @return the entries that do not fit into the order of the tokens
	 */
	List<Seen> run(int rounds, long seed) throws InterruptedException, ExecutionException {
		FenceRounds.run(THREADS, rounds, seed, this::round);
		return outOfOrder(this.bank.seen());
	}

	/**
	 * Return the entries that do not fit into the order of the tokens.
	 */
	static List<Seen> outOfOrder(List<Seen> history) {
		Map<Integer, Long> balances = new TreeMap<>();
		List<Seen> wrong = new ArrayList<>();
		for (Seen each : history) {
			long balance = balances.getOrDefault(each.key(), 0L);
			if (each.balance() != balance) {
				wrong.add(each);
			}
			balances.put(each.key(), balance + (each.wrote() ? 1 : 0));
		}
		return wrong;
	}

	private void round(Random random) {
		LockMode mode = (random.nextDouble() < READS) ? LockMode.READ : LockMode.WRITE;
		int permits = (mode == LockMode.READ) ? 1 : THREADS;
		int first = random.nextInt(KEYS);
		int last = first + random.nextInt(KEYS - first);
		Point[] points = Point.values();
		Point losesAt = (random.nextDouble() < LOSSES) ? points[random.nextInt(points.length)] : null;
		long pause = (long) (random.nextDouble() * LONGEST_PAUSE_NANOS);
		List<Semaphore> held = this.locks.subList(first, last + 1);
		held.forEach((lock) -> lock.acquireUninterruptibly(permits));
		List<LockHandle> handles = new ArrayList<>();
		for (int key = first + 1; key <= last + 1; key++) {
			handles.add(new PlainLockHandle(Integer.toString(key), mode, this.tokens.incrementAndGet()));
		}
		boolean[] lost = new boolean[1];
		try {
			this.bank.run(handles, (point) -> {
				if (point == losesAt && !lost[0]) {
					lost[0] = true;
					held.forEach((lock) -> lock.release(permits));
					LockSupport.parkNanos(pause);
				}
			});
		}
		catch (LockLostException | DataAccessException ex) {
			// Or the database has seen the conflict first.
		}
		finally {
			if (!lost[0]) {
				held.forEach((lock) -> lock.release(permits));
			}
		}
	}

	/**
	 * What was seen under a token.
	 */
	record Seen(int key, long token, long balance, boolean wrote) {

	}

}
