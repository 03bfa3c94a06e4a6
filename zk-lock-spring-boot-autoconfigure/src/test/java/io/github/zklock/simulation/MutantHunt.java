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

package io.github.zklock.simulation;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;

/**
 * What the simulation finds of a mutant.
 *
 * @param mutant the mutant
 * @param schedules how many schedules were played until one was broken, or at all
 * @param seed the seed that was broken, if one was
 * @param millis how long that took
 * @param broken the promise that was broken, if one was
 */
record MutantHunt(Mutant mutant, long schedules, @Nullable String seed, long millis, @Nullable String broken) {

	private static final int FIRST_SEED = 1;

	private static final int LONGEST = 150;

	private static final Pattern FOUND = Pattern.compile("^seed (\\d+): (.*)$", Pattern.MULTILINE);

	private static final Pattern PLAYED = Pattern.compile("^seeds from \\d+: (\\d+) schedules", Pattern.MULTILINE);

	/**
	 * Compile a mutant, and play schedules with it.
	 * @param schedules how many schedules at most
	 * @param directory for what is compiled
	 */
	static MutantHunt of(Mutant mutant, int schedules, Path directory) throws IOException, InterruptedException {
		Path classes = Files.createDirectories(directory.resolve(mutant.name()).resolve("classes"));
		compile(mutant, mutant.write(directory.resolve(mutant.name())), classes);
		long begin = System.nanoTime();
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx600m", "-XX:+UseSerialGC", "-Dsimulation.drill=" + mutant.drill(), "-cp",
				classes + File.pathSeparator + System.getProperty("java.class.path"), SimulationMain.class.getName(),
				Integer.toString(FIRST_SEED), Integer.toString(schedules))
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
		Matcher played = PLAYED.matcher(output);
		if (!played.find()) {
			throw new IllegalStateException(mutant + " was not played: " + output);
		}
		Matcher found = FOUND.matcher(output);
		return found.find()
				? new MutantHunt(mutant, Long.parseLong(played.group(1)), found.group(1), millis, found.group(2))
				: new MutantHunt(mutant, schedules, null, millis, null);
	}

	private static void compile(Mutant mutant, List<Path> sources, Path classes) {
		List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-g", "-d", classes.toString(), "-cp",
				System.getProperty("java.class.path")));
		sources.forEach((source) -> arguments.add(source.toString()));
		int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
		if (result != 0) {
			throw new IllegalStateException(mutant + " does not compile");
		}
	}

	/**
	 * Return a line of the table.
	 */
	String line() {
		String kind = (this.mutant.drill() != Drill.NONE) ? this.mutant.drill().toString() : "all";
		String count = (this.seed != null) ? Long.toString(this.schedules) : "> " + this.schedules;
		String seen = (this.broken != null) ? this.broken.substring(0, Math.min(this.broken.length(), LONGEST))
				: MutantTable.NOT_FOUND;
		return "| %s | `%s` | %s | %s | %s | %.1f | %s |".formatted(this.mutant.rule(), this.mutant.name(), kind, count,
				(this.seed != null) ? this.seed : "", this.millis / 1000.0, seen);
	}

}
