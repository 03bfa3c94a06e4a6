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

package io.github.zklock.scheduling;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.core.Ordered;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * Makes the scheduler of the application pass each run of a task to the thread on which
 * it runs. So a guarded method can run once per tick in the whole cluster. This
 * configurer comes after all others. It has no effect in an application without
 * {@code @EnableScheduling}, which calls no configurers.
 *
 * @since 0.1.0
 */
public final class ScheduledRunConfigurer implements SchedulingConfigurer, Ordered {

	private static final int FEW = 64;

	private final BooleanSupplier needed;

	private final BooleanSupplier neededLater;

	private final Supplier<List<ScheduledTaskNeed>> others;

	private final List<KnownTask> tasks = new ArrayList<>();

	// At how many tasks the cancelled ones are removed.
	private int most = FEW;

	/**
	 * Create the configurer.
	 * @param needed whether there is a guarded method, called when all beans are known
	 * @param neededLater whether one has been found since, called for each task
	 * @param others the needs of other libraries, called when all beans are known
	 */
	public ScheduledRunConfigurer(BooleanSupplier needed, BooleanSupplier neededLater,
			Supplier<List<ScheduledTaskNeed>> others) {
		this.needed = needed;
		this.neededLater = neededLater;
		this.others = others;
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar registrar) {
		TaskScheduler scheduler = registrar.getScheduler();
		if (scheduler != null && !(scheduler instanceof ScheduledRunTaskScheduler)) {
			boolean known = this.needed.getAsBoolean();
			List<ScheduledTaskNeed> needs = this.others.get();
			registrar.setTaskScheduler(
					new ScheduledRunTaskScheduler(scheduler, this::add, (task) -> isNeeded(task, known, needs)));
		}
	}

	private boolean isNeeded(String task, boolean known, List<ScheduledTaskNeed> needs) {
		return needs.stream().noneMatch((need) -> need.needsTask(task))
				&& (known || this.neededLater.getAsBoolean() || needs.stream().anyMatch((need) -> need.needsRun(task)));
	}

	private synchronized void add(KnownTask task) {
		if (this.tasks.size() >= this.most) {
			this.tasks.removeIf((known) -> !known.isPlanned());
			this.most = 2 * this.tasks.size() + FEW;
		}
		this.tasks.add(task);
	}

	/**
	 * Return what looks for missed runs.
	 * @param wanted whether a task is meant, called with its text
	 * @return the missed runs of these tasks
	 */
	public List<MissedRuns> missed(Predicate<String> wanted) {
		return tasks().stream()
			.filter((task) -> wanted.test(task.text()))
			.map(KnownTask::missed)
			.filter(Objects::nonNull)
			.toList();
	}

	/**
	 * Return whether the runs of a task are passed to its thread.
	 * @param task the text of the task
	 * @return {@code false} if it was given to another scheduler
	 */
	public boolean knows(String task) {
		return tasks().stream().anyMatch((known) -> known.text().equals(task));
	}

	/**
	 * Return the tasks whose runs are passed to their threads, without the cancelled
	 * ones.
	 * @return the tasks
	 */
	public synchronized List<KnownTask> tasks() {
		return this.tasks.stream().filter(KnownTask::isPlanned).toList();
	}

	synchronized int remembered() {
		return this.tasks.size();
	}

}
