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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which jobs make up for ticks, and what a look for a missed tick does not do.
 */
class RecoverySettingsTests {

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private final TickNode node = new TickNode(new InMemoryLockProvider());

	@Test
	void ticksHaveAttemptsAndNodeLooksOnceForAMissedTick() {
		this.node.application(Jobs.class).run((context) -> {
			this.node.advance(ONE_TICK);
			assertThat(this.node.requests()).hasSize(2)
				.allSatisfy((request) -> assertThat(request.tick().maxAttempts()).isEqualTo(3));
			assertThat(this.node.requests().get(0).tick().isRecovery()).isTrue();
			assertThat(this.node.requests().get(1).tick().isRecovery()).isFalse();
		});
		assertThat(this.node.locks.events()).endsWith("forget");
	}

	@Test
	void propertiesDecideOverTheAnnotation() {
		this.node.application(Jobs.class)
			.withPropertyValues("zk-lock.locks.job.recover-within=0", "zk-lock.locks.job.max-attempts=5")
			.run((context) -> {
				this.node.advance(ONE_TICK);
				assertThat(this.node.requests()).singleElement()
					.satisfies((request) -> assertThat(request.tick().maxAttempts()).isEqualTo(1));
			});
		TickNode other = new TickNode(new InMemoryLockProvider());
		other.application(TickBeans.CronJob.class)
			.withPropertyValues("zk-lock.locks.cron-job-report.recover-within=1h",
					"zk-lock.locks.cron-job-report.max-attempts=5")
			.run((context) -> {
				other.advance(ONE_TICK);
				assertThat(other.requests()).hasSize(2)
					.extracting((LockRequest request) -> request.tick().maxAttempts())
					.containsOnly(5);
			});
	}

	@Test
	void lookForAMissedTickDoesNotRunAMethodWithoutItsLock() {
		this.node.application(Jobs.class).withPropertyValues("zk-lock.locks.job.unguarded=true").run((context) -> {
			this.node.advance(Duration.ofSeconds(1));
			assertThat(context.getBean(Jobs.class).runs()).isEqualTo(0);
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Jobs.class).runs()).isEqualTo(1);
		});
		TickNode other = new TickNode(new InMemoryLockProvider());
		other.application(Conditional.class).run((context) -> {
			other.advance(Duration.ofSeconds(1));
			assertThat(context.getBean(Conditional.class).runs()).isEqualTo(0);
		});
	}

	@Test
	void nodeWatchesTheHolderOfATakenKeyOnce() {
		this.node.application(Jobs.class).run((context) -> {
			this.node.locks.acquire(LockRequest.of("job").withOwner("another"));
			for (int i = 0; i < 3; i++) {
				this.node.advance(ONE_TICK);
			}
			assertThat(this.node.locks.events()).containsOnlyOnce("watch job");
			assertThat(context.getBean(Jobs.class).runs()).isEqualTo(0);
		});
	}

	@ParameterizedTest
	@CsvSource({ "periodic, no @Scheduled(cron = ...)", "off, its runs are no ticks", "publisher, returns a publisher",
			"number, there is no empty value", "text, which is not a duration",
			"negative, the negative recoverWithin" })
	void methodThatCannotMakeUpForTicksStopsTheStart(String name, String problem) {
		Class<?> type = switch (name) {
			case "periodic" -> Periodic.class;
			case "off" -> Off.class;
			case "publisher" -> Publisher.class;
			case "number" -> Number.class;
			case "text" -> Text.class;
			default -> Negative.class;
		};
		this.node.application(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining(problem));
	}

	@ParameterizedTest
	@CsvSource({ "0", "1000" })
	void numberOfAttemptsThatIsNoneStopsTheStart(int attempts) {
		this.node.application(Jobs.class)
			.withPropertyValues("zk-lock.locks.job.max-attempts=" + attempts)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("has max-attempts = " + attempts));
	}

	static class Jobs extends TickBeans.Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(recoverWithin = "${app.recover:2h}")
		@DistributedLock(key = "job", name = "job")
		void run() {
			this.runs.incrementAndGet();
		}

	}

	static class Conditional extends TickBeans.Counting {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock(key = "job", condition = "false")
		void run() {
			this.runs.incrementAndGet();
		}

	}

	static class Periodic {

		@Scheduled(fixedRate = 10_000)
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock("job")
		void run() {
		}

	}

	static class Off {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(enabled = false, recoverWithin = "2h")
		@DistributedLock("job")
		void run() {
		}

	}

	static class Publisher {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock("job")
		Mono<Void> run() {
			return Mono.empty();
		}

	}

	static class Number {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock(key = "job", onNotAcquired = NotAcquiredPolicy.THROW)
		int run() {
			return 1;
		}

	}

	static class Text {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(recoverWithin = "soon")
		@DistributedLock("job")
		void run() {
		}

	}

	static class Negative {

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS)
		@OncePerTick(recoverWithin = "-1h")
		@DistributedLock("job")
		void run() {
		}

	}

}
