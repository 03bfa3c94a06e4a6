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

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.zklock.core.LockTick;
import io.github.zklock.support.ManualTaskScheduler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.PeriodicTrigger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the runs of a task know of the plan of their scheduler.
 */
class ScheduledRunTaskSchedulerTests {

	private static final Instant START = Instant.parse("2026-10-05T09:59:59.500Z");

	private final ManualTaskScheduler manual = new ManualTaskScheduler(START);

	private final Set<String> known = new HashSet<>();

	private final ScheduledRunTaskScheduler scheduler = new ScheduledRunTaskScheduler(this.manual,
			(task) -> this.known.add(task.text()), (task) -> true);

	private final List<@Nullable LockTick> ticks = new ArrayList<>();

	@Test
	void eachRunOfACronTaskHasTheTimeThatWasPlanned() {
		this.scheduler.schedule(this::run, new CronTrigger("0/10 * * * * *", ZoneOffset.UTC));
		this.manual.advance(Duration.ofSeconds(25));
		assertThat(this.ticks).extracting(LockTick::time)
			.containsExactly(START.plusMillis(500), START.plusMillis(10500), START.plusMillis(20500));
	}

	@Test
	void aTimerThatFiresEarlyDoesNotChangeTheTime() {
		this.manual.fireEarly(Duration.ofMillis(20));
		this.scheduler.schedule(this::run, new CronTrigger("0/10 * * * * *", ZoneOffset.UTC));
		this.manual.advance(Duration.ofSeconds(15));
		assertThat(this.ticks).extracting(LockTick::time)
			.containsExactly(START.plusMillis(500), START.plusMillis(10500));
	}

	@Test
	void eachRunOfAPeriodicTaskHasItsPeriod() {
		this.scheduler.scheduleAtFixedRate(this::run, Duration.ofSeconds(10));
		this.scheduler.scheduleAtFixedRate(this::run, START, Duration.ofSeconds(10));
		this.scheduler.scheduleWithFixedDelay(this::run, Duration.ofSeconds(10));
		this.scheduler.scheduleWithFixedDelay(this::run, START, Duration.ofSeconds(10));
		this.manual.advance(Duration.ofSeconds(5));
		assertThat(this.ticks).hasSize(4)
			.allSatisfy((tick) -> assertThat(tick.period()).isEqualTo(Duration.ofSeconds(10)));
	}

	@Test
	void otherTasksAreLeftAlone() {
		this.scheduler.schedule(this::run, new PeriodicTrigger(Duration.ofSeconds(10)));
		this.scheduler.schedule(this::run, START.plusSeconds(1));
		this.manual.advance(Duration.ofSeconds(5));
		assertThat(this.ticks).containsExactly(null, null);
		assertThat(this.known).isEmpty();
	}

	@Test
	void qualifierAndTextOfATaskAreKept() {
		this.scheduler.schedule(new Named(), new CronTrigger("0/10 * * * * *"));
		this.scheduler.scheduleAtFixedRate(new Named(), Duration.ofSeconds(10));
		assertThat(this.manual.tasks()).containsExactly("com.example.Job.run", "com.example.Job.run");
		assertThat(this.manual.qualifiers()).containsExactly("special", "special");
		assertThat(this.known).containsExactly("com.example.Job.run");
		assertThat(this.scheduler.getClock().instant()).isEqualTo(START);
	}

	@Test
	void cancelledTasksAreForgotten() {
		ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
		registrar.setTaskScheduler(this.manual);
		ScheduledRunConfigurer configurer = new ScheduledRunConfigurer(() -> true, () -> true, List::of);
		configurer.configureTasks(registrar);
		TaskScheduler wrapped = Objects.requireNonNull(registrar.getScheduler());
		wrapped.schedule(this::run, new CronTrigger("0/10 * * * * *", ZoneOffset.UTC));
		for (int i = 0; i < 10_000; i++) {
			wrapped.schedule(this::run, new CronTrigger("0/10 * * * * *", ZoneOffset.UTC)).cancel(false);
			wrapped.scheduleAtFixedRate(this::run, Duration.ofSeconds(5)).cancel(false);
		}
		assertThat(configurer.tasks()).hasSize(1);
		assertThat(configurer.missed((task) -> true)).hasSize(1);
		assertThat(configurer.remembered()).isLessThan(200);
	}

	private void run() {
		ScheduledRun run = ScheduledRun.take(getClass().getDeclaredMethods()[0], getClass(), null);
		this.ticks.add((run != null) ? run.toTick("job", Duration.ZERO) : null);
		assertThat(ScheduledRun.take(getClass().getDeclaredMethods()[0], getClass(), null)).isNull();
	}

	private static final class Named implements SchedulingAwareRunnable {

		@Override
		public void run() {
		}

		@Override
		public String getQualifier() {
			return "special";
		}

		@Override
		public String toString() {
			return "com.example.Job.run";
		}

	}

}
