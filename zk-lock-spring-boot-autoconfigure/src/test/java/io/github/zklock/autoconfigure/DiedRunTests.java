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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OncePerTick;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The runner of a tick dies. When its session ends, later ticks have come due.
 */
@ExtendWith(OutputCaptureExtension.class)
class DiedRunTests {

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private static final Duration MOMENT = Duration.ofSeconds(2);

	private static final Instant TEN = Instant.parse("2026-10-05T10:00:00Z");

	private static final String SCHEDULE = Job.class.getName() + ".report";

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final InMemoryLockProvider dead = this.locks.another("dead");

	private final TickNode node = new TickNode(this.locks);

	@Test
	void tickThatDiedRunsAgainAndThenTheLatestOfTheLaterTicks(CapturedOutput output) {
		this.node.application(Job.class).run((context) -> {
			Job job = context.getBean(Job.class);
			begin(TEN);
			this.node.advance(ONE_TICK.multipliedBy(3));
			assertThat(job.runs()).isEmpty();
			sessionEnds();
			assertThat(job.runs()).containsExactly(TEN + " 2", TEN.plusSeconds(20) + " 1");
			assertThat(context.getBean(LockJobs.class).get("job-report").runs()).extracting("outcome")
				.containsExactly(Outcome.DONE, Outcome.DONE, Outcome.LOST);
			this.node.advance(ONE_TICK);
			assertThat(job.runs()).hasSize(3).endsWith(TEN.plusSeconds(30) + " 1");
		});
		assertThat(output.getAll().lines().filter((line) -> line.contains("makes up for the tick"))).satisfiesExactly(
				(first) -> assertThat(first).contains("INFO")
					.contains(TEN + " with attempt 2: its run on dead has died"),
				(latest) -> assertThat(latest).contains(TEN.plusSeconds(20) + ", which no node has run"));
	}

	@Test
	void tickThatDiedRunsOnceMoreIfItIsTheLatest() {
		this.node.application(Job.class).run((context) -> {
			begin(TEN);
			this.node.advance(ONE_TICK);
			sessionEnds();
			assertThat(context.getBean(Job.class).runs()).containsExactly(TEN + " 2");
			assertThat(this.node.requests()).filteredOn((request) -> request.tick().isRecovery()).hasSize(1);
		});
	}

