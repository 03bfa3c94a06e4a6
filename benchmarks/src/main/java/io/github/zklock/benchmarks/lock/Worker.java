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

package io.github.zklock.benchmarks.lock;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * One of several JVMs that want the same key. It locks for as many milliseconds as each
 * line of its input says, and answers each with what it got.
 *
 * @since 0.1.0
 */
public final class Worker {

	private static final String KEY = "fleet";

	private final Contender contender;

	private final int readsOf100;

	private final long holdNanos;

	private final LongAdder heldNanos = new LongAdder();

	private Worker(Contender contender, int readsOf100, long holdNanos) {
		this.contender = contender;
		this.readsOf100 = readsOf100;
		this.holdNanos = holdNanos;
	}

	/**
	 * Run until the input ends.
	 * @param args peer, connect string, number of threads, percentage of readers, how
	 * many milliseconds to hold each lock
	 * @throws Exception if a lock fails
	 */
	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[2]);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try (Session session = Session.open(Peer.valueOf(args[0]), args[1]);
				BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
			Worker worker = new Worker(session.contender(), Integer.parseInt(args[3]),
					TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[4])));
			System.out.println("ready");
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line));
				List<Future<long[]>> results = new ArrayList<>();
				for (int i = 0; i < threads; i++) {
					results.add(executor.submit(() -> worker.lockUntil(end)));
				}
				System.out.println(worker.report(results));
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	// How long each lock took to come, in nanoseconds.
	private long[] lockUntil(long end) throws Exception {
		LongStream.Builder waits = LongStream.builder();
		for (long start = System.nanoTime(); start - end < 0; start = System.nanoTime()) {
			boolean read = ThreadLocalRandom.current().nextInt(100) < this.readsOf100;
			Contender.Held held = read ? this.contender.read(KEY) : this.contender.lock(KEY);
			long acquired = System.nanoTime();
			waits.add(acquired - start);
			for (long left = this.holdNanos; left > 0; left = acquired + this.holdNanos - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
			this.heldNanos.add(System.nanoTime() - acquired);
			held.unlock();
		}
		return waits.build().toArray();
	}

	private String report(List<Future<long[]>> results) throws Exception {
		LongStream.Builder all = LongStream.builder();
		for (Future<long[]> result : results) {
			Arrays.stream(result.get()).forEach(all);
		}
		long[] waits = all.build().sorted().toArray();
		if (waits.length == 0) {
			return "0 0 0 0";
		}
		return waits.length + " " + waits[(int) (waits.length * 0.99)] + " " + waits[waits.length - 1] + " "
				+ this.heldNanos.sumThenReset();
	}

}
