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

package io.github.zklock.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.LockKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Actuator endpoint for the jobs of the application. It shows their plans and last runs.
 * It pauses, resumes and runs them if its access is unrestricted; otherwise a change is
 * refused (HTTP 405). A run that the scheduler has not begun within {@link #BOUND} is
 * accepted (HTTP 202). Each action is logged at INFO with its user, and published as an
 * audit event. Over JMX the user is not known.
 *
 * @since 0.1.0
 */
@Endpoint(id = "zkjobs", defaultAccess = Access.READ_ONLY)
public final class ZkJobsEndpoint {

	/**
	 * How long an answer waits until the method of a job begins. The scheduler of the job
	 * may be busy.
	 */
	public static final Duration BOUND = Duration.ofSeconds(5);

	/**
	 * The type of the audit event of an action.
	 */
	public static final String AUDIT_TYPE = "ZK_LOCK_JOB";

	private static final Logger logger = LoggerFactory.getLogger(ZkJobsEndpoint.class);

	private final LockJobs jobs;

	private final Duration bound;

	private final Consumer<AuditEvent> audit;

	/**
	 * Create the endpoint.
	 * @param jobs the jobs
	 * @param bound how long an answer waits until the method of a job begins
	 * @param audit takes a record of each action
	 */
	public ZkJobsEndpoint(LockJobs jobs, Duration bound, Consumer<AuditEvent> audit) {
		this.jobs = jobs;
		this.bound = bound;
		this.audit = audit;
	}

	/**
	 * Return all jobs.
	 * @return the answer
	 */
	@ReadOperation
	public Map<String, Object> jobs() {
		return list().body();
	}

	/**
	 * Return a job.
	 * @param name the name of the job
	 * @return the answer
	 */
	@ReadOperation
	public Map<String, Object> job(@Selector String name) {
		return get(name).body();
	}

	/**
	 * Pause, resume or run a job.
	 * @param name the name of the job
	 * @param action what to do
	 * @param shard the only shard to run, or {@code null} for all
	 * @return what was done
	 */
	@WriteOperation
	public Map<String, Object> change(@Selector String name, Action action,
			@org.springframework.lang.Nullable @Nullable Integer shard) {
		return change(EndpointUser.UNKNOWN, name, action, shard).body();
	}

	Answer list() {
		return answer(() -> ok(Map.of("jobs", this.jobs.list().stream().map(ZkJobsEndpoint::describe).toList())));
	}

	Answer get(String name) {
		return answer(() -> ok(describe(this.jobs.get(name))));
	}

	Answer change(EndpointUser user, String name, @Nullable String text, @Nullable Integer shard) {
		String actions = Arrays.stream(Action.values()).map(Action::text).collect(Collectors.joining(", "));
		if (text == null) {
			return problem(Answer.BAD_REQUEST,
					"The body names no action: send {\"action\":\"pause\"}, or one of these: " + actions);
		}
		for (Action action : Action.values()) {
			if (action.text().equalsIgnoreCase(text)) {
				return change(user, name, action, shard);
			}
		}
		return problem(Answer.BAD_REQUEST,
				"There is no action '" + LockKeys.abbreviate(text) + "', but these: " + actions);
	}

	private Answer change(EndpointUser user, String name, Action action, @Nullable Integer shard) {
		if (shard != null && action != Action.RUN) {
			return problem(Answer.BAD_REQUEST, "Only the action 'run' takes a shard: the others are for all shards");
		}
		Answer answer = answer(() -> act(user, name, action, shard));
		String outcome = (answer.status() == Answer.OK) ? "done" : String.valueOf(answer.body().get("problem"));
		logger.info("Action '{}' on the job '{}' by {}: {}", action.text(), LockKeys.abbreviate(name), user,
				LockKeys.printable(outcome));
		this.audit.accept(new AuditEvent(user.audited(), AUDIT_TYPE, Map.of("job", LockKeys.abbreviate(name), "action",
				action.text(), "outcome", LockKeys.printable(outcome))));
		return answer;
	}

	private Answer act(EndpointUser user, String name, Action action, @Nullable Integer shard) {
		switch (action) {
			case PAUSE -> this.jobs.pause(name, user.name());
			case RESUME -> this.jobs.resume(name);
			case RUN -> {
				return await(name, (shard != null) ? this.jobs.run(name, shard) : this.jobs.run(name));
			}
		}
		return get(name);
	}

	private Answer await(String name, CompletableFuture<@Nullable Void> begun) {
		try {
			begun.get(this.bound.toNanos(), TimeUnit.NANOSECONDS);
			return ok(Map.of("name", name, "begun", true));
		}
		catch (TimeoutException ex) {
			return problem(Answer.ACCEPTED, "its scheduler has not begun it within " + DurationText.of(this.bound));
		}
		catch (ExecutionException ex) {
			Throwable refusal = ex.getCause();
			return problem((refusal instanceof LockNotAcquiredException) ? Answer.CONFLICT : Answer.UNAVAILABLE,
					(refusal != null) ? String.valueOf(refusal.getMessage()) : ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return problem(Answer.UNAVAILABLE, "this thread was interrupted");
		}
	}

	private static Answer answer(Supplier<Answer> question) {
		try {
			return question.get();
		}
		catch (NoSuchElementException ex) {
			return problem(Answer.NOT_FOUND, String.valueOf(ex.getMessage()));
		}
		catch (LockException | IllegalStateException | RejectedExecutionException ex) {
			return problem(Answer.UNAVAILABLE, String.valueOf(ex.getMessage()));
		}
	}

	private static Answer ok(Map<String, Object> body) {
		return new Answer(Answer.OK, body);
	}

	private static Answer problem(int status, String problem) {
		return new Answer(status, LockAnswers.problem(problem));
	}

	private static Map<String, Object> describe(LockJob job) {
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("name", job.name());
		answer.put("method", job.method());
		put(answer, "cron", job.cron());
		put(answer, "zone", job.zone());
		put(answer, "period", (job.period() != null) ? DurationText.of(job.period()) : null);
		put(answer, "nextTime", job.nextTime());
		put(answer, "pausedSince", job.pausedSince());
		put(answer, "pausedBy", job.pausedBy());
		if (job.shards() > 1) {
			answer.put("shards", job.shards());
		}
		List<Object> runs = new ArrayList<>();
		job.runs().forEach((run) -> runs.add(describe(run)));
		answer.put("runs", runs);
		return answer;
	}

	private static Map<String, Object> describe(LockJob.Run run) {
		Map<String, Object> answer = new LinkedHashMap<>();
		put(answer, "time", run.time());
		answer.put("byHand", run.byHand());
		if (run.shard() != null) {
			answer.put("shard", run.shard());
		}
		answer.put("attempt", run.attempt());
		put(answer, "node", run.node());
		put(answer, "began", run.began());
		put(answer, "took", (run.ended() != null) ? DurationText.of(Duration.between(run.began(), run.ended())) : null);
		answer.put("outcome", run.outcome().name());
		return answer;
	}

	private static void put(Map<String, Object> answer, String name, @Nullable Object value) {
		if (value != null) {
			answer.put(name, value.toString());
		}
	}

	/**
	 * What can be done with a job.
	 */
	public enum Action {

		/** Let no node begin a planned run. */
		PAUSE,

		/** End the pause. */
		RESUME,

		/** Run it on this node. */
		RUN;

		String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * An answer with its status in HTTP.
	 */
	record Answer(int status, Map<String, Object> body) {

		private static final int OK = 200;

		private static final int ACCEPTED = 202;

		private static final int BAD_REQUEST = 400;

		private static final int NOT_FOUND = 404;

		private static final int CONFLICT = 409;

		private static final int UNAVAILABLE = 503;

	}

}
