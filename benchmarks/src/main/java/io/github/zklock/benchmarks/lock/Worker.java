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
 * One of several JVMs that want the same key. It locks for as long as each line of its
 * input says, and answers each with what it got.
 *
 * @since 0.1.0
 */
public final class Worker {

	private static final String KEY = "fleet";

	private final Contender contender;

	private final boolean turns;

	private final int readsOf100;

	private final long holdNanos;

	private final long pauseNanos;

	private final LongAdder heldNanos = new LongAdder();

	private Worker(Contender contender, boolean turns, long[] task) {
		this.contender = contender;
		this.turns = turns;
		this.readsOf100 = (int) task[0];
		this.holdNanos = TimeUnit.MILLISECONDS.toNanos(task[1]);
		this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(task[2]);
	}

	/**
	 * Run until the input ends.
	 * @param args peer, connect string, number of threads, and whether to report when
	 * each lock was granted and released. The last one has commas: percentage of readers,
	 * milliseconds to hold each lock, milliseconds before the next
	 * @throws Exception if a lock fails
	 */
	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[2]);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try (Session session = Session.open(Peer.valueOf(args[0]), args[1]);
				BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
			Worker worker = new Worker(session.contender(), Boolean.parseBoolean(args[3]),
					Arrays.stream(args[4].split(",")).mapToLong(Long::parseLong).toArray());
			System.out.println(WorkerProcess.PREFIX + "ready");
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				WorkerProcess.Order order = WorkerProcess.Order.parse(line);
				List<Future<Grants>> results = new ArrayList<>();
				for (int i = 0; i < threads; i++) {
					results.add(executor.submit(() -> worker.lock(order)));
				}
				System.out.println(WorkerProcess.PREFIX + worker.report(results).format());
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	private Grants lock(WorkerProcess.Order order) throws Exception {
		long hold = order.hurry() ? 0 : this.holdNanos;
		long pause = order.hurry() ? 0 : this.pauseNanos;
		long first = Long.MAX_VALUE;
		long last = Long.MIN_VALUE;
		LongStream.Builder waits = LongStream.builder();
		LongStream.Builder times = LongStream.builder();
		LongStream.Builder ends = LongStream.builder();
		park(order.startNanos());
		for (long start = System.nanoTime(); start - order.endNanos() < 0; start = System.nanoTime()) {
			boolean read = ThreadLocalRandom.current().nextInt(100) < this.readsOf100;
			Contender.Held held = read ? this.contender.read(KEY) : this.contender.lock(KEY);
			long acquired = System.nanoTime();
			waits.add(acquired - start);
			park(acquired + hold);
			first = Math.min(first, acquired);
			last = System.nanoTime();
			if (this.turns) {
				times.add(acquired);
				ends.add(last);
			}
			this.heldNanos.add(last - acquired);
			held.unlock();
			park(System.nanoTime() + pause);
		}
		return new Grants(waits.build(), times.build(), ends.build(), first, last);
	}

	private static void park(long until) {
		for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	private WorkerProcess.Result report(List<Future<Grants>> results) throws Exception {
		LongStream waits = LongStream.empty();
		LongStream times = LongStream.empty();
		LongStream ends = LongStream.empty();
		long first = Long.MAX_VALUE;
		long last = Long.MIN_VALUE;
		for (Future<Grants> result : results) {
			first = Math.min(first, result.get().first());
			last = Math.max(last, result.get().last());
			waits = LongStream.concat(waits, result.get().waits());
			times = LongStream.concat(times, result.get().times());
			ends = LongStream.concat(ends, result.get().ends());
		}
		long[] sorted = waits.sorted().toArray();
		int count = sorted.length;
		return new WorkerProcess.Result(count, (count > 0) ? sorted[count / 2] : 0,
				(count > 0) ? sorted[(int) (count * 0.99)] : 0, (count > 0) ? sorted[count - 1] : 0,
				this.heldNanos.sumThenReset(), first, last, times.sorted().toArray(), ends.sorted().toArray());
	}

	/**
	 * What a thread got.
	 *
	 * @param waits how long each lock took to come, in nanoseconds
	 * @param times when it came
	 * @param ends when its release began
	 * @param first when the first one came
	 * @param last when the last one was over
	 */
	private record Grants(LongStream waits, LongStream times, LongStream ends, long first, long last) {
	}

}
