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
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.ToolProvider;

import io.github.zklock.support.ProjectModules;
import org.jspecify.annotations.Nullable;

/**
 * What the simulation, or the test that a mutant names, finds of it.
 *
 * @param mutant the mutant
 * @param schedules how many schedules were played until one was broken, or at all
 * @param seed the seed that was broken, if one was
 * @param millis how long that took
 * @param broken what was broken: a promise or the test
 */
record MutantHunt(Mutant mutant, long schedules, @Nullable String seed, long millis, @Nullable String broken) {

	/** Mutants name tests of any module. */
	private static final List<Path> TESTS = ProjectModules.all("target/test-classes");

	private static final Path NO_CHANGE = Path.of("target", "test-classes");

	private static final int FIRST_SEED = 1;

	private static final int LONGEST = 150;

	private static final Pattern FOUND = Pattern.compile("^seed (-?\\d+): (.*)$", Pattern.MULTILINE);

	private static final Pattern PLAYED = Pattern.compile("^seeds from \\d+: (\\d+) schedules", Pattern.MULTILINE);

	private static final Pattern TESTED = Pattern.compile("^tests failed: (\\d+) of (\\d+)$", Pattern.MULTILINE);

	static URL[] tests() throws MalformedURLException {
		URL[] urls = new URL[TESTS.size()];
		for (int i = 0; i < urls.length; i++) {
			urls[i] = TESTS.get(i).toUri().toURL();
		}
		return urls;
	}

	/**
	 * Compile a mutant, and play schedules with it or run its test.
	 * @param schedules how many schedules at most
	 * @param directory for what is compiled
	 */
	static MutantHunt of(Mutant mutant, int schedules, Path directory) throws IOException, InterruptedException {
		Path classes = Files.createDirectories(directory.resolve(mutant.name()).resolve("classes"));
		compile(mutant, mutant.write(directory.resolve(mutant.name())), classes);
		String unchanged = (mutant.test() != null) ? test(mutant, NO_CHANGE) : "";
		if (mutant.test() != null && tested(mutant, unchanged, 0).isFound()) {
			throw new IllegalStateException(mutant + " names a test that fails without it: " + unchanged);
		}
		long begin = System.nanoTime();
		String output = (mutant.test() != null) ? test(mutant, classes)
				: run(classes, List.of("-Dsimulation.drill=" + mutant.drill()), SimulationMain.class,
						Integer.toString(FIRST_SEED), Integer.toString(schedules));
		long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
		return (mutant.test() != null) ? tested(mutant, output, millis) : played(mutant, schedules, output, millis);
	}

	private static String test(Mutant mutant, Path classes) throws IOException, InterruptedException {
		return run(classes, List.of(), SingleTestMain.class, mutant.test().split("#"));
	}

	private static MutantHunt played(Mutant mutant, int schedules, String output, long millis) {
		long played = Long.parseLong(find(PLAYED, mutant, output).group(1));
		Matcher found = FOUND.matcher(output);
		return found.find() ? new MutantHunt(mutant, played, found.group(1), millis, found.group(2))
				: new MutantHunt(mutant, schedules, null, millis, null);
	}

	private static MutantHunt tested(Mutant mutant, String output, long millis) {
		Matcher tested = find(TESTED, mutant, output);
		if (tested.group(2).equals("0")) {
			throw new IllegalStateException(mutant + " names a test that does not exist: " + mutant.test());
		}
		String test = mutant.test().substring(mutant.test().lastIndexOf('.') + 1);
		return new MutantHunt(mutant, 0, null, millis, tested.group(1).equals("0") ? null : test);
	}

	private static Matcher find(Pattern line, Mutant mutant, String output) {
		Matcher matcher = line.matcher(output);
		if (!matcher.find()) {
			throw new IllegalStateException(mutant + " was not played: " + output);
		}
		return matcher;
	}

	private static String run(Path classes, List<String> options, Class<?> main, String... arguments)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List
			.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx600m", "-XX:+UseSerialGC"));
		command.addAll(options);
		command.addAll(List.of("-cp",
				String.join(File.pathSeparator, classes.toString(),
						String.join(File.pathSeparator, TESTS.stream().map(Path::toString).toList()),
						System.getProperty("java.class.path")),
				main.getName()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return output;
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

	boolean isFound() {
		return this.broken != null;
	}

	/**
	 * Return a line of the table.
	 */
	String line() {
		String kind = (this.mutant.drill() != Drill.NONE) ? "`" + this.mutant.drill() + "`" : "all";
		String count = (this.seed != null) ? Long.toString(this.schedules) : "> " + this.schedules;
		String seen = (this.broken != null)
				? "`" + this.broken.substring(0, Math.min(this.broken.length(), LONGEST)) + "`" : MutantTable.NOT_FOUND;
		boolean tested = this.mutant.test() != null;
		return "| %s | `%s` | %s | %s | %s | %.1f | %s |".formatted(this.mutant.rule(), this.mutant.name(),
				tested ? "a test" : kind, tested ? "" : count, (this.seed != null) ? this.seed : "",
				this.millis / 1000.0, seen);
	}

}
