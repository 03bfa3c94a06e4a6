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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.zklock.support.ProjectModules;
import org.jspecify.annotations.Nullable;

/**
 * The engine without one of its rules: a patch of the sources, with the rule in its first
 * line. The second line may name the kind of schedules that are played with it, or the
 * test that fails with it if no schedule shows that the rule is missing. The third line
 * says why none does.
 *
 * @param name the name of the patch
 * @param rule the rule, in words
 * @param drill the kind of schedules; {@code NONE} for all of them
 * @param test the class and method of the test, if no schedules are played
 * @param changes what is changed, by the path of the file
 */
record Mutant(String name, String rule, Drill drill, @Nullable String test, Map<String, List<Change>> changes) {

	private static final Path PATCHES = Path.of("src", "test", "mutants");

	private static final String RULE = "Rule: ";

	private static final String DRILL = "Drill: ";

	private static final String TEST = "Test: ";

	private static final String WHY = "Why: ";

	private static final String FILE = "+++ b/";

	private static final String SUFFIX = ".patch";

	/**
	 * Read all of them.
	 */
	static List<Mutant> all() {
		try (Stream<Path> patches = Files.list(PATCHES)) {
			return patches.filter((patch) -> patch.toString().endsWith(SUFFIX)).sorted().map(Mutant::read).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Mutant read(Path patch) {
		try {
			String name = patch.getFileName().toString();
			return read(name.substring(0, name.length() - SUFFIX.length()), Files.readAllLines(patch));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Mutant read(String name, List<String> lines) {
		Map<String, List<Change>> changes = new LinkedHashMap<>();
		List<Change> ofFile = new ArrayList<>();
		String second = lines.get(1);
		String drill = after(DRILL, second);
		String test = after(TEST, second);
		boolean one = drill == null && test == null;
		for (String line : lines.subList(one ? 1 : 2, lines.size())) {
			if (line.startsWith(FILE)) {
				ofFile = changes.computeIfAbsent(line.substring(FILE.length()), (file) -> new ArrayList<>());
			}
			else if (line.startsWith("@@")) {
				ofFile.add(new Change(new StringBuilder(), new StringBuilder()));
			}
			else if (!line.startsWith("---") && !line.startsWith(WHY)) {
				ofFile.get(ofFile.size() - 1).add(line);
			}
		}
		return new Mutant(name, lines.get(0).substring(RULE.length()),
				(drill != null) ? Drill.valueOf(drill) : Drill.NONE, test, changes);
	}

	private static @Nullable String after(String label, String line) {
		return line.startsWith(label) ? line.substring(label.length()) : null;
	}

	/**
	 * Write the changed sources.
	 * @param directory where to write them
	 * @return their paths
	 */
	List<Path> write(Path directory) throws IOException {
		List<Path> written = new ArrayList<>();
		for (Map.Entry<String, List<Change>> file : this.changes.entrySet()) {
			Path target = directory.resolve(file.getKey());
			Files.createDirectories(target.getParent());
			String text = Files.readString(ProjectModules.find(file.getKey()));
			for (Change change : file.getValue()) {
				text = change.apply(text, this.name);
			}
			written.add(Files.writeString(target, text));
		}
		return written;
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * One place of a file. Line numbers do not count: they change with any other commit.
	 *
	 * @param before what is there
	 * @param after what is there instead
	 */
	record Change(StringBuilder before, StringBuilder after) {

		private void add(String line) {
			String text = line.substring(1) + "\n";
			if (line.charAt(0) != '+') {
				this.before.append(text);
			}
			if (line.charAt(0) != '-') {
				this.after.append(text);
			}
		}

		private String apply(String text, String mutant) {
			String old = this.before.toString();
			int place = text.indexOf(old);
			if (place < 0 || text.indexOf(old, place + 1) >= 0) {
				throw new IllegalStateException(mutant + " does not fit the sources any more: make the patch again, or "
						+ "remove it with its rule. It looks for" + System.lineSeparator() + old);
			}
			return text.substring(0, place) + this.after + text.substring(place + old.length());
		}

	}

}
