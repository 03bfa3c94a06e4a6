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

package io.github.zklock.interceptor.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.JobRecovery;
import io.github.zklock.interceptor.LockTickAdvising;
import io.github.zklock.interceptor.ScheduledJobs;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockOperation.Ticks;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.MethodResult;
import io.github.zklock.interceptor.operation.MethodResult.Kind;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.scheduling.ClockChanges;
import io.github.zklock.scheduling.ScheduledCall;
import io.github.zklock.scheduling.ScheduledRunConfigurer;
import io.github.zklock.scheduling.TaskText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.config.IntervalTask;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.Task;

/**
 * Warns at start-up about scheduled methods that should run once per tick, but whose lock
 * does not receive their ticks. It runs after Spring has scheduled them.
 *
 * @since 0.1.0
 */
public final class LockTickCheck implements ApplicationListener<ContextRefreshedEvent>, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(LockTickCheck.class);

	private final ListableBeanFactory beanFactory;

	private final LockOperationSource operationSource;

	private final GuardedMethods methods;

	private final ScheduledRunConfigurer configurer;

	private final LockTickAdvising advising;

	private final JobRecovery recovery;

	private final LockValidation validation;

	public LockTickCheck(ListableBeanFactory beanFactory, LockOperationSource operationSource, GuardedMethods methods,
			ScheduledRunConfigurer configurer, LockTickAdvising advising, JobRecovery recovery,
			LockValidation validation) {
		this.beanFactory = beanFactory;
		this.operationSource = operationSource;
		this.methods = methods;
		this.configurer = configurer;
		this.advising = advising;
		this.recovery = recovery;
		this.validation = validation;
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext().getAutowireCapableBeanFactory() == this.beanFactory) {
			check();
		}
	}

	private void check() {
		List<Task> all = this.beanFactory.getBeanProvider(ScheduledTaskHolder.class)
			.stream()
			.flatMap((holder) -> holder.getScheduledTasks().stream())
			.map(ScheduledTask::getTask)
			.toList();
		all.forEach(this::checkObject);
		List<String> tasks = all.stream()
			.filter((task) -> task instanceof CronTask || task instanceof IntervalTask)
			.map((task) -> TaskText.of(task.getRunnable()))
			.toList();
		if (!tasks.isEmpty()) {
			List<LockTarget> targets = this.methods.stream().toList();
			targets.forEach((target) -> check(target, tasks));
			checkNames(targets.stream()
				.map(this.methods::operation)
				.filter((operation) -> isJob(operation, tasks))
				.toList());
			targets.forEach(this::recover);
			UnaryOperator<String> resolver = (text) -> Objects
				.requireNonNullElse(((ConfigurableBeanFactory) this.beanFactory).resolveEmbeddedValue(text), "");
			List<LockTarget> jobs = targets.stream()
				.filter((target) -> isJob(this.methods.operation(target), tasks))
				.toList();
			jobs.forEach((target) -> ClockChanges.report(target.method(), target, resolver));
			ClockChanges.reportWithoutZone(
					jobs.stream()
						.collect(Collectors.toMap(LockTarget::toString, LockTarget::method, (one, other) -> one)),
					resolver);
		}
	}

	// Of two methods with one identity, each would skip the ticks of the other.
	private void checkNames(List<LockOperation> jobs) {
		ScheduledJobs described = this.beanFactory.getBeanProvider(ScheduledJobs.class).getIfAvailable();
		Map<String, LockOperation> known = new HashMap<>();
		if (described != null) {
			described.above().forEach((job) -> known.put(job.schedule(), job));
		}
		for (LockOperation job : jobs) {
			LockOperation other = known.put(job.schedule(), job);
			if (other != null && !other.target().equals(job.target())) {
				throw job.target()
					.invalid(
							"has the name '" + job.schedule() + "', which is the name of the job " + other.target()
									+ ", too. The explicit name of a lock identifies its job",
							"Give each of them a name of its own, or remove the name: then class and method "
									+ "identify the job.");
			}
		}
		if (described != null) {
			described.checkPeriods();
			RenamedJobs renamed = new RenamedJobs(described);
			jobs.stream()
				.map(LockOperation::provider)
				.distinct()
				.forEach((provider) -> this.recovery.onSession(provider, renamed::look));
		}
	}

	private static boolean isJob(@Nullable LockOperation operation, List<String> tasks) {
		return operation != null && operation.oncePerTick() != Ticks.NO && tasks.stream()
			.anyMatch((task) -> TaskText.isOf(task, operation.method(), operation.targetClass(), null));
	}

	private void checkObject(Task task) {
		ScheduledCall call = ScheduledCall.of(task.getRunnable());
		if (call == null || !isUnguarded(call)) {
			return;
		}
		InvalidLockUsageException finding = new LockTarget(call.method(), call.target().getClass()).invalid(
				"is the task of a scheduler on the object itself, so the call does not pass the proxy and runs without "
						+ "its lock",
				"Give the scheduler the bean, for example one that is injected with @Lazy, instead of this or of an "
						+ "object that is no bean; in a circle of beans, put @Lazy on an injection point.");
		if (this.validation == LockValidation.FAIL) {
			throw finding;
		}
		logger.error("{} {}", finding.getDescription(), finding.getAction());
	}

	private boolean isUnguarded(ScheduledCall call) {
		Object target = call.target();
		return !AopUtils.isAopProxy(target) && this.operationSource.isCandidateClass(target.getClass())
				&& this.operationSource.hasLockOperation(call.method(), target.getClass())
				&& !LockedBean.isStandIn(target);
	}

	private void check(LockTarget target, List<String> tasks) {
		for (String task : tasks) {
			String reason = TaskText.isOf(task, target.method(), target.targetClass(), null) ? obstacle(target, task)
					: null;
			if (reason != null && isOncePerTick(target)) {
				logger.warn(
						"The @DistributedLock method {} does not run once per tick: {}. Each node tries to get the "
								+ "lock at each tick, and those that get it one after the other all run it.",
						target, reason);
				return;
			}
		}
	}

	private void recover(LockTarget target) {
		LockOperation operation = this.methods.operation(target);
		if (operation != null && operation.recovery() != null) {
			// Spring calls such a method before, and would hide a failure of that call.
			if (MethodResult.kind(target) == Kind.REACTIVE) {
				throw target.invalid("has recoverWithin and returns a publisher, to which Spring subscribes itself",
						"Return void and wait for the publisher, or remove recoverWithin.");
			}
			this.recovery.begin(operation, () -> this.configurer
				.missed((task) -> TaskText.isOf(task, target.method(), target.targetClass(), null)));
		}
	}

	private @Nullable String obstacle(LockTarget target, String task) {
		if (!this.configurer.knows(task)) {
			return "its task was given to a scheduler that zk-lock does not know. Let no SchedulingConfigurer of a "
					+ "later order set a scheduler, or name the scheduler in @Scheduled";
		}
		if (this.advising.isUnreachable(target.targetClass())) {
			return "it is @Async by a proxy of its own, which zk-lock cannot change. Do not freeze proxies";
		}
		return null;
	}

	private boolean isOncePerTick(LockTarget target) {
		LockOperation operation = this.methods.operation(target);
		return operation != null && operation.oncePerTick() != Ticks.NO;
	}

}
