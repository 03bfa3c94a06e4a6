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

package io.github.zklock.sample.console;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What happens when a node dies in the middle of a job. Another one, or the same one in
 * its next session, runs the same tick or shard again.
 */
class NodeDeaths {

	private final ConsoleCluster cluster;

	NodeDeaths(ConsoleCluster cluster) {
		this.cluster = cluster;
	}

	List<ConsoleAction> all() {
		return List.of(
				ConsoleAction.ofAll("nodeDies", "Let the export's node die",
						"The session of the node that runs it is ended, as when its process is killed. A node runs the "
								+ "same tick again: another one, or itself.",
						() -> die(JobScenes.EXPORT)),
				ConsoleAction.ofJob("shardDies", "Let a node of it die", JobScenes.REINDEX,
						"The session of a node that runs a shard is ended. A node runs that shard again: "
								+ "another one, or itself.",
						() -> die(JobScenes.REINDEX)));
	}

	private String die(String job) throws Exception {
		while (true) {
			Death death = Patience.await("No node runs the " + job, () -> running(job));
			death.node().expire();
			Patience dying = new Patience();
			LockJob.Run again = Patience.await("No node has run the " + job + " again", () -> next(death));
			String after = Patience.text(dying.nanos());
			if (again.attempt() > 1) {
				Patience.await("The " + job + " was not completed",
						() -> attempt(death, again.attempt()).filter((run) -> run.outcome() == Outcome.DONE)
							.orElse(null));
				return death.node().name() + " lost its session in the middle of " + death.what() + "; " + again.node()
						+ " began it again " + (death.node().name().equals(again.node()) ? "itself, " : "") + after
						+ " later, as attempt " + again.attempt() + ", and completed it.";
			}
		}
	}

	private @Nullable Death running(String job) {
		refuseIfPaused(job, "");
		for (LockJob.Run run : runs(job)) {
			Instant tick = run.time();
			ConsoleNode node = this.cluster.sound()
				.stream()
				.filter((each) -> each.name().equals(run.node()))
				.findFirst()
				.orElse(null);
			if (run.outcome() == Outcome.RUNNING && tick != null && node != null) {
				return new Death(job, node, tick, run.shard(), run.attempt());
			}
		}
		return null;
	}

	// It may have come to its end right before.
	private LockJob.@Nullable Run next(Death death) {
		return attempt(death, death.attempt() + 1)
			.or(() -> attempt(death, death.attempt())
				.filter((run) -> run.outcome() != Outcome.RUNNING && run.outcome() != Outcome.LOST))
			.orElseGet(() -> {
				refuseIfPaused(death.job(),
						death.node().name() + " lost its session in the middle of " + death.what() + ", but ");
				return null;
			});
	}

	// In a pause no run begins that could be waited for.
	private void refuseIfPaused(String job, String before) {
		if (find(job).filter((found) -> found.pausedSince() != null).isPresent()) {
			throw new IllegalStateException(before + "the " + job + " is paused; resume it first");
		}
	}

	private Optional<LockJob.Run> attempt(Death death, int number) {
		return runs(death.job()).stream()
			.filter((run) -> death.tick().equals(run.time()) && Objects.equals(run.shard(), death.shard())
					&& run.attempt() == number)
			.findFirst();
	}

	private List<LockJob.Run> runs(String job) {
		return find(job).map(LockJob::runs).orElse(List.of());
	}

	private Optional<LockJob> find(String job) {
		for (ConsoleNode node : this.cluster.sound()) {
			try {
				return Optional.of(JobScenes.find(JobScenes.jobs(node), job));
			}
			catch (LockException | IllegalStateException ex) {
				// Another node may know.
			}
		}
		return Optional.empty();
	}

	/**
	 * A run whose node dies.
	 */
	private record Death(String job, ConsoleNode node, Instant tick, @Nullable Integer shard, int attempt) {

		String what() {
			return (this.shard != null) ? "shard " + this.shard : "the " + this.job;
		}

	}

}
