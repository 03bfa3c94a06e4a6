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

package io.github.zklock.zookeeper.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.zookeeper.node.JobRecord.Pause;
import io.github.zklock.zookeeper.node.JobRecord.Run;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link JobRecord}, strictly: each line that is known once, and of its form.
 */
final class JobRecordReader {

	private static final int MOST_LINES = 100;

	private static final Set<String> JOB = Set.of("job", "key");

	private static final Set<String> NAMES = Stream.of(JOB, Set.of("paused", "recorded"), Run.NAMES, OwnerData.NAMES)
		.flatMap(Collection::stream)
		.collect(Collectors.toUnmodifiableSet());

	private final Map<String, String> values = new HashMap<>();

	private final Set<String> known = new HashSet<>();

	private final StringBuilder job = new StringBuilder();

	private final StringBuilder runner = new StringBuilder();

	private final List<EarlierRun> runs = new ArrayList<>();

	private final List<EarlierPause> pauses = new ArrayList<>();

	private JobRecordReader() {
	}

	static @Nullable JobRecord read(String text) {
		String[] lines = text.split("\n");
		JobRecordReader reader = new JobRecordReader();
		boolean fits = lines.length <= MOST_LINES && Stream.of(lines).allMatch(reader::take);
		return (fits && reader.known.contains("job")) ? reader.record() : null;
	}

	private boolean take(String line) {
		int equals = line.indexOf('=');
		String name = line.substring(0, Math.max(equals, 0));
		String value = line.substring(equals + 1);
		if (name.equals("run")) {
			return add(this.runs, EarlierRun.parse(value));
		}
		if (name.equals("pause")) {
			return add(this.pauses, EarlierPause.parse(value));
		}
		if (NAMES.contains(name) && !this.known.add(name)) {
			return false;
		}
		if (JOB.contains(name)) {
			this.job.append(OwnerData.line(name, value));
		}
		else if (OwnerData.NAMES.contains(name)) {
			this.runner.append(OwnerData.line(name, value));
		}
		else if (NAMES.contains(name)) {
			this.values.put(name, value);
		}
		return true;
	}

	private static <T> boolean add(List<T> earlier, @Nullable T one) {
		return one != null && earlier.size() < JobRecord.MOST_EARLIER && earlier.add(one);
	}

	private @Nullable JobRecord record() {
		Run last = Run.of(this.values);
		Pause pause = Pause.parse(this.values.get("paused"));
		String text = this.values.get("recorded");
		Long recorded = (text != null) ? (Long) JobText.millis(text) : null;
		boolean possible = (pause != null) == this.values.containsKey("paused") && (recorded == null || recorded >= 0);
		// Before the first run there is nothing that belongs to one.
		boolean fits = (last != null) || (Run.NAMES.stream().noneMatch(this.values::containsKey) && recorded == null
				&& this.runner.isEmpty() && this.runs.isEmpty());
		return (possible && fits) ? new JobRecord(this.job.toString(), pause, recorded, last, this.runner.toString(),
				List.copyOf(this.runs), List.copyOf(this.pauses)) : null;
	}

}
