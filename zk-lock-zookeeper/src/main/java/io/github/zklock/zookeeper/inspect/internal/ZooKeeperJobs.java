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

package io.github.zklock.zookeeper.inspect.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException.Reason;
import io.github.zklock.zookeeper.inspect.internal.BoundedReads.Content;
import io.github.zklock.zookeeper.node.EarlierRun;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.queue.JobMemory;
import io.github.zklock.zookeeper.queue.Services;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the nodes of jobs for tools and people, on the thread of the caller.
 * No lock is needed, since each write has the version of what was read.
 */
final class ZooKeeperJobs implements JobStore {

	// Of a node of a job: its schedule, and what stands around it.
	private static final int LONGEST_NAME = LockPaths.MAX_NAME_LENGTH + 50;

	private static final byte[] NOTHING = new byte[0];

	private final LockPaths paths;

	private final Services services;

	private final JobMemory memory;

	private final Function<Duration, QueueInspection> inspections;

	/**
	 * Create the store.
	 * @param services what the locks of the provider share
	 * @param memory what is known of jobs
	 * @param inspections begins an inspection with a bound
	 */
	ZooKeeperJobs(Services services, JobMemory memory, Function<Duration, QueueInspection> inspections) {
		this.paths = services.paths();
		this.services = services;
		this.memory = memory;
		this.inspections = inspections;
	}

	@Override
	public List<State> read(List<Job> jobs, Duration bound) {
		if (jobs.isEmpty()) {
			return List.of();
		}
		return ask(jobs.get(0), (reads) -> read(jobs, reads), bound);
	}

	// A run may end after its record was read, and before its lock is. So a run without a
	// lock is lost only if its record is the same when it is read once more.
	private List<State> read(List<Job> jobs, BoundedReads reads) {
		Map<Job, @Nullable JobRecord> known = new HashMap<>();
		Set<Job> held = new HashSet<>();
		Collection<Job> left = jobs;
		while (!left.isEmpty()) {
			Map<Job, String> locks = new LinkedHashMap<>();
			contents(left, left.stream().map(this::path).toList(), JobRecord.MAX_LENGTH, reads).forEach((job, node) -> {
				JobRecord record = this.memory.read(path(job), node.data(), node.stat());
				JobRecord before = known.put(job, record);
				if (record != null && record.isOpen() && !record.equals(before)) {
					locks.put(job, lock(job, record));
				}
			});
			contents(locks.keySet(), List.copyOf(locks.values()), OwnerData.MAX_LENGTH, reads).forEach((job, lock) -> {
				if (lock.exists()) {
					held.add(job);
				}
			});
			locks.keySet().removeAll(held);
			left = locks.keySet();
		}
		return jobs.stream().map((job) -> state(known.get(job), held.contains(job))).toList();
	}

	private static Map<Job, Content> contents(Collection<Job> jobs, List<String> paths, int most, BoundedReads reads) {
		Iterator<Content> contents = reads.contents(paths, most).iterator();
		Map<Job, Content> all = new LinkedHashMap<>();
		jobs.forEach((job) -> all.put(job, contents.next()));
		return all;
	}

	private String lock(Job job, JobRecord record) {
		return this.paths.directory(job.key()) + "/" + Objects.requireNonNull(record.last()).lock();
	}

	private static State state(@Nullable JobRecord record, boolean held) {
		if (record == null) {
			return new State(null, List.of(), List.of());
		}
		List<LockJob.Run> runs = new ArrayList<>();
		if (record.last() != null) {
			runs.add(run(record.lastAsEarlier(), held));
		}
		record.earlier().forEach((earlier) -> runs.add(run(earlier, false)));
		JobRecord.Pause pause = record.paused();
		List<EarlierPause> pauses = record.pauses()
			.stream()
			.map((over) -> new EarlierPause(Instant.ofEpochMilli(over.since()), Instant.ofEpochMilli(over.until())))
			.toList();
		return new State((pause != null) ? new Pause(Instant.ofEpochMilli(pause.since()), pause.by()) : null, pauses,
				List.copyOf(runs));
	}

	private static Run run(EarlierRun run, boolean held) {
		return new Run(instant(run.tick()), run.byHand(), run.attempt(), run.knownRunner(),
				Instant.ofEpochMilli(run.began()), instant(run.ended()), Run.outcome(run.outcome(), held));
	}

	private static @Nullable Instant instant(@Nullable Long millis) {
		return (millis != null) ? Instant.ofEpochMilli(millis) : null;
	}

	@Override
	public Map<Job, Set<String>> renamed(List<Job> jobs, Duration bound) {
		if (jobs.isEmpty()) {
			return Map.of();
		}
		return ask(jobs.get(0), (reads) -> renamed(jobs, reads), bound);
	}

