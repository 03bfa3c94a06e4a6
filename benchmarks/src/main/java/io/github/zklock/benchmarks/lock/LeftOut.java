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

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What could be measured and was not.
 */
final class LeftOut {

	private LeftOut() {
	}

	/**
	 * Name it.
	 * @param all what could be measured
	 * @param measured what was
	 * @return a list, empty if nothing was left out
	 */
	static String of(List<Run> all, List<Run> measured) {
		Map<String, List<String>> peers = all.stream()
			.filter((run) -> !measured.contains(run))
			.map(Run::series)
			.collect(Collectors.groupingBy((series) -> series.substring(0, series.lastIndexOf('/')), TreeMap::new,
					Collectors.mapping((series) -> series.substring(series.lastIndexOf('/') + 1),
							Collectors.toList())));
		return peers.isEmpty() ? "" : peers.entrySet()
			.stream()
			.map((entry) -> "* `" + entry.getKey() + "`: " + String.join(", ", entry.getValue()))
			.collect(Collectors.joining("\n", "No target needs these series, which only `--all` measures:\n\n", ""));
	}

}
