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
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;

/**
 * What can be done to a job on all nodes, and what happens when the node of one dies.
 */
class JobScenes {

	private static final String REPORT = "report";

	private static final String EXPORT = "export";

	private static final String BY = "console";

	private final ConsoleCluster cluster;

	JobScenes(ConsoleCluster cluster) {
		this.cluster = cluster;
	}

	List<ConsoleAction> all() {
		List<ConsoleAction> actions = new ArrayList<>();
		for (String job : List.of(REPORT, EXPORT)) {
			actions.add(ConsoleAction.ofJob("pause-" + job, "Pause the " + job, job,
					"No node begins a planned run until the job is resumed. A run that goes on is not stopped.",
					() -> pause(job)));
			actions.add(ConsoleAction.ofJob("resume-" + job, "Resume the " + job, job,
					"The next planned run takes place again.", () -> resume(job)));
			actions.add(ConsoleAction.ofJob("run-" + job, "Run the " + job + " now", job,
					"A node runs it at once, even in a pause, if its key is free.", () -> run(job)));
		}
		actions.add(ConsoleAction.ofAll("nodeDies", "Let the export's node die",
				"While a node runs the export, its session is ended, as when its process is killed: another node runs "
						+ "the same tick again.",
				this::nodeDies));
		return List.copyOf(actions);
	}

	private String pause(String job) {
		LockJobs jobs = jobs(any());
		String name = find(jobs, job).name();
		jobs.pause(name, BY);
		Instant since = Objects.requireNonNull(jobs.get(name).pausedSince(), "it was resumed meanwhile");
		return "The " + job + " is paused on all nodes since " + since.truncatedTo(ChronoUnit.SECONDS)
				+ ", until it is resumed.";
	}

	private String resume(String job) {
		LockJobs jobs = jobs(any());
		jobs.resume(find(jobs, job).name());
		return "The " + job + " is planned again on all nodes.";
	}

	private String run(String job) throws Exception {
		ConsoleNode node = any();
		LockJobs jobs = jobs(node);
		Patience beginning = new Patience();
		try {
			jobs.run(find(jobs, job).name()).get(Patience.SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof LockException refusal) ? refusal : ex;
		}
		return node.name() + " began to run the " + job + " by hand after " + Patience.text(beginning.nanos()) + ".";
	}

	private String nodeDies() throws Exception {
		while (true) {
			Death death = Patience.await("No node runs the export", this::running);
			death.node().expire();
			Patience dying = new Patience();
			LockJob.Run again = Patience.await("No node has run the export again", () -> next(death));
			String after = Patience.text(dying.nanos());
			if (again.attempt() > 1) {
				Patience.await("The export was not completed",
						() -> attempt(death, again.attempt()).filter((run) -> run.outcome() == Outcome.DONE)
							.orElse(null));
				return death.node().name() + " lost its session in the middle of the export of " + death.tick()
						+ ", as if its process had died; " + again.node() + " began the same tick " + after
						+ " later as attempt " + again.attempt() + ", and completed it within "
						+ Patience.text(dying.nanos()) + ".";
			}
		}
	}

	private @Nullable Death running() {
		LockJob.Run run = runs().stream().filter((each) -> each.outcome() == Outcome.RUNNING).findFirst().orElse(null);
		if (run == null || run.time() == null) {
			return null;
		}
		return this.cluster.sound()
			.stream()
			.filter((node) -> node.name().equals(run.node()))
			.findFirst()
			.map((node) -> new Death(node, Objects.requireNonNull(run.time()), run.attempt()))
			.orElse(null);
	}

	// It may have come to its end right before.
	private LockJob.@Nullable Run next(Death death) {
		return attempt(death, death.attempt() + 1)
			.or(() -> attempt(death, death.attempt())
				.filter((run) -> run.outcome() != Outcome.RUNNING && run.outcome() != Outcome.LOST))
			.orElse(null);
	}

	private Optional<LockJob.Run> attempt(Death death, int number) {
		return runs().stream().filter((run) -> death.tick().equals(run.time()) && run.attempt() == number).findFirst();
	}

	private List<LockJob.Run> runs() {
		try {
			return find(jobs(any()), EXPORT).runs();
		}
		catch (LockException | IllegalStateException ex) {
			// Another node may know it at the next look.
			return List.of();
		}
	}

	private static LockJob find(LockJobs jobs, String key) {
		return jobs.list()
			.stream()
			.filter((job) -> job.key().equals(key))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("the " + key + " is not planned"));
	}

	private ConsoleNode any() {
		return this.cluster.sound().stream().findFirst().orElseThrow(() -> new IllegalStateException("no node runs"));
	}

	private static LockJobs jobs(ConsoleNode node) {
		ApplicationContext context = node.context();
		if (context == null) {
			throw new IllegalStateException(node.name() + " does not run");
		}
		return context.getBean(LockJobs.class);
	}

	/**
	 * A run whose node dies.
	 */
	private record Death(ConsoleNode node, Instant tick, int attempt) {

	}

}