	// The list of the root may end the connection if another client has created names in
	// it. No warning is worth a lock.
	private Map<Job, Set<String>> renamed(List<Job> jobs, BoundedReads reads) {
		List<Job> unknown = withoutRecord(jobs, reads);
		if (unknown.isEmpty()) {
			return Map.of();
		}
		if (reads.isShared(this.paths.root())) {
			throw new ZooKeeperInspectionException("several clients may create nodes in " + this.paths.root()
					+ ", and a list of long names would end the connection", Reason.REFUSED);
		}
		List<String> names = reads.children(List.of(this.paths.root()), LONGEST_NAME).get(0);
		Set<String> own = jobs.stream().map((job) -> LockPaths.encode(job.schedule())).collect(Collectors.toSet());
		Map<Job, Set<String>> renamed = new LinkedHashMap<>();
		for (Job job : unknown) {
			Set<String> schedules = names.stream()
				.map((name) -> this.paths.encodedSchedule(name, job.key()))
				.filter(Objects::nonNull)
				.collect(Collectors.toCollection(TreeSet::new));
			schedules.removeAll(own);
			renamed.put(job, schedules);
		}
		renamed.values().removeIf(Set::isEmpty);
		return renamed;
	}

	private List<Job> withoutRecord(List<Job> jobs, BoundedReads reads) {
		Iterator<Content> nodes = reads
			.contents(jobs.stream()
				.flatMap((job) -> Stream.of(false, true)
					.map((periodic) -> this.paths.job(job.schedule(), periodic, job.key())))
				.toList(), 0)
			.iterator();
		List<Job> unknown = new ArrayList<>();
		for (Job job : jobs) {
			boolean ticks = nodes.next().exists();
			boolean periods = nodes.next().exists();
			if (!ticks && !periods) {
				unknown.add(job);
			}
		}
		return unknown;
	}

	@Override
	public void pause(Job job, @Nullable String by, Duration bound) {
		change(job, (record) -> record.paused() == null,
				(record, now) -> record.withPause(new JobRecord.Pause(now, by), now), bound);
	}

	@Override
	public void resume(Job job, Duration bound) {
		change(job, (record) -> record.paused() != null, (record, now) -> record.withPause(null, now), bound);
	}

	// A first write only returns the time of the leader, which is the time of the second.
	private void change(Job job, Predicate<JobRecord> needed, BiFunction<JobRecord, Long, JobRecord> change,
			Duration bound) {
		List<ACL> acl = this.paths.askForAcls(job.key()).directory();
		BiFunction<JobRecord, Long, JobRecord> touch = (record, at) -> record.withPause(record.paused(), at);
		ask(job, (reads) -> {
			for (BiFunction<JobRecord, Long, JobRecord> step : List.of(touch, change)) {
				while (!write(job, needed, step, acl, reads)) {
					reads.checkTime("To write the job");
				}
			}
			return job;
		}, bound);
	}

	// Return whether there is nothing more to write.
	private boolean write(Job job, Predicate<JobRecord> needed, BiFunction<JobRecord, Long, JobRecord> step,
			List<ACL> acl, BoundedReads reads) {
		String path = path(job);
		Content node = reads.contents(List.of(path), JobRecord.MAX_LENGTH).get(0);
		JobRecord found = this.memory.read(path(job), node.data(), node.stat());
		if (found == null && node.exists()) {
			this.memory.unreadable(path);
		}
		JobRecord before = (found != null) ? found : JobRecord.of(job.schedule(), this.paths.shown(job.key()));
		if (!needed.test(before)) {
			return true;
		}
		// The first run creates the node again. To end a pause there is harmless.
		if (JobRecord.mayVanish(node.stat()) && before.paused() == null) {
			throw new ZooKeeperInspectionException(JobRecord.vanishing(path), Reason.REFUSED);
		}
		if (reads.write(path, node, step.apply(before, node.stat().getMtime()).data(), acl)) {
			return true;
		}
		if (!node.exists()) {
			this.paths.ancestors().forEach((ancestor) -> reads.create(ancestor, NOTHING, this.paths.acl(ancestor)));
		}
		return false;
	}

	private String path(Job job) {
		return this.paths.job(job.schedule(), job.periodic(), job.key());
	}

	private <T> T ask(Job job, Question<T> question, Duration bound) {
		long start = this.services.tasks().nanoTime();
		try (QueueInspection inspection = this.inspections.apply(bound)) {
			return question.ask(inspection.reads);
		}
		catch (ZooKeeperInspectionException ex) {
			throw failure(LockRequest.of(job.key()), Duration.ofNanos(this.services.tasks().nanoTime() - start), ex);
		}
	}

	private static LockException failure(LockRequest request, Duration waited, ZooKeeperInspectionException ex) {
		String reason = String.valueOf(ex.getMessage());
		return ex.isRefusal() ? new LockAccessException(request, waited, reason, ex)
				: new LockUnavailableException(request, waited, reason, ex);
	}

	/**
	 * What ZooKeeper is asked in one inspection.
	 */
	@FunctionalInterface
	private interface Question<T> {

		T ask(BoundedReads reads);

	}

}
