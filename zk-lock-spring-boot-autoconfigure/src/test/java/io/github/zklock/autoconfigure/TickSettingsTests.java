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
import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which scheduled methods run once per tick, and what is said about it.
 */
@ExtendWith(OutputCaptureExtension.class)
class TickSettingsTests {

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private final InMemoryLockProvider shared = new InMemoryLockProvider();

	private final TickNode node = new TickNode(this.shared);

	@Test
	void locksThatOneHolderHasAndGivesBackRunOncePerTick() {
		this.node.application(TickBeans.OtherLocks.class)
			.withPropertyValues("zk-lock.locks.cached.cache=true")
			.run((context) -> {
				this.node.advance(ONE_TICK);
				assertThat(keysOfTicks()).containsExactly("write");
			});
	}

	@Test
	void propertyDecidesOverTheDefaultAndOverTheAnnotation() {
		this.node.application(TickBeans.OtherLocks.class)
			.withPropertyValues("zk-lock.locks.write.once-per-tick=false", "zk-lock.locks.zero.oncePerTick=true",
					"zk-lock.locks.cached.cache=true")
			.run((context) -> {
				this.node.advance(ONE_TICK);
				assertThat(keysOfTicks()).containsExactly("zero");
			});
	}

	@Test
	void annotationTurnsTicksOffAndIsRefusedForALockThatCannotHaveThem() {
		this.node.application(TickBeans.ZeroJob.class).run((context) -> {
			this.node.advance(ONE_TICK);
			assertThat(this.node.requests()).hasSize(1).allMatch((request) -> request.tick() == null);
		});
		this.node.application(TickBeans.ReadOnce.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("has @OncePerTick and mode = READ, which cannot be combined"));
	}

	@Test
	void annotationOfAMethodWithoutALockStopsTheStart() {
		this.node.application(WithoutLock.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("The @OncePerTick method " + WithoutLock.class.getName()
						+ ".report() has no lock, so every node runs each of its ticks."));
	}

	@Test
	void propertyLetsShortPeriodsBeTicks() {
		this.node.application(TickBeans.PeriodicJobs.class)
			.withPropertyValues("zk-lock.locks.periodic-jobs-fast.once-per-tick=true")
			.run((context) -> {
				this.node.advance(Duration.ofMillis(100));
				assertThat(keysOfTicks()).containsExactlyInAnyOrder("rate", "delay", "fast");
			});
	}

	@ParameterizedTest
	@CsvSource({ "kept, lockAtLeastFor", "read, mode = READ", "permits, permits", "cached, cache" })
	void propertyForALockThatCannotRunOncePerTickStopsTheStart(String name, String obstacle) {
		this.node.application(TickBeans.OtherLocks.class)
			.withPropertyValues("zk-lock.locks." + name + ".once-per-tick=true", "zk-lock.locks.cached.cache=true")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("has the property zk-lock.locks." + name + ".once-per-tick = true and " + obstacle
						+ ", which cannot be combined"));
	}

	@Test
	void firstSkipOfAJobIsToldWithWhoRanIt(CapturedOutput output) {
		TickNode other = new TickNode(this.shared);
		this.node.application(TickBeans.CronJob.class)
			.run((one) -> other.application(TickBeans.CronJob.class).run((two) -> {
				for (int i = 0; i < 3; i++) {
					this.node.advance(ONE_TICK);
					other.advance(ONE_TICK);
				}
			}));
		assertThat(lines(output, TickBeans.CronJob.class.getName() + ".report is skipped on this node")).singleElement()
			.asString()
			.contains("INFO")
			.contains("is skipped on this node: Lock 'report' (EXCLUSIVE)")
			.contains("tick 2026-10-05T10:00:00Z of ")
			.contains("has run already; run by ");
	}

	@Test
	void taskThatALaterConfigurerGaveToAnotherSchedulerIsWarnedOf(CapturedOutput output) {
		this.node.application(TickBeans.CronJob.class)
			.withConfiguration(AutoConfigurations.of(TickBeans.LaterConfigurer.class))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(lines(output, "does not run once per tick")).singleElement()
			.asString()
			.contains("WARN", TickBeans.CronJob.class.getName() + ".report()", "SchedulingConfigurer");
	}

	@Test
	void asynchronousMethodOfAFrozenProxyIsWarnedOf(CapturedOutput output) {
		this.node.application(TickBeans.FrozenProxies.class, TickBeans.AsyncJob.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(lines(output, "does not run once per tick")).singleElement()
			.asString()
			.contains("WARN", TickBeans.AsyncJob.class.getName() + ".report()", "freeze");
	}

	@Test
	void nothingIsWarnedOfWhenAllIsWell(CapturedOutput output) {
		this.node
			.application(TickBeans.CronJob.class, TickBeans.AsyncJob.class, TickBeans.PeriodicJobs.class,
					TickBeans.OtherLocks.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(lines(output, "does not run once per tick")).isEmpty();
	}

	@Test
	void schedulerIsLeftAloneWithoutAGuardedMethod() {
		this.node.application(TickBeans.UnguardedJob.class).run((context) -> {
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(TickBeans.UnguardedJob.class).runs()).isEqualTo(1);
			assertThat(this.node.scheduler.taskTypes()).noneMatch((type) -> type.startsWith("io.github.zklock"));
		});
	}

	@Test
	void lazyJobOfUnknownClassRunsOncePerTickAlthoughItIsTheOnlyOne() {
		this.node.application(LazyJob.class).run((context) -> {
			assertThat(context.getBean("job")).isNotNull();
			this.node.advance(ONE_TICK);
			assertThat(keysOfTicks()).containsExactly("lazy");
		});
	}

	@Test
	void keyOfAScheduledPublisherIsComputedWhenSpringCallsItAtTheStart() {
		this.node.application(PublisherJob.class).run((context) -> {
			this.node.advance(ONE_TICK);
			this.node.advance(ONE_TICK);
			assertThat(keysOfTicks()).containsExactly("run 1", "run 1");
		});
	}

	@Test
	void schedulingIsNotSwitchedOn() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
					ZkLockSchedulingAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class)
			.withBean(TickBeans.CronJob.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ScheduledTaskHolder.class));
	}

	private List<String> keysOfTicks() {
		return this.node.requests().stream().filter((request) -> request.tick() != null).map(LockRequest::key).toList();
	}

	private static List<String> lines(CapturedOutput output, String text) {
		return output.toString().lines().filter((line) -> line.contains(text)).toList();
	}

	interface Job {

	}

	static class WithoutLock {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(recoverWithin = "2h")
		void report() {
		}

	}

	static class LazyJob {

		@Bean
		@Lazy
		Job job() {
			return new JobOfUnknownClass();
		}

	}

	static class JobOfUnknownClass implements Job {

		@Scheduled(cron = "0/10 * * * * *")
		@DistributedLock("lazy")
		void run() {
		}

	}

	public static class PublisherJob {

		private int calls;

		public int calls() {
			return ++this.calls;
		}

		@Scheduled(cron = "0/10 * * * * *")
		@DistributedLock("run #{#root.target.calls()}")
		public Mono<Void> run() {
			return Mono.empty();
		}

	}

}
