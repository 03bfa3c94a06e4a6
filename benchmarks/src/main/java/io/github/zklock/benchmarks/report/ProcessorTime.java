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

	double busySince(ProcessorTime before) {
		return share(before, (this.all - this.idle) - (before.all - before.idle));
	}

	/**
	 * Return how much of them the hypervisor took since then.
	 * @param before what there was
	 * @return percent
	 */
	public double stolenSince(ProcessorTime before) {
		return share(before, this.stolen - before.stolen);
	}

	private double share(ProcessorTime before, double ticks) {
		return (this.all > before.all) ? 100 * ticks / (this.all - before.all) : 0;
	}

}
