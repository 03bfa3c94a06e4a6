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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes what a run has brought, for people.
 */
final class TortureReport {

	private static final String HEAD = """
			| what | seed | seconds | blows | grants | overlaps | overlaps after a pause, fenced | orphans | waits too long \
			| losses, told too late | broken |
			|---|---|---|---|---|---|---|---|---|---|---|
			""";

	private final TortureResult result;

	private final Judgement judgement;

	private final StringBuilder text = new StringBuilder();

	TortureReport(TortureResult result, Judgement judgement) {
		this.result = result;
		this.judgement = judgement;
	}

	/**
	 * Write the report and its picture.
	 * @return the file of the report
	 */
	Path write() {
		String name = this.result.settings().fileName();
		Path directory = this.result.settings().directory();
		head(name);
		invariants();
		nemeses();
		grants();
		violations();
		try {
			Files.createDirectories(directory);
			addRow(directory.resolve("runs.md"));
			Files.writeString(directory.resolve(name + ".svg"), new Timeline(this.result, this.judgement).svg());
			return Files.writeString(directory.resolve(name + ".md"), this.text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void addRow(Path runs) throws IOException {
		if (!Files.exists(runs)) {
			Files.writeString(runs, "# Torture runs\n\n" + HEAD);
		}
		Files.writeString(runs, row(this.result, this.judgement) + "\n", StandardOpenOption.APPEND);
	}

	/**
	 * Return the run in one row of a table.
	 */
	static String row(TortureResult result, Judgement judgement) {
		List<Finding> broken = judgement.broken();
		List<Object> cells = List.of(result.settings().variant(), result.settings().seed(), result.seconds(),
				result.log().incidents().size(), result.log().grants().size(), count(judgement.overlaps(false)),
				count(judgement.overlaps(true)), result.orphans().size(), result.log().waits().tooLong().size(),
				judgement.leads().lost() + ", " + judgement.leads().late().size(),
				broken.isEmpty() ? "none" : String.join(" ", broken.stream().map(Finding::invariant).toList()));
		return "| " + String.join(" | ", cells.stream().map(Object::toString).toList()) + " |";
	}

	// One holder that stays overlaps with everybody who comes after it.
	private static String count(List<Overlap> overlaps) {
		long holders = overlaps.stream().map(Overlap::stale).distinct().count();
		return overlaps.isEmpty() ? "0" : overlaps.size() + " by " + holders;
	}

	private void head(String name) {
		TortureSettings settings = this.result.settings();
		line("# Torture run: " + settings.variant() + ", seed " + settings.seed());
		line("");
		line("    " + settings.command());
		line("");
		line(this.judgement.broken().isEmpty() ? "**Every invariant held.**" : "**Broken: "
				+ String.join(", ", this.judgement.broken().stream().map(Finding::invariant).toList()) + ".**");
		line("");
		line("![What happened when](" + name + ".svg)");
		line("");
		line("Three servers (tick " + TortureRun.TICK.toMillis() + " ms), three workers with four threads each and one "
				+ "session each (T = " + TortureRun.SESSION_TIMEOUT.toSeconds()
				+ " s), in JVMs of their own with 96 MB; " + Runtime.getRuntime().availableProcessors()
				+ " processors, JDK " + Runtime.version().feature() + ", " + System.getProperty("os.name") + " "
				+ System.getProperty("os.version") + ", ZooKeeper " + org.apache.zookeeper.Version.getVersion()
				+ ". Blows were dealt for " + this.result.seconds() + " s; everything took "
				+ this.result.wall().toSeconds() + " s.");
		line("");
	}

	private void invariants() {
		line("| invariant | what was to hold | held | figures |");
		line("|---|---|---|---|");
		for (Finding finding : this.judgement.findings()) {
			line("| " + finding.invariant() + " | " + finding.promise() + " | " + (finding.kept() ? "yes" : "**no**")
					+ " | " + finding.figures().replace("|", "\\|") + " |");
		}
		line("");
	}

	private void nemeses() {
		line("| nemesis | times | granted again on every key, slowest (ms) | bound (ms) |");
		line("|---|---|---|---|");
		for (Map.Entry<Nemesis, List<Incident>> each : this.result.incidentsPerNemesis().entrySet()) {
			List<Long> slowest = each.getValue().stream().map(Incident::slowestMillis).sorted().toList();
			line("| " + each.getKey() + " | " + slowest.size() + " | median " + slowest.get(slowest.size() / 2)
					+ ", max " + slowest.get(slowest.size() - 1) + " | " + each.getKey().bound().toMillis() + " |");
		}
		line("");
		line("Recovery counts from the blow, or, where it lasts, from its end. For how long the machine itself stood still "
				+ "is subtracted, from the waits too.");
		line("");
	}

	private void grants() {
		line("| key | grants |");
		line("|---|---|");
		this.result.grantsPerKey().forEach((key, count) -> line("| " + key + " | " + count + " |"));
		line("");
		line("Requests: " + new TreeMap<>(this.result.log().waits().outcomes()) + ". "
				+ this.result.log().notes().getOrDefault("reaper", "") + ".");
		line("");
	}

	private void violations() {
		if (this.judgement.overlaps(false).isEmpty()) {
			return;
		}
		line("Stale holders, each with the first that came beside it:");
		line("");
		Set<Grant> stale = new HashSet<>();
		this.judgement.overlaps(false)
			.stream()
			.filter((overlap) -> stale.add(overlap.stale()))
			.forEach((overlap) -> line("* at " + this.result.log().secondsAt(overlap.rightful().entered) + " s, for "
					+ overlap.millis() + " ms: " + overlap.stale() + " and " + overlap.rightful()));
		line("");
	}

	private void line(String line) {
		this.text.append(line).append('\n');
	}

}
