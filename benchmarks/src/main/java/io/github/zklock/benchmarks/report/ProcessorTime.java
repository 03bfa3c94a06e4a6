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

package io.github.zklock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What all processors of the machine have done so far, in the ticks of the kernel.
 *
 * @param all all of it
 * @param idle with nothing to do
 * @param stolen while the hypervisor had them do something else
 * @since 0.1.0
 */
public record ProcessorTime(double all, double idle, double stolen) {

	private static final int IDLE = 3;

	private static final int WAITING = 4;

	private static final int STOLEN = 7;

	/**
	 * Ask the kernel.
	 * @return the time so far; none if it does not tell
	 */
	public static ProcessorTime now() {
		try {
			// The first line is the sum of all processors: a name, and a number for each
			// purpose.
			String line = Files.readAllLines(Path.of("/proc/stat")).get(0);
			double[] ticks = Arrays.stream(line.strip().split("\\s+"))
				.skip(1)
				.limit(STOLEN + 1)
				.mapToDouble(Double::parseDouble)
				.toArray();
			return new ProcessorTime(Arrays.stream(ticks).sum(), ticks[IDLE] + ticks[WAITING], ticks[STOLEN]);
		}
		catch (IOException ex) {
			return new ProcessorTime(0, 0, 0);
		}
	}

	/**
	 * Return what they did since then.
	 * @param before what they had done until then
	 * @return the difference
	 */
	public ProcessorTime since(ProcessorTime before) {
		return new ProcessorTime(this.all - before.all, this.idle - before.idle, this.stolen - before.stolen);
	}

	/**
	 * Return both times together.
	 * @param other another time
	 * @return the sum
	 */
	public ProcessorTime plus(ProcessorTime other) {
		return new ProcessorTime(this.all + other.all, this.idle + other.idle, this.stolen + other.stolen);
	}

	/**
	 * Return how much of this time they were busy, or were kept from it.
	 * @return percent
	 */
	public double busyPercent() {
		return percent(this.all - this.idle);
	}

	/**
	 * Return how much of this time the hypervisor took.
	 * @return percent
	 */
	public double stolenPercent() {
		return percent(this.stolen);
	}

	private double percent(double ticks) {
		return (this.all > 0) ? 100 * ticks / this.all : 0;
	}

}