	@Test
	void tickThatDiedRunsOnceMoreInAContextBelowAnotherOne() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
			.withBean(LockProvider.class, () -> this.locks)
			.run((above) -> this.node.application(Job.class).withParent(above).run((context) -> {
				// The look at the start has nothing to wait for.
				this.node.advance(MOMENT);
				begin(TEN);
				this.node.advance(ONE_TICK);
				sessionEnds();
				assertThat(context.getBean(Job.class).runs()).containsExactly(TEN + " 2");
			}));
	}

	@Test
	void tickThatDiesAgainOnAnotherNodeRunsAgainBeforeTheLaterTicks() {
		this.node.application(Job.class).run((context) -> {
			begin(TEN);
			this.node.advance(ONE_TICK.multipliedBy(3));
			this.dead.loseAll();
			begin(TEN);
			this.node.locks.holdersAreGone();
			this.node.advance(MOMENT);
			assertThat(context.getBean(Job.class).runs()).isEmpty();
			sessionEnds();
			assertThat(context.getBean(Job.class).runs()).containsExactly(TEN + " 3", TEN.plusSeconds(20) + " 1");
		});
	}

	@Test
	void tickThatBeginsBeforeTheLookDoesNotOvertakeTheTickThatDied() {
		this.node.application(Job.class).run((context) -> {
			begin(TEN);
			this.node.advance(ONE_TICK);
			this.dead.loseAll();
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Job.class).runs()).isEmpty();
			sessionEnds();
			assertThat(context.getBean(Job.class).runs()).containsExactly(TEN + " 2", TEN.plusSeconds(10) + " 1");
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Job.class).runs()).hasSize(3).endsWith(TEN.plusSeconds(20) + " 1");
		});
	}

	@Test
	void tickThatBeginsBeforeTheLookDoesNotHideThatAllAttemptsHaveDied(CapturedOutput output) {
		this.node.application(Job.class).run((context) -> {
			for (int attempt = 1; attempt <= 3; attempt++) {
				begin(TEN);
				this.node.advance((attempt == 1) ? ONE_TICK : Duration.ZERO);
				this.dead.loseAll();
			}
			this.node.advance(ONE_TICK);
			sessionEnds();
			assertThat(context.getBean(Job.class).runs()).containsExactly(TEN.plusSeconds(10) + " 1");
		});
		assertThat(output.getAll().lines().filter((line) -> line.contains("gives up"))).singleElement()
			.asString()
			.contains("ERROR");
	}

	@Test
	void tickThatDiedInAPauseRunsAgainWhenItEnds() {
		this.node.application(Job.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			Job job = context.getBean(Job.class);
			begin(TEN);
			jobs.pause("job-report", "admin");
			this.dead.loseAll();
			this.node.advance(ONE_TICK.multipliedBy(5));
			assertThat(job.runs()).isEmpty();
			assertThat(this.node.locks.events()).filteredOn(("watch " + SCHEDULE)::equals).hasSize(1);
			jobs.resume("job-report");
			Awaitility.await().pollInSameThread().until(() -> {
				this.node.advance(Duration.ZERO);
				return job.runs().contains(TEN + " 2");
			});
		});
	}

	@Test
	void tickWhoseAttemptsHaveAllDiedIsReportedAndTheLatestTickRuns(CapturedOutput output) {
		this.node.application(Job.class).run((context) -> {
			begin(TEN);
			this.dead.loseAll();
			begin(TEN);
			this.dead.loseAll();
			begin(TEN);
			this.node.advance(ONE_TICK.multipliedBy(3));
			sessionEnds();
			assertThat(context.getBean(Job.class).runs()).containsExactly(TEN.plusSeconds(20) + " 1");
		});
		assertThat(output.getAll().lines().filter((line) -> line.contains("gives up"))).singleElement()
			.asString()
			.contains("ERROR");
	}

	@Test
	void tickThatDiedTooLongAgoIsLeftAndTheLatestTickRuns() {
		this.node.application(Job.class)
			.withPropertyValues("zk-lock.locks.job-report.recover-within=15s")
			.run((context) -> {
				begin(TEN);
				this.node.advance(ONE_TICK.multipliedBy(3));
				sessionEnds();
				assertThat(context.getBean(Job.class).runs()).containsExactly(TEN.plusSeconds(20) + " 1");
			});
	}

	@Test
	void tickOfANodeWhoseClockIsAheadRunsAgainWhenItIsDueHere() {
		begin(TEN);
		this.dead.loseAll();
		this.node.application(Job.class).run((context) -> {
			this.node.advance(MOMENT);
			assertThat(context.getBean(Job.class).runs()).isEmpty();
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Job.class).runs()).containsExactly(TEN + " 2");
		});
	}

	@Test
	void tickWhoseLockIsLostRunsAgainOnTheSameNode() {
		this.node.application(Job.class).run((context) -> {
			Job job = context.getBean(Job.class);
			job.onFirstRun(this.locks::loseAll);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.node.advance(ONE_TICK));
			assertThat(job.runs()).containsExactly(TEN + " 1");
			this.node.locks.holdersAreGone();
			this.node.advance(MOMENT);
			assertThat(job.runs()).containsExactly(TEN + " 1", TEN + " 2");
		});
	}

	@Test
	void runByHandDoesNotHideTheTickThatDied() {
		this.node.application(Job.class).run((context) -> {
			begin(TEN);
			this.node.advance(ONE_TICK.multipliedBy(3));
			this.dead.loseAll();
			acquire(LockTick.at(SCHEDULE, TEN.plusSeconds(25)).byHand()).release();
			sessionEnds();
			assertThat(context.getBean(Job.class).runs()).containsExactly(TEN + " 2", TEN.plusSeconds(20) + " 1");
		});
	}

	private void begin(Instant tick) {
		acquire(LockTick.at(SCHEDULE, tick).withMaxAttempts(3));
	}

	private void sessionEnds() {
		this.dead.loseAll();
		this.node.locks.holdersAreGone();
		this.node.advance(MOMENT);
	}

	// A thread that knows a lost lock gets no other.
	private LockHandle acquire(LockTick tick) {
		return this.dead.acquire(LockRequest.of("report").withOwner(new Object()).withTick(tick));
	}

	static class Job {

		private final List<String> runs = new ArrayList<>();

		private Runnable onFirstRun = () -> {
		};

		List<String> runs() {
			return this.runs;
		}

		void onFirstRun(Runnable action) {
			this.onFirstRun = action;
		}

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@OncePerTick(recoverWithin = "2h")
		@DistributedLock("report")
		void report() {
			LockTick tick = Objects.requireNonNull(LockTick.current(), "The run is no tick");
			this.runs.add(tick.time() + " " + tick.attempt());
			if (this.runs.size() == 1) {
				this.onFirstRun.run();
			}
		}

	}

}
