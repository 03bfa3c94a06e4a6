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
import java.util.Locale;

/**
 * Writes what many schedules have brought, for people.
 */
final class SimulationReport {

	private final Campaign campaign;

	private final StringBuilder text = new StringBuilder();

	SimulationReport(Campaign campaign) {
		this.campaign = campaign;
	}

	/**
	 * Write the page.
	 * @return its file
	 */
	Path write(Path directory) {
		Counts counts = this.campaign.counts();
		Outcome broken = this.campaign.broken();
		line("# Simulated schedules, from seed " + this.campaign.firstSeed());
		line("");
		line((broken != null) ? "**Broken by seed " + broken.setup().seed() + ": " + broken.violation() + ".**"
				: "**Nothing was broken.**");
		line("");
		line("| what | how much |");
		line("|---|--:|");
		row("schedules", counts.schedules);
		row("steps", counts.steps);
		row("seconds of virtual time", counts.virtualNanos / 1_000_000_000);
		row("seconds of real time", this.campaign.millis() / 1000);
		row("grants", counts.grants);
		row("nested grants", counts.nested);
		jobs(counts);
		row("requests that were refused", counts.refusals);
		row("requests without an answer of ZooKeeper in time", counts.unavailable);
		row("requests that were cancelled", counts.cancels);
		row("losses reported", counts.losses);
		row("stale writes rejected by their token, after a session or node was taken away by hand", counts.rejected);
		row("waits beside a free lock, after faults, that only the look repeated every 2 s has ended",
				counts.lateWakes);
		row("longest excess of a wait, in ms", counts.longestExcess / 1_000_000);
		row("longest wait beside a free lock without faults, in ms", counts.longestSleep / 1_000_000);
		this.text.append(EngineCoverage.rows());
		line("");
		line("| fault | times |");
		line("|---|--:|");
		counts.faults.forEach((kind, times) -> row(kind.toLowerCase(Locale.ROOT).replace('_', ' '), times));
		try {
			Files.createDirectories(directory);
			return Files.writeString(directory.resolve("simulation-run.md"), this.text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void jobs(Counts counts) {
		row("planned runs", counts.ticks);
		row("schedules of recovery", counts.recoveries);
		row("ticks that were made up for", counts.madeUp);
		row("attempts that repeated a run", counts.repetitions);
		row("pauses of a job", counts.pauses);
	}

	private void row(String what, long count) {
		line("| " + what + " | " + count + " |");
	}

	private void line(String line) {
		this.text.append(line).append('\n');
	}

}
