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

package io.github.zklock.support;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

/**
 * A scheduler of a node whose time a test moves on by hand: nothing runs before its
 * {@link #advance}, and then on the thread of the test, in the order of time.
 */
public final class ManualTaskScheduler implements TaskScheduler {

	private final Map<Runnable, Plan> plans = new LinkedHashMap<>();

	private Instant now;

	private Duration timerIsEarlyBy = Duration.ZERO;

	/**
	 * Create the scheduler.
	 * @param now the time of the node
	 */
	public ManualTaskScheduler(Instant now) {
		this.now = now;
	}

	/**
	 * Let the timer fire before the time, as timers do whose clock is corrected.
	 * @param early how long before
	 */
	public void fireEarly(Duration early) {
		this.timerIsEarlyBy = early;
	}

	/**
	 * Move the time on, and run what is due until then.
	 * @param time how far
	 */
	public void advance(Duration time) {
		Instant end = this.now.plus(time);
		while (true) {
			Map.Entry<Runnable, Plan> due = this.plans.entrySet()
				.stream()
				.filter((each) -> each.getValue().next() != null && !each.getValue().next().isAfter(end))
				.min((one, other) -> one.getValue().next().compareTo(other.getValue().next()))
				.orElse(null);
			if (due == null) {
				this.now = end;
				return;
			}
			this.now = due.getValue().next().minus(this.timerIsEarlyBy);
			due.getKey().run();
			due.getValue().plan(this.now);
			this.plans.values().removeIf((plan) -> plan.next() == null);
		}
	}

	/**
	 * Return the texts of the tasks.
	 * @return the texts
	 */
	public String[] tasks() {
		return this.plans.keySet().stream().map(Object::toString).toArray(String[]::new);
	}

	/**
	 * Return the classes of the tasks.
	 * @return the names
	 */
	public String[] taskTypes() {
		return this.plans.keySet().stream().map((task) -> task.getClass().getName()).toArray(String[]::new);
	}

	/**
	 * Return the qualifiers of the tasks.
	 * @return the qualifiers
	 */
	public @Nullable String[] qualifiers() {
		return this.plans.keySet()
			.stream()
			.map((task) -> (task instanceof SchedulingAwareRunnable aware) ? aware.getQualifier() : null)
			.toArray(String[]::new);
	}

	@Override
	public Clock getClock() {
		return new NodeClock();
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
		return add(task, new Plan(trigger, new SimpleTriggerContext(getClock())));
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
		return add(task, new Plan((context) -> (context.lastCompletion() != null) ? null : startTime,
				new SimpleTriggerContext(getClock())));
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
		return add(task,
				new Plan(
						(context) -> (context.lastScheduledExecution() != null)
								? context.lastScheduledExecution().plus(period) : startTime,
						new SimpleTriggerContext(getClock())));
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
		return scheduleAtFixedRate(task, this.now, period);
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
		// Spring computes the start by the clock of the machine.
		return scheduleAtFixedRate(task, delay);
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
		return scheduleAtFixedRate(task, delay);
	}

	private ScheduledFuture<?> add(Runnable task, Plan plan) {
		plan.plan(null);
		this.plans.put(task, plan);
		return (ScheduledFuture<?>) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { ScheduledFuture.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "cancel" -> this.plans.remove(task) != null;
					case "isCancelled", "isDone" -> !this.plans.containsKey(task);
					case "getDelay" -> 0L;
					default -> throw new UnsupportedOperationException(method + Arrays.toString(arguments));
				});
	}

	private static final class Plan {

		private final Trigger trigger;

		private final SimpleTriggerContext context;

		private @Nullable Instant next;

		Plan(Trigger trigger, SimpleTriggerContext context) {
			this.trigger = trigger;
			this.context = context;
		}

		@Nullable Instant next() {
			return this.next;
		}

		void plan(@Nullable Instant done) {
			if (done != null) {
				this.context.update(this.next, done, done);
			}
			this.next = this.trigger.nextExecution(this.context);
		}

	}

	private final class NodeClock extends Clock {

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return Clock.fixed(instant(), zone);
		}

		@Override
		public Instant instant() {
			return ManualTaskScheduler.this.now;
		}

	}

}
