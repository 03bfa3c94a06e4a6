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

package io.github.zklock.interceptor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.internal.JobStore;
import io.github.zklock.core.internal.JobStore.Job;
import io.github.zklock.core.internal.JobStore.Pause;
import io.github.zklock.core.internal.JobStore.State;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.scheduling.KnownTask;
import io.github.zklock.scheduling.ScheduledRun;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The jobs of an application, found among its guarded methods and its scheduled tasks
 * when they are asked for.
 *
 * @since 0.1.0
 */
public final class ScheduledJobs implements LockJobs {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledJobs.class);

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Supplier<List<LockOperation>> operations;

	private final Supplier<List<KnownTask>> tasks;

	private final Function<String, LockProvider> providers;

	private final JobKeys keys;

	// Of which that was logged.
	private final Set<String> withoutKey = ConcurrentHashMap.newKeySet();

	/**
	 * Create the jobs.
	 * @param beanFactory the beans of the application
	 * @param operations returns the operations of the guarded methods
	 * @param tasks returns the scheduled tasks
	 * @param providers returns the provider with a name, which is empty for the default
	 */
	public ScheduledJobs(ConfigurableListableBeanFactory beanFactory, Supplier<List<LockOperation>> operations,
			Supplier<List<KnownTask>> tasks, Function<String, LockProvider> providers) {
		this.beanFactory = beanFactory;
		this.operations = operations;
		this.tasks = tasks;
		this.providers = providers;
		this.keys = new JobKeys(beanFactory);
	}

	/**
	 * Return the names of the jobs, without the backend.
	 * @return the names
	 */
	public List<String> names() {
		return found().stream().map(Found::name).distinct().toList();
	}

	/**
	 * Count the planned times of a job.
	 * @param name the name of the job
	 * @param after the time after which they are counted
	 * @param until the time until which they are counted
	 * @param most the number at which counting ends
	 * @return the number
	 */
	public long planned(String name, Instant after, Instant until, int most) {
		return Math.min(most, find(name).tasks().stream().mapToLong((task) -> task.count(after, until, most)).sum());
	}

	/**
	 * Warn of each job that has no record, although its key has records of other methods.
	 * Blocks for up to 5 seconds.
	 * @throws io.github.zklock.core.LockException if that cannot be read
	 */
	public void warnOfRenamed() {
		List<Found> jobs = found().stream().filter(this::hasKey).toList();
		byProvider(jobs).values()
			.forEach((some) -> store(some.get(0)).renamed(some.stream().map(Found::id).toList(), BOUND)
				.forEach((job, names) -> logger
					.warn("The job {} has no record yet, but its key '{}' has one of {}. If that is the same job under "
							+ "an earlier name, a pause and the last runs stay there, and nodes of both versions run "
							+ "each tick: roll out between two planned times, and pause it again. With an explicit "
							+ "name (@DistributedLock(name = ...)) a job keeps all that when its method moves",
							job.schedule(), LockKeys.printable(job.key()),
							names.stream().map(LockKeys::printable).collect(Collectors.joining(", ")))));
	}

	@Override
	public List<LockJob> list() {
		return describe(found().stream().filter(this::hasKey).toList());
	}

	private boolean hasKey(Found job) {
		try {
			job.key().get();
			return true;
		}
		catch (RuntimeException ex) {
			if (this.withoutKey.add(job.name())) {
				logger.warn("The job '{}' is not listed, since its key cannot be computed without a call", job.name(),
						ex);
			}
			return false;
		}
	}

	@Override
	public LockJob get(String name) {
		return describe(List.of(find(name))).get(0);
	}

	@Override
	public void pause(String name, @Nullable String by) {
		Found job = find(name);
		store(job).pause(job.id(), by, BOUND);
	}

	@Override
	public void resume(String name) {
		Found job = find(name);
		store(job).resume(job.id(), BOUND);
	}

	@Override
	public CompletableFuture<@Nullable Void> run(String name) {
		KnownTask task = find(name).tasks().get(0);
		List<String> sharing = found().stream().filter((job) -> job.tasks().contains(task)).map(Found::name).toList();
		// A task has the name of the class that declares its method.
		if (sharing.size() > 1) {
			throw new IllegalStateException("The jobs " + String.join(", ", sharing) + " inherit one @Scheduled "
					+ "method, so it is not known whose task is whose. Override the method in each class");
		}
		return task.runNow();
	}

	private Found find(String name) {
		List<Found> jobs = found();
		List<Found> named = jobs.stream().filter((job) -> job.name().equals(name)).toList();
		if (named.size() != 1) {
			String known = jobs.stream().map(Found::name).collect(Collectors.joining(", "));
			throw new NoSuchElementException(named.isEmpty()
					? "There is no job '" + LockKeys.abbreviate(name) + "'"
							+ (known.isEmpty() ? ": this application has none" : ", but these: " + known)
							+ ". A job is a @Scheduled method with " + "@DistributedLock that runs once per tick"
					: named.size() + " jobs have the name '" + LockKeys.abbreviate(name)
							+ "': give their locks different names");
		}
		return named.get(0);
	}

	private List<Found> found() {
		List<Found> jobs = new ArrayList<>();
		List<KnownTask> known = this.tasks.get();
		for (LockOperation operation : this.operations.get()) {
			List<KnownTask> tasks = known.stream().filter((task) -> isOf(task, operation)).toList();
			List<KnownTask> cron = tasks.stream().filter((task) -> task.period() == null).toList();
			List<KnownTask> periodic = tasks.stream().filter((task) -> isPeriodicJob(task, operation)).toList();
			// Ticks win if a method has both.
			List<KnownTask> planned = cron.isEmpty() ? periodic : cron;
			if (!planned.isEmpty()) {
				jobs.add(new Found(operation, planned, SingletonSupplier.of(() -> this.keys.key(operation))));
			}
		}
		jobs.sort(Comparator.comparing(Found::name));
		return jobs;
	}

	private static boolean isOf(KnownTask task, LockOperation operation) {
		return operation.oncePerTick().shortestPeriod() != null
				&& operation.locks().stream().noneMatch(LockSpecification::unguarded)
				&& ScheduledRun.isTaskOf(task.text(), operation.method(), operation.targetClass(), null)
				&& !isOverridden(task, operation.method());
	}

	// The task is the one of a bean of a superclass. The task of a publisher has the name
	// of the proxy's class.
	private static boolean isOverridden(KnownTask task, Method method) {
		String type = task.text().substring(0, task.text().lastIndexOf('.'));
		return Stream
			.<Class<?>>iterate(method.getDeclaringClass().getSuperclass(), Objects::nonNull, Class::getSuperclass)
			.map(Class::getName)
			.anyMatch((name) -> type.equals(name) || type.startsWith(name + ClassUtils.CGLIB_CLASS_SEPARATOR));
	}

	private static boolean isPeriodicJob(KnownTask task, LockOperation operation) {
		Duration shortest = operation.oncePerTick().shortestPeriod();
		return task.period() != null && shortest != null && task.period().compareTo(shortest) >= 0;
	}

	private JobStore store(Found job) {
		LockProvider provider = this.providers.apply(job.operation().provider());
		if (provider instanceof JobStore.Source source) {
			return source.jobs();
		}
		throw new IllegalStateException("The locks of the job '" + job.name() + "' come from "
				+ provider.getClass().getName() + ", which keeps no jobs");
	}

	private static Map<String, List<Found>> byProvider(List<Found> jobs) {
		return jobs.stream()
			.collect(Collectors.groupingBy((job) -> job.operation().provider(), LinkedHashMap::new,
					Collectors.toList()));
	}

	private List<LockJob> describe(List<Found> jobs) {
		List<LockJob> described = new ArrayList<>();
		byProvider(jobs).values().forEach((some) -> {
			List<State> states = store(some.get(0)).read(some.stream().map(Found::id).toList(), BOUND);
			for (int i = 0; i < some.size(); i++) {
				described.add(describe(some.get(i), states.get(i)));
			}
		});
		described.sort(Comparator.comparing(LockJob::name));
		return List.copyOf(described);
	}

	private LockJob describe(Found job, State state) {
		Pause pause = state.pause();
		Set<String> crons = job.tasks()
			.stream()
			.map(KnownTask::cron)
			.filter(Objects::nonNull)
			.collect(Collectors.toCollection(TreeSet::new));
		Instant next = job.tasks()
			.stream()
			.map(KnownTask::next)
			.filter(Objects::nonNull)
			.min(Comparator.naturalOrder())
			.orElse(null);
		return new Described(job.name(), job.operation().schedule(), job.operation().target().qualifiedName(),
				job.key().get(), crons.isEmpty() ? null : String.join(", ", crons), zone(job.operation().method()),
				job.tasks().get(0).period(), next, (pause != null) ? pause.since() : null,
				(pause != null) ? pause.by() : null, state.runs());
	}

	private @Nullable String zone(Method method) {
		String zones = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
			.stream(Scheduled.class)
			.map((scheduled) -> String.valueOf(this.beanFactory.resolveEmbeddedValue(scheduled.getString("zone"))))
			.filter(StringUtils::hasText)
			.distinct()
			.collect(Collectors.joining(", "));
		return zones.isEmpty() ? null : zones;
	}

	/**
	 * A job of this application. Its key may not be known yet.
	 */
	private record Found(LockOperation operation, List<KnownTask> tasks, Supplier<String> key) {

		String name() {
			return this.operation.locks().get(0).name();
		}

		Job id() {
			return new Job(this.operation.schedule(), this.tasks.get(0).period() != null, this.key.get());
		}

	}

	/**
	 * A job with its state.
	 */
	private record Described(String name, String schedule, String method, String key, @Nullable String cron,
			@Nullable String zone, @Nullable Duration period, @Nullable Instant nextTime, @Nullable Instant pausedSince,
			@Nullable String pausedBy, List<LockJob.Run> runs) implements LockJob {

	}

}
