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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockTick;
import io.github.zklock.support.LeapingClock;
import io.github.zklock.support.ManualTaskScheduler;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.support.CronTrigger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The planned times of runs that begin later than the scheduler plans the next one, in
 * another order, or never.
 */
class PlannedRunsTests {

	private static final Instant START = Instant.parse("2026-10-05T09:30:30Z");

	private final List<Instant> begun = new CopyOnWriteArrayList<>();

	private final BlockingQueue<Runnable> handedOver = new LinkedBlockingQueue<>();

	private final SimpleAsyncTaskScheduler target = new SimpleAsyncTaskScheduler();

	private final ScheduledRunTaskScheduler scheduler = new ScheduledRunTaskScheduler(this.target, (task) -> {
	}, (text) -> true);

	@AfterEach
	void close() {
		this.target.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 * * * * *", "0 0 * * * *", "0 0 2 * * *" })
	void runThatBeginsAfterTheNextWasPlannedHasItsOwnTime(String cron) throws InterruptedException {
		LeapingClock clock = new LeapingClock(cron, START);
		this.target.setClock(clock);
		this.target.setTargetTaskExecutor(this.handedOver::add);
		this.scheduler.schedule(this::run, new CronTrigger(cron, ZoneOffset.UTC));
		List<Runnable> runs = next(3);
		runs.get(0).run();
		assertThat(this.begun).containsExactly(clock.tickAfter(START));
	}

	@Test
	void runsThatBeginInAnotherOrderHaveTheirOwnTimes() throws InterruptedException {
		this.target.setClock(new LeapingClock("0 0 2 * * *", START));
		this.target.setTargetTaskExecutor(this.handedOver::add);
		this.scheduler.schedule(this::run, new CronTrigger("0 0 2 * * *", ZoneOffset.UTC));
		List<Runnable> runs = next(4);
		Collections.reverse(runs);
		runs.forEach(Runnable::run);
		Collections.reverse(this.begun);
		assertThat(this.begun).doesNotHaveDuplicates().isSorted().hasSize(4);
	}

	@Test
	void runThatIsRefusedTakesItsTimeWithIt() {
		LeapingClock clock = new LeapingClock("0 * * * * *", START);
		List<Instant> refused = new CopyOnWriteArrayList<>();
		this.target.setClock(clock);
		this.target.setTargetTaskExecutor((run) -> {
			if (refused.isEmpty()) {
				refused.add(clock.tickAfter(START));
				throw new TaskRejectedException("No thread is free");
			}
			run.run();
		});
		this.target.setErrorHandler((failure) -> assertThat(failure).isInstanceOf(TaskRejectedException.class));
		this.scheduler.schedule(this::run, new CronTrigger("0 * * * * *", ZoneOffset.UTC));
		Awaitility.await().until(() -> this.begun.size() >= 2);
		assertThat(this.begun).doesNotHaveDuplicates().isSorted().doesNotContainAnyElementsOf(refused);
	}

	@Test
	void runThatIsDueAtOnceIsCancelledWithTheOthers() throws InterruptedException {
		this.target.setClock(new LeapingClock("0 * * * * *", START));
		this.target.setTargetTaskExecutor(this.handedOver::add);
		ScheduledFuture<?> future = this.scheduler.schedule(this::run, new CronTrigger("0 * * * * *"));
		next(2);
		assertThat(future.isCancelled()).isFalse();
		assertThat(future.getDelay(TimeUnit.DAYS)).isZero();
		future.cancel(false);
		assertThat(future.isCancelled()).isTrue();
		assertThat(future.isDone()).isTrue();
		this.handedOver.clear();
		assertThat(this.handedOver.poll(400, TimeUnit.MILLISECONDS)).isNull();
	}

	@Test
	void triggerWithoutATimeSchedulesNothing() {
		ManualTaskScheduler manual = new ManualTaskScheduler(START);
		assertThat((Object) schedule(this.target, new Times())).isNull();
		schedule(manual, new Times(START.plusSeconds(1), START.plusSeconds(5)));
		manual.advance(Duration.ofMinutes(1));
		assertThat(this.begun).containsExactly(START.plusSeconds(1), START.plusSeconds(5));
		assertThat(manual.tasks()).isEmpty();
	}

	private @Nullable ScheduledFuture<?> schedule(TaskScheduler target, Trigger trigger) {
		return PlannedRuns.schedule(target, this::run, trigger, (missed) -> {
		});
	}

	private List<Runnable> next(int count) throws InterruptedException {
		List<Runnable> runs = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Runnable run = this.handedOver.poll(30, TimeUnit.SECONDS);
			assertThat(run).isNotNull();
			runs.add(run);
		}
		return runs;
	}

	private void run() {
		ScheduledRun run = ScheduledRun.takeTask((text) -> true);
		assertThat(run).isNotNull();
		LockTick tick = run.toTick("job", Duration.ZERO);
		assertThat(tick).isNotNull();
		this.begun.add(tick.time());
	}

	private static final class Times implements Trigger {

		private final List<Instant> times;

		Times(Instant... times) {
			this.times = new ArrayList<>(Stream.of(times).toList());
		}

		@Override
		public @Nullable Instant nextExecution(TriggerContext context) {
			return this.times.isEmpty() ? null : this.times.remove(0);
		}

	}

}
