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

package io.github.zklock.torture;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a run has brought.
 *
 * @param settings what was run
 * @param log what happened
 * @param orphans the nodes of contenders that were left while all clients were open
 * @param containers the nodes of keys that could not be deleted afterwards
 * @param watches how many watches the servers still had then
 * @param begin when the first blow was dealt
 * @param end when the last one was over
 * @param wall how long everything took
 */
record TortureResult(TortureSettings settings, TortureLog log, List<String> orphans, List<String> containers,
		int watches, long begin, long end, Duration wall) {

	long seconds() {
		return (this.end - this.begin) / 1_000_000_000;
	}

	Map<String, Long> grantsPerKey() {
		return this.log.grants()
			.stream()
			.filter((grant) -> TortureKeys.ALL.contains(grant.key))
			.collect(Collectors.groupingBy((grant) -> grant.key, TreeMap::new, Collectors.counting()));
	}

	Map<Nemesis, List<Incident>> incidentsPerNemesis() {
		return this.log.incidents()
			.stream()
			.collect(Collectors.groupingBy(Incident::nemesis, TreeMap::new, Collectors.toList()));
	}

}
