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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Scheduled jobs of two nodes on one clock: the second node fires when the first one is
 * done with the tick.
 */
class ScheduledTicksTests {

	private static final Duration FIVE_TICKS = Duration.ofSeconds(50);

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private final InMemoryLockProvider shared = new InMemoryLockProvider();

	private final TickNode first = new TickNode(this.shared);

	private final TickNode second = new TickNode(this.shared);

	@ParameterizedTest
	@ValueSource(classes = { TickBeans.CronJob.class, TickBeans.MonoJob.class, TickBeans.AsyncJob.class })
	void eachTickRunsOnOneNode(Class<? extends TickBeans.Counting> job) {
		onBothNodes(job, (contexts) -> {
			for (int tick = 1; tick <= 5; tick++) {
				int expected = tick;
				this.first.advance(ONE_TICK);
				awaitRuns(contexts, job, expected);
				this.second.advance(ONE_TICK);
				Awaitility.await().until(() -> this.second.requests().size() == expected);
			}
			awaitRuns(contexts, job, 5);
			assertThat(contexts.first().getBean(job).runs()).isEqualTo(5);
		});
	}

	@Test
	void anotherSubscriptionOfARetryIsTheSameRun() {
		onBothNodes(TickBeans.FailingMonoJob.class, (contexts) -> {
			TickBeans.FailingMonoJob job = contexts.first().getBean(TickBeans.FailingMonoJob.class);
			AtomicReference<Mono<Void>> report = new AtomicReference<>();
			ScheduledRun.callAt(TickNode.START,
					() -> assertThatIllegalStateException().isThrownBy(() -> subscribe(report, job)));
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> report.get().block())
				.withMessageContaining("has run already");
			assertThat(job.runs()).isOne();
		});
	}

	private static void subscribe(AtomicReference<Mono<Void>> report, TickBeans.FailingMonoJob job) {
		report.set(job.report());
		report.get().block(Duration.ofSeconds(30));
	}

	@Test
	void tickThatOneNodeMissesRunsOnTheOther() {
		onBothNodes(TickBeans.CronJob.class, (contexts) -> {
			this.first.advance(ONE_TICK);
			this.second.advance(FIVE_TICKS);
			this.first.advance(FIVE_TICKS);
			assertThat(contexts.first().getBean(TickBeans.CronJob.class).runs()).isEqualTo(2);
			assertThat(contexts.second().getBean(TickBeans.CronJob.class).runs()).isEqualTo(4);
		});
	}

	@Test
	void tickIsNamedAfterTheMethodAndThePlannedTime() {
		this.first.scheduler.fireEarly(Duration.ofMillis(15));
		this.first.application(TickBeans.CronJob.class).run((context) -> {
			this.first.advance(ONE_TICK);
			LockTick tick = lastTick(this.first);
			assertThat(tick.schedule()).isEqualTo(TickBeans.CronJob.class.getName() + ".report");
			assertThat(tick.time()).isEqualTo(TickNode.START.plusSeconds(5));
		});
	}

	@Test
	void directCallIsNoTick() {
		this.first.application(TickBeans.CronJob.class).run((context) -> {
			this.first.advance(ONE_TICK);
			context.getBean(TickBeans.CronJob.class).report();
			assertThat(context.getBean(TickBeans.CronJob.class).runs()).isEqualTo(2);
			assertThat(lastTick(this.first)).isNull();
		});
	}

	@Test
	void callFromAnotherScheduledMethodIsNoTick() {
		this.first.application(TickBeans.CronJob.class, TickBeans.UnguardedCronJob.class).run((context) -> {
			this.first.advance(FIVE_TICKS);
			assertThat(context.getBean(TickBeans.CronJob.class).runs()).isEqualTo(10);
			assertThat(this.first.requests()).extracting(LockRequest::tick)
				.filteredOn((tick) -> tick != null)
				.hasSize(5);
		});
	}

	@Test
	void nestedCallIsNoTick() {
		this.first.application(TickBeans.OneLockNestedInAnother.class).run((context) -> {
			this.first.advance(ONE_TICK);
			assertThat(this.first.requests()).extracting((request) -> request.tick() != null)
				.containsExactly(true, false);
			assertThat(context.getBean(TickBeans.OneLockNestedInAnother.class).tick())
				.isEqualTo(this.first.requests().get(0).tick());
			assertThat(LockTick.current()).isNull();
		});
	}

	@Test
	void taskOfTheApplicationIsATickOfTheFirstGuardedCall() {
		onBothNodes(TickBeans.OwnTask.class, (contexts) -> {
			this.first.advance(ONE_TICK);
			assertThat(lastTick(this.first).schedule()).isEqualTo(TickBeans.Called.class.getName() + ".work");
			this.second.advance(ONE_TICK);
			awaitRuns(contexts, TickBeans.Called.class, 1);
		});
	}

	@Test
	void anotherAttemptOfARetryIsTheSameTick() {
		this.first.application(TickBeans.RetriedJob.class, TickBeans.RetryOutside.class).run((context) -> {
			this.first.advance(ONE_TICK);
			assertThat(context.getBean(TickBeans.RetriedJob.class).runs()).isEqualTo(2);
			assertThat(this.first.requests()).extracting(LockRequest::tick).doesNotContainNull().hasSize(2);
			assertThat(this.first.requests()).extracting(LockRequest::tick).containsOnly(lastTick(this.first));
		});
	}

	@Test
	void ofSeveralLocksTheLastOneHasTheTick() {
		this.first.application(TickBeans.SeveralKeys.class).run((context) -> {
			this.first.advance(ONE_TICK);
			assertThat(this.first.requests()).extracting((request) -> request.key() + " " + (request.tick() != null))
				.containsExactly("a false", "b true");
		});
	}

	@Test
	void periodicRunsOfASecondOrMoreAreTicks() {
		this.first.application(TickBeans.PeriodicJobs.class).run((context) -> {
			this.first.advance(Duration.ofSeconds(2));
			assertThat(tickOf("rate").period()).isEqualTo(Duration.ofSeconds(10));
			assertThat(tickOf("delay").period()).isEqualTo(Duration.ofSeconds(10));
			assertThat(tickOf("fast")).isNull();
		});
	}

	@Test
	void namedSchedulerIsKept() {
		this.first.application(TickBeans.OtherScheduler.class).run((context) -> {
			this.first.advance(FIVE_TICKS);
			assertThat(this.first.requests()).isEmpty();
			context.getBean("other", ManualTaskScheduler.class).advance(ONE_TICK);
			assertThat(lastTick(this.first)).isNotNull();
		});
	}

	private void onBothNodes(Class<?> bean, Consumer<Contexts> test) {
		this.first.application(bean)
			.run((one) -> this.second.application(bean).run((other) -> test.accept(new Contexts(one, other))));
	}

	private static void awaitRuns(Contexts contexts, Class<? extends TickBeans.Counting> job, int expected) {
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(contexts.first().getBean(job).runs() + contexts.second().getBean(job).runs())
						.isEqualTo(expected));
	}

	private static LockTick lastTick(TickNode node) {
		return node.requests().get(node.requests().size() - 1).tick();
	}

	private LockTick tickOf(String key) {
		return this.first.requests()
			.stream()
			.filter((request) -> request.key().equals(key))
			.findFirst()
			.orElseThrow()
			.tick();
	}

	private record Contexts(AssertableApplicationContext first, AssertableApplicationContext second) {
	}

}
