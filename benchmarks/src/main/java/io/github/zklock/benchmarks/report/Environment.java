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
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Where and when something was measured.
 *
 * @since 0.1.0
 */
public final class Environment {

	private static final long LOOK_MILLIS = 1000;

	private static final double MOST_BUSY = 15;

	private static final double MOST_STOLEN = 3;

	private ProcessorTime start = ProcessorTime.now();

	private double busy;

	private int repeated;

	/**
	 * Look how busy the machine is before anything is measured.
	 */
	public Environment() {
		look();
	}

	/**
	 * Look for a second how busy others keep the machine. Nothing is to be measured
	 * meanwhile.
	 */
	public void look() {
		ProcessorTime before = ProcessorTime.now();
		try {
			TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.busy = Math.max(this.busy, ProcessorTime.now().since(before).busyPercent());
	}

	/**
	 * Leave out what the machine did in a run that is measured again.
	 * @param spent what it did meanwhile
	 */
	public void disregard(ProcessorTime spent) {
		this.start = this.start.plus(spent);
		this.repeated++;
	}

	/**
	 * Describe it, with what else the machine has done until now.
	 * @param command what was run
	 * @return rows of two cells
	 */
	public List<List<String>> rows(String command) {
		return List.of(List.of("command", "`" + command + "`"), List.of("date", LocalDate.now().toString()),
				List.of("commit", System.getProperty("benchmarks.commit", "unknown")),
				List.of("processor",
						Runtime.getRuntime().availableProcessors() + " x " + value("/proc/cpuinfo", "model name")),
				List.of("memory", value("/proc/meminfo", "MemTotal")),
				List.of("system", System.getProperty("os.name") + " " + System.getProperty("os.version")),
				List.of("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version")),
				List.of("processors busy before the run and between its rounds",
						String.format(Locale.ROOT, "at most %.0f %%", this.busy)),
				List.of("processors taken by the hypervisor",
						String.format(Locale.ROOT, "%.1f %%", stolen()) + ((this.repeated > 0)
								? ", without " + this.repeated + " runs that were measured again" : "")));
	}

	/**
	 * Say so if other work kept the machine busy.
	 * @return a sentence, empty if the times can be trusted
	 */
	public String caution() {
		double stolen = stolen();
		return (this.busy <= MOST_BUSY && stolen <= MOST_STOLEN) ? "" : String.format(Locale.ROOT,
				"**The machine had other work: up to %.0f %% of its processors before the run or between its rounds, "
						+ "and %.1f %% for its hypervisor. Trust the counts and bytes on this page, but neither times "
						+ "nor ratios.**",
				this.busy, stolen);
	}

	private double stolen() {
		return ProcessorTime.now().since(this.start).stolenPercent();
	}

	private static String value(String file, String name) {
		try (Stream<String> lines = Files.lines(Path.of(file))) {
			return lines.filter((line) -> line.startsWith(name))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst()
				.orElse("unknown");
		}
		catch (IOException ex) {
			return "unknown";
		}
	}

}
