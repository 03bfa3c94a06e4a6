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

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.zklock.support.JavaProcess;

/**
 * The other end of a {@link Worker}.
 */
final class WorkerProcess implements AutoCloseable {

	/** Not to be taken for what a logger prints. */
	static final String PREFIX = "worker: ";

	private final JavaProcess process;

	WorkerProcess(Peer peer, String connectString, int threads, Fleet fleet, boolean last) {
		this.process = JavaProcess.of(Worker.class.getName())
			.readsInput()
			.options("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC")
			.start(peer.name(), connectString, Integer.toString(threads), Boolean.toString(fleet.hasTurns()),
					fleet.task(last).stream().map(String::valueOf).collect(Collectors.joining(",")));
	}

	void awaitReady() {
		this.process.takeLine(PREFIX);
	}

	void go(Order order) {
		this.process.write(order.format());
	}

	Result result() {
		return Result.parse(this.process.takeLine(PREFIX));
	}

	@Override
	public void close() {
		try (this.process) {
			this.process.endInput();
			this.process.awaitEnd();
		}
	}

	/**
	 * What it is to do. All JVMs of a machine share the clock, and so begin and end at
	 * the same time.
	 *
	 * @param startNanos when to begin
	 * @param endNanos when to ask for the lock no more
	 * @param hurry whether not to hold the lock and not to pause, whatever the task says
	 */
	record Order(long startNanos, long endNanos, boolean hurry) {

		static Order parse(String line) {
			String[] parts = line.split(" ");
			return new Order(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Boolean.parseBoolean(parts[2]));
		}

		String format() {
			return this.startNanos + " " + this.endNanos + " " + this.hurry;
		}

	}

	/**
	 * What it got.
	 *
	 * @param grants how many locks
	 * @param p50Nanos how long half of them took at most
	 * @param p99Nanos how long all but one in a hundred took at most
	 * @param maxNanos how long the slowest took
	 * @param heldNanos how long it held the lock, all in all
	 * @param firstNanos when it got the lock for the first time, if ever
	 * @param lastNanos when it began to release it for the last time
	 * @param times when it got them, in ascending order; empty if that was not asked for
	 * @param ends when it began to release them, in ascending order; as many
	 */
	record Result(long grants, long p50Nanos, long p99Nanos, long maxNanos, long heldNanos, long firstNanos,
			long lastNanos, long[] times, long[] ends) {

		private static final int FIXED = 7;

		static Result parse(String line) {
			long[] numbers = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
			int middle = (FIXED + numbers.length) / 2;
			return new Result(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6],
					Arrays.copyOfRange(numbers, FIXED, middle), Arrays.copyOfRange(numbers, middle, numbers.length));
		}

		String format() {
			return Stream
				.of(LongStream.of(this.grants, this.p50Nanos, this.p99Nanos, this.maxNanos, this.heldNanos,
						this.firstNanos, this.lastNanos), Arrays.stream(this.times), Arrays.stream(this.ends))
				.flatMapToLong(Function.identity())
				.mapToObj(Long::toString)
				.collect(Collectors.joining(" "));
		}

	}

}
