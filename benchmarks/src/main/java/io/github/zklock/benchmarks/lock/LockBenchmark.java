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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What a lock is used for, in one JVM with one session.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class LockBenchmark {

	private static final int KEYS = 1024;

	private static final int USED_KEYS_OF_A_THREAD = 1250;

	private static final int READS_OF_100 = 95;

	private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);

	private final AtomicLong number = new AtomicLong();

	/**
	 * Whose locks.
	 */
	@Param({ "ZK_LOCK", "MUTEX_FRESH" })
	public Peer peer;

	/**
	 * Where to connect to.
	 */
	@Param("127.0.0.1:2181")
	public String client;

	/**
	 * Where all servers are, which count what they do.
	 */
	@Param("127.0.0.1:2181")
	public String servers;

	private Session session;

	/**
	 * Connect.
	 * @throws Exception if that fails
	 */
	@Setup
	public void start() throws Exception {
		this.session = Session.open(this.peer, this.client);
	}

	/**
	 * Disconnect.
	 * @throws Exception if that fails
	 */
	@TearDown
	public void stop() throws Exception {
		this.session.close();
	}

	/**
	 * Lock and unlock a key that no other thread wants.
	 * @param key the key
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.SampleTime)
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public void uncontended(OwnKey key) throws Exception {
		this.session.contender().lock(key.key).unlock();
	}

	/**
	 * Lock and unlock a key that no other thread wants, again and again.
	 * @param key the key
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.Throughput)
	public void repeated(OwnKey key) throws Exception {
		this.session.contender().lock(key.key).unlock();
	}

	/**
	 * Lock and unlock a key for the first time.
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.Throughput)
	public void coldKey() throws Exception {
		this.session.contender().lock("cold-" + this.run + "-" + this.number.incrementAndGet()).unlock();
	}

	/**
	 * Lock and unlock a key for the first time, and say how long that takes.
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.SampleTime)
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public void coldLatency() throws Exception {
		coldKey();
	}

	/**
	 * Lock and unlock the next of the keys that were used before.
	 * @param keys the keys
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.Throughput)
	public void usedKeys(UsedKeys keys) throws Exception {
		this.session.contender().lock(keys.next()).unlock();
	}

	/**
	 * Try to lock a key that another session holds.
	 * @param taken the key
	 * @throws Exception if that fails
	 * @throws IllegalStateException if it succeeds
	 */
	@Benchmark
	@BenchmarkMode(Mode.SampleTime)
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public void failedTry(TakenKey taken) throws Exception {
		if (this.session.contender().tryLock(taken.key) != null) {
			throw new IllegalStateException("Two holders of " + taken.key);
		}
	}

	/**
	 * Lock and unlock a key that all threads want.
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.Throughput)
	public void sameKey() throws Exception {
		this.session.contender().lock("same").unlock();
	}

	/**
	 * Lock and unlock one of many keys.
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.Throughput)
	public void manyKeys() throws Exception {
		this.session.contender().lock("many-" + ThreadLocalRandom.current().nextInt(KEYS)).unlock();
	}

	/**
	 * Lock and unlock a key that most only read.
	 * @throws Exception if that fails
	 */
	@Benchmark
	@BenchmarkMode(Mode.Throughput)
	public void readMostly() throws Exception {
		if (ThreadLocalRandom.current().nextInt(100) < READS_OF_100) {
			this.session.contender().read("shared").unlock();
		}
		else {
			this.session.contender().lock("shared").unlock();
		}
	}

	/**
	 * A key for each thread.
	 */
	@State(Scope.Thread)
	public static class OwnKey {

		private String key;

		/**
		 * Choose the key.
		 * @param benchmark what numbers the keys
		 */
		@Setup
		public void choose(LockBenchmark benchmark) {
			this.key = "own-" + benchmark.number.incrementAndGet();
		}

	}

	/**
	 * The keys of one thread, each of which was used before.
	 */
	@State(Scope.Thread)
	public static class UsedKeys {

		private final List<String> keys = new ArrayList<>();

		private int number;

		/**
		 * Use each of them once.
		 * @param benchmark whose locks
		 * @param thread the thread
		 * @throws Exception if that fails
		 */
		@Setup
		public void use(LockBenchmark benchmark, ThreadParams thread) throws Exception {
			for (int i = 0; i < USED_KEYS_OF_A_THREAD; i++) {
				String key = "used-" + thread.getThreadIndex() + "-" + i;
				benchmark.session.contender().lock(key).unlock();
				this.keys.add(key);
			}
		}

		String next() {
			return this.keys.get(this.number++ % this.keys.size());
		}

	}

	/**
	 * A key that another session holds.
	 */
	@State(Scope.Benchmark)
	public static class TakenKey {

		private final String key = "taken";

		private Session other;

		/**
		 * Take the lock.
		 * @param benchmark where to connect to
		 * @throws Exception if that fails
		 */
		@Setup
		public void take(LockBenchmark benchmark) throws Exception {
			this.other = Session.open(benchmark.peer, benchmark.client);
			this.other.contender().lock(this.key);
		}

		/**
		 * End the session that holds it.
		 * @throws Exception if that fails
		 */
		@TearDown
		public void leave() throws Exception {
			this.other.client().close();
		}

	}

}
