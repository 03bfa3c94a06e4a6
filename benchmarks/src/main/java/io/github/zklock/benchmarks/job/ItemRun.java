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

package io.github.zklock.benchmarks.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of an item, as its records show it.
 *
 * @param item the number of the item
 * @param pid the process
 * @param steps the times of its records, its begin first
 * @param ended whether it worked to its end
 */
record ItemRun(int item, long pid, List<Long> steps, boolean ended) {

	/**
	 * Read what the nodes have recorded.
	 * @param lines the records
	 * @return the runs, in the order of their begin
	 */
	static List<ItemRun> parse(List<String> lines) {
		Map<String, ItemRun> runs = new LinkedHashMap<>();
		for (String line : lines) {
			String[] words = line.split(" ");
			List<Long> time = List.of(Long.parseLong(words[5]));
			runs.merge(words[3] + " " + words[4],
					new ItemRun(Integer.parseInt(words[1]), Long.parseLong(words[3]), time, words[0].equals("end")),
					ItemRun::then);
		}
		return List.copyOf(runs.values());
	}

	private ItemRun then(ItemRun next) {
		List<Long> all = new ArrayList<>(this.steps);
		all.addAll(next.steps);
		return new ItemRun(this.item, this.pid, all, next.ended);
	}

	long begin() {
		return this.steps.get(0);
	}

	long last() {
		return this.steps.get(this.steps.size() - 1);
	}

	/**
	 * Return how long this run and a later one worked at once. A stopped process does not
	 * work.
	 * @param later a run that began later
	 * @return the nanoseconds, 0 if they did not
	 */
	long together(ItemRun later) {
		List<Long> both = this.steps.stream().filter((step) -> step > later.begin() && step < later.last()).toList();
		return both.isEmpty() ? 0 : Math.max(1, both.get(both.size() - 1) - both.get(0));
	}

}
