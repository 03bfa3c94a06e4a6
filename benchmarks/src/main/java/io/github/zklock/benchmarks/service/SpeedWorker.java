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

package io.github.zklock.benchmarks.service;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import com.sun.management.OperatingSystemMXBean;

/**
 * A process that locks and unlocks as often as it can.
 *
 * @since 0.1.0
 */
public final class SpeedWorker {

	private static final OperatingSystemMXBean SYSTEM = ManagementFactory
		.getPlatformMXBean(OperatingSystemMXBean.class);

	private final Locks locks;

	private final Workload workload;

	private final Holders holders;

	private SpeedWorker(Locks locks, Workload workload, Holders holders) {
		this.locks = locks;
		this.workload = workload;
		this.holders = holders;
	}

	/**
	 * Connect, wait for a line with the time of the begin, and run.
	 * @param args library, address, workload and the file of the holders
	 * @throws Exception if a lock fails
	 */
	public static void main(String[] args) throws Exception {
		Library library = Library.valueOf(args[0]);
		Workload workload = Workload.valueOf(args[2]);
		Locks other = library.open(args[1], Duration.ZERO);
		try (Locks locks = library.open(args[1], Duration.ZERO);
				BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
			if (workload == Workload.FAILED_TRY) {
				other.lock(key(workload, 0));
			}
			System.out.println("ready");
			long begin = Long.parseLong(in.readLine());
			Holders holders = new Holders(Path.of(args[3]), workload.keys());
			System.out.println("result " + new SpeedWorker(locks, workload, holders).run(begin));
		}
		// Some libraries leave threads behind.
		System.exit(0);
	}

	private String run(long begin) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(this.workload.threads());
		long measured = begin + TimeUnit.SECONDS.toNanos(this.workload.warmUpSeconds());
		long end = measured + TimeUnit.SECONDS.toNanos(this.workload.seconds());
		List<Future<long[]>> results = new ArrayList<>();
		for (int i = 0; i < this.workload.threads(); i++) {
			int number = i;
			results.add(threads.submit(() -> use(number, measured, end)));
		}
		sleepUntil(measured);
		long cpu = SYSTEM.getProcessCpuTime();
		sleepUntil(end);
		cpu = SYSTEM.getProcessCpuTime() - cpu;
		List<long[]> times = new ArrayList<>();
		for (Future<long[]> result : results) {
			times.add(result.get());
		}
		threads.shutdown();
		long[] sorted = times.stream().flatMapToLong(LongStream::of).sorted().toArray();
		int count = Math.max(1, sorted.length);
		long least = times.stream().mapToLong((each) -> each.length).min().orElse(0);
		long most = times.stream().mapToLong((each) -> each.length).max().orElse(0);
		return String.join(" ", Integer.toString(sorted.length), Long.toString(at(sorted, count / 2)),
				Long.toString(at(sorted, (int) (count * 0.99))), Long.toString(cpu), Long.toString(least),
				Long.toString(most), Long.toString(this.holders.overlaps()));
	}

	private long[] use(int number, long measured, long end) throws Exception {
		LongStream.Builder times = LongStream.builder();
		int next = number * this.workload.keys() / this.workload.threads();
		for (long start = System.nanoTime(); start - end < 0; start = System.nanoTime()) {
			int key = next++ % this.workload.keys();
			cycle(key);
			long done = System.nanoTime();
			if (start - measured >= 0 && done - end <= 0) {
				times.add(done - start);
			}
		}
		return times.build().toArray();
	}

	private void cycle(int key) throws Exception {
		if (this.workload == Workload.FAILED_TRY) {
			if (this.locks.tryLock(key(this.workload, key), Duration.ZERO) != null) {
				throw new IllegalStateException("Two holders");
			}
			return;
		}
		Locks.Held held = this.locks.lock(key(this.workload, key));
		this.holders.visit(key);
		held.unlock();
	}

	private static String key(Workload workload, int number) {
		return workload.name().toLowerCase(Locale.ROOT) + "-" + number;
	}

	private static long at(long[] sorted, int index) {
		return (sorted.length > 0) ? sorted[Math.min(index, sorted.length - 1)] : 0;
	}

	private static void sleepUntil(long nanos) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
	}

}
