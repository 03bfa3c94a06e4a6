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

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;

import org.springframework.context.ApplicationContext;

/**
 * What can be done to a job on all nodes.
 */
class JobScenes {

	private static final String REPORT = "report";

	static final String EXPORT = "export";

	static final String REINDEX = "reindex";

	private static final String BY = "console";

	private final ConsoleCluster cluster;

	JobScenes(ConsoleCluster cluster) {
		this.cluster = cluster;
	}

	List<ConsoleAction> all() {
		List<ConsoleAction> actions = new ArrayList<>();
		for (String job : List.of(REPORT, EXPORT, REINDEX)) {
			actions.add(ConsoleAction.ofJob("pause-" + job, "Pause the " + job, job,
					"No planned run begins until it is resumed. One that runs goes on.", () -> pause(job)));
			actions.add(ConsoleAction.ofJob("resume-" + job, "Resume the " + job, job,
					"The next planned run takes place again.", () -> resume(job)));
		}
		for (String job : List.of(REPORT, EXPORT)) {
			actions.add(ConsoleAction.ofJob("run-" + job, "Run the " + job + " now", job,
					"A node runs it at once, even in a pause, if its key is free.", () -> run(job)));
		}
		return List.copyOf(actions);
	}

	private String pause(String job) {
		LockJobs jobs = jobs(any());
		String name = find(jobs, job).name();
		jobs.pause(name, BY);
		Objects.requireNonNull(jobs.get(name).pausedSince(), "it was resumed meanwhile");
		return "The " + job + " is paused on all nodes until it is resumed.";
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

	static LockJob find(LockJobs jobs, String key) {
		return jobs.list()
			.stream()
			.filter((job) -> job.key().equals(key))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("the " + key + " is not planned"));
	}

	private ConsoleNode any() {
		return this.cluster.sound().stream().findFirst().orElseThrow(() -> new IllegalStateException("no node runs"));
	}

	static LockJobs jobs(ConsoleNode node) {
		ApplicationContext context = node.context();
		if (context == null) {
			throw new IllegalStateException(node.name() + " does not run");
		}
		return context.getBean(LockJobs.class);
	}

}
