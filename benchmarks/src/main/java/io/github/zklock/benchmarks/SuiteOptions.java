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

package io.github.zklock.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the command line says.
 *
 * @param rounds how often everything is measured, one after the other
 * @param into the directory of the page
 * @param only the part of a name that what is measured has to contain
 * @param all whether to measure more than the targets need
 * @since 0.1.0
 */
public record SuiteOptions(int rounds, Path into, String only, boolean all) {

	/**
	 * Return how a suite is run like this again.
	 * @param suite the name of the suite
	 * @return the command
	 */
	public String command(String suite) {
		return "benchmarks/run " + suite + " --rounds=" + this.rounds
				+ (this.only.isEmpty() ? "" : " --only=" + this.only) + (this.all ? " --all" : "");
	}

	static SuiteOptions parse(String[] args) {
		Map<String, String> values = Arrays.stream(args)
			.map((arg) -> arg.split("=", 2))
			.collect(Collectors.toMap((parts) -> parts[0], (parts) -> (parts.length > 1) ? parts[1] : ""));
		Function<String, String> take = (name) -> values.remove(name);
		String rounds = take.apply("--rounds");
		String into = take.apply("--into");
		String only = take.apply("--only");
		boolean all = take.apply("--all") != null;
		if (!values.isEmpty()) {
			throw new IllegalArgumentException("Unknown options " + values.keySet()
					+ "; use --rounds=5, --into=benchmarks/target/pages, --only=text or --all");
		}
		return new SuiteOptions((rounds != null) ? Integer.parseInt(rounds) : 5,
				Path.of((into != null) ? into : "benchmarks/target/pages"), (only != null) ? only : "", all);
	}

}
