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
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where and when something was measured.
 *
 * @since 0.1.0
 */
public final class Environment {

	private final double loadBefore = load();

	/**
	 * Remember how busy the machine is before anything is measured.
	 */
	public Environment() {
	}

	/**
	 * Describe it, with the load until now.
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
				List.of("load before and after", String.format(Locale.ROOT, "%.1f, %.1f", this.loadBefore, load())));
	}

	/**
	 * Say so if other work kept the machine busy.
	 * @return a sentence, empty if the times can be trusted
	 */
	public String caution() {
		double most = Math.max(this.loadBefore, load());
		int processors = Runtime.getRuntime().availableProcessors();
		return (most <= 2 * processors) ? ""
				: String.format(Locale.ROOT,
						"**The machine was busy with other work (load %.0f on %d processors): trust "
								+ "the counts and the bytes on this page, and neither times nor their ratios.**",
						most, processors);
	}

	private static double load() {
		return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
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
