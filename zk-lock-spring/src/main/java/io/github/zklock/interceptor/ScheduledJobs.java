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
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.internal.LockKeys;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.JobStore.Job;
import io.github.zklock.core.spi.JobStore.State;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.interceptor.JobKeys.KeyedBeans;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.scheduling.KnownTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.StringUtils;

/**
 * The jobs of an application, found among its guarded methods and its scheduled tasks
 * when they are asked for.
 *
 * @since 0.1.0
 */
public final class ScheduledJobs implements LockJobs, ApplicationListener<ContextClosedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledJobs.class);

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Supplier<List<LockOperation>> operations;

	private final Supplier<List<KnownTask>> tasks;

	private final Function<String, LockProvider> providers;

	private final JobKeys keys;

	private final RunsByHand byHand = new RunsByHand();

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
	 * Return the names of the jobs of this context, without the backend.
	 * @return the names
	 */
	public List<String> names() {
		return found().stream().map(FoundJob::name).distinct().toList();
	}

	/**
	 * Return the methods of the jobs of the contexts above this one, whose tasks run as
	 * well.
	 * @return the methods
	 */
	public List<LockOperation> above() {
		return jobsAbove().map(FoundJob::operation).distinct().toList();
	}

	private Stream<FoundJob> jobsAbove() {
		BeanFactory above = this.beanFactory.getParentBeanFactory();
		ScheduledJobs parent = (above != null) ? above.getBeanProvider(ScheduledJobs.class).getIfAvailable() : null;
		return (parent != null) ? Stream.concat(parent.found().stream(), parent.jobsAbove()) : Stream.empty();
	}

	/**
	 * Refuse periodic jobs that cannot be kept apart. A node follows its own schedule, so
	 * two beans with one key would both run in each period.
	 * @throws io.github.zklock.core.InvalidLockUsageException if there is one
	 */
	public void checkPeriods() {
		List<FoundJob> above = jobsAbove().toList();
		for (FoundJob job : found()) {
			boolean inherited = above.stream().anyMatch(job::hasRecordsOf);
			if ((inherited || job.beans().size() > 1) && job.isPeriodic()) {
				throw job.operation()
					.target()
					.invalid(
							"has fixedRate or fixedDelay, and "
									+ (inherited ? "a bean of a parent context has"
											: "the beans " + String.join(", ", job.beans()) + " have")
									+ " the same key '" + LockKeys.printable(job.key().get())
									+ "', so all of them would run in each period",
							"Give each bean a key of its own, such as #{#root.target.region}, keep one of them, or use "
									+ "cron.");
			}
		}
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
		Set<Object> known = new HashSet<>();
		return Math.min(most, find(name).tasks()
			.stream()
			// The beans of a class have tasks with one plan.
			.filter((task) -> known.add(Arrays.asList(task.trigger(), task.period())))
			.mapToLong((task) -> task.count(after, until, most))
			.sum());
	}

	/**
	 * Warn of each job that has no record, although its key has records of other methods.
	 * Blocks for up to 5 seconds.
	 * @throws io.github.zklock.core.LockException if that cannot be read
	 */
	public void warnOfRenamed() {
		List<FoundJob> jobs = found().stream().filter(FoundJob::hasKey).toList();
		byProvider(jobs).values()
			.forEach((some) -> store(some.get(0)).renamed(some.stream().map((job) -> job.ids().get(0)).toList(), BOUND)
				.forEach((job, names) -> logger
					.warn("The job {} has no record yet, but its key '{}' has one of {}. If that is the same job under "
							+ "an earlier name, a pause and the last runs stay there, and nodes of both versions run "
							+ "each tick: roll out between two planned times, and pause it again. With an explicit "
							+ "name (@DistributedLock(name = ...)) a job keeps all that when its method moves",
							job.schedule(), LockKeys.printable(job.key()), LockKeys.some(names))));
	}

	@Override
	public List<LockJob> list() {
		List<LockJob> jobs = new ArrayList<>(describe(found().stream().filter(this::hasKey).toList()));
		LockJobs parent = parent();
		if (parent != null) {
			Set<String> own = Set.copyOf(names());
			parent.list().stream().filter((job) -> !own.contains(job.name())).forEach(jobs::add);
			jobs.sort(Comparator.comparing(LockJob::name));
		}
		return List.copyOf(jobs);
	}

	// The context of this one's parent has tasks and locks of its own.
	private @Nullable LockJobs parent() {
		BeanFactory above = this.beanFactory.getParentBeanFactory();
		return (above != null) ? above.getBeanProvider(LockJobs.class).getIfAvailable() : null;
	}

	// What the jobs of the parent do with a name that is not one of these.
	private @Nullable LockJobs parentFor(String name) {
		return names().contains(name) ? null : parent();
	}

	private boolean hasKey(FoundJob job) {
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
		LockJobs parent = parentFor(name);
		return (parent != null) ? parent.get(name) : describe(List.of(find(name))).get(0);
	}

	@Override
	public void pause(String name, @Nullable String by) {
		LockJobs parent = parentFor(name);
		if (parent != null) {
			parent.pause(name, by);
			return;
		}
		FoundJob job = find(name);
		change(job, (id) -> store(job).pause(id, by, BOUND));
	}

	@Override
	public void resume(String name) {
		LockJobs parent = parentFor(name);
		if (parent != null) {
			parent.resume(name);
			return;
		}
		FoundJob job = find(name);
		change(job, (id) -> store(job).resume(id, BOUND));
	}

	// A refusal by one node must not keep the change from the other one.
	private static void change(FoundJob job, Consumer<Job> change) {
		LockAccessException refusal = null;
		for (Job id : job.ids()) {
			try {
				change.accept(id);
			}
			catch (LockAccessException ex) {
				refusal = ex;
			}
		}
		if (refusal != null) {
			throw refusal;
		}
	}

	@Override
	// Before JDK 22 the compiler does not read from class files that a type argument is
	// nullable.
	@SuppressWarnings("NullAway")
	public CompletableFuture<@Nullable Void> run(String name) {
		LockJobs parent = parentFor(name);
		return (parent != null) ? parent.run(name) : run(find(name), null);
	}

	@Override
	@SuppressWarnings("NullAway")
	public CompletableFuture<@Nullable Void> run(String name, int shard) {
		LockJobs parent = parentFor(name);
		if (parent != null) {
			return parent.run(name, shard);
		}
		FoundJob job = find(name);
		int shards = job.operation().sharding().shards();
		if (shards == 1 || shard < 0 || shard >= shards) {
			throw new NoSuchElementException("The job '" + job.name() + "' has no shard " + shard + ": it has "
					+ ((shards == 1) ? "no shards" : "the shards 0 to " + (shards - 1)));
		}
		return run(job, shard);
	}

	@SuppressWarnings("NullAway")
	private CompletableFuture<@Nullable Void> run(FoundJob job, @Nullable Integer shard) {
		KnownTask last = job.tasks().get(0);
		List<String> sharing = found().stream()
			.filter((each) -> each.tasks().contains(last))
			.map(FoundJob::name)
			.toList();
		if (sharing.size() == 1) {
			return this.byHand.start(job, last, null, shard);
		}
		if (job.beans().isEmpty()) {
			throw new IllegalStateException("The jobs " + String.join(", ", sharing) + " have tasks with one name, and "
					+ "it is not known which belongs to '" + job.name() + "': its bean is no singleton. Override the "
					+ "method in each class");
		}
		return run(job, job.tasks(), this.keys.isCalledBy(job.beans()), shard);
	}

	// A task does not say to which bean it belongs.
	private CompletableFuture<@Nullable Void> run(FoundJob job, List<KnownTask> tasks, Predicate<Object> wanted,
			@Nullable Integer shard) {
		CompletableFuture<@Nullable Void> begun = this.byHand.start(job, tasks.get(0), wanted, shard);
		List<KnownTask> others = tasks.subList(1, tasks.size());
		return others.isEmpty() ? begun : begun
			.exceptionallyCompose((failure) -> begun.isCancelled() ? run(job, others, wanted, shard) : begun);
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext().getAutowireCapableBeanFactory() == this.beanFactory) {
			this.byHand.close();
			this.tasks.get().forEach(KnownTask::takeNoMoreShards);
		}
	}

	private FoundJob find(String name) {
		List<FoundJob> jobs = found();
		List<FoundJob> named = jobs.stream().filter((job) -> job.name().equals(name)).toList();
		if (named.size() != 1) {
			String known = jobs.stream().map(FoundJob::name).collect(Collectors.joining(", "));
			throw new NoSuchElementException(named.isEmpty()
					? "There is no job '" + LockKeys.abbreviate(name) + "'"
							+ (known.isEmpty() ? ": this application has none" : ", but these: " + known)
							+ ". A job is a @Scheduled method with " + "@DistributedLock that runs once per tick"
					: named.size() + " jobs have the name '" + LockKeys.abbreviate(name)
							+ "': give their locks different names");
		}
		return named.get(0);
	}

	private List<FoundJob> found() {
		List<FoundJob> jobs = new ArrayList<>();
		List<KnownTask> known = this.tasks.get();
		for (LockOperation operation : this.operations.get()) {
			List<KnownTask> planned = JobKeys.tasks(operation, known);
			List<KeyedBeans> keyed = planned.isEmpty() ? List.of() : this.keys.jobs(operation);
			String name = operation.locks().get(0).name();
			keyed.forEach((each) -> jobs.add(new FoundJob((keyed.size() > 1) ? name + "." + each.beans().get(0) : name,
					operation, planned, each.beans(), each.key())));
		}
		jobs.sort(Comparator.comparing(FoundJob::name));
		return jobs;
	}

	private JobStore store(FoundJob job) {
		LockProvider provider = this.providers.apply(job.operation().provider());
		if (provider instanceof JobStore.Source source) {
			return source.jobs();
		}
		throw new IllegalStateException("The locks of the job '" + job.name() + "' come from "
				+ provider.getClass().getName() + ", which keeps no jobs");
	}

	private static Map<String, List<FoundJob>> byProvider(List<FoundJob> jobs) {
		return jobs.stream()
			.collect(Collectors.groupingBy((job) -> job.operation().provider(), LinkedHashMap::new,
					Collectors.toList()));
	}

	private List<LockJob> describe(List<FoundJob> jobs) {
		List<LockJob> described = new ArrayList<>();
		byProvider(jobs).values().forEach((some) -> {
			Iterator<State> states = store(some.get(0))
				.read(some.stream().flatMap((job) -> job.ids().stream()).toList(), BOUND)
				.iterator();
			some.forEach((job) -> described.add(job.describe(job.ids().stream().map((id) -> states.next()).toList(),
					zone(job.operation().method()))));
		});
		described.sort(Comparator.comparing(LockJob::name));
		return List.copyOf(described);
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

}
