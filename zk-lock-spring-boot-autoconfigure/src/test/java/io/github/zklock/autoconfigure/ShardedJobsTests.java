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
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.zklock.autoconfigure.ShardBeans.Sharded;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Jobs whose ticks are split into shards, with locks in memory.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShardedJobsTests {

	private static final Duration ONE_TICK = Duration.ofSeconds(10);

	private static final Instant TEN = Instant.parse("2026-10-05T10:00:00Z");

	private static final Integer[] ALL = IntStream.range(0, 8).boxed().toArray(Integer[]::new);

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final InMemoryLockProvider other = this.locks.another("other");

	private final TickNode node = new TickNode(this.locks);

	@Test
	void eachShardRunsOnceInTheClusterAndIsListed() {
		TickNode late = new TickNode(this.other);
		this.node.application(Sharded.class).run((first) -> late.application(Sharded.class).run((second) -> {
			this.node.advance(ONE_TICK);
			late.advance(ONE_TICK);
			assertThat(first.getBean(Sharded.class).shards()).containsExactlyInAnyOrder(ALL);
			assertThat(second.getBean(Sharded.class).shards()).isEmpty();
			LockJob job = second.getBean(LockJobs.class).get("reindex");
			assertThat(job.shards()).isEqualTo(8);
			assertThat(job.runs()).extracting(LockJob.Run::shard).containsExactlyInAnyOrder(ALL);
			assertThat(job.runs()).allSatisfy((run) -> {
				assertThat(run.time()).isEqualTo(TEN);
				assertThat(run.outcome()).isEqualTo(Outcome.DONE);
			});
		}));
	}

	@Test
	void nodesShareTheShardsOfATick() {
		this.node.application(Sharded.class).run((context) -> {
			split(TEN, 8);
			for (int shard : new int[] { 2, 5 }) {
				shard(LockTick.at("reindex", TEN).withShard(shard, 8)).release();
			}
			LockHandle running = shard(LockTick.at("reindex", TEN).withShard(7, 8));
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Sharded.class).shards()).containsExactlyInAnyOrder(0, 1, 3, 4, 6);
			running.release();
		});
	}

	@Test
	void plainCallOfTheKeyExcludesTheJobAndTheJobExcludesIt() {
		this.node.application(Sharded.class).run((context) -> {
			LockHandle plain = this.other.acquire(LockRequest.of("reindex").withOwner("plain"));
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Sharded.class).shards()).isEmpty();
			plain.release();
			LockRequest free = LockRequest.of("reindex").withWait(Duration.ZERO);
			context.getBean(Sharded.class)
				.during((shard) -> assertThatExceptionOfType(LockNotAcquiredException.class)
					.isThrownBy(() -> this.other.acquire(free)));
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Sharded.class).shards()).containsExactlyInAnyOrder(ALL);
			this.other.acquire(free).release();
		});
	}

	@Test
	void callOfTheMethodByCodeIsNoShard() {
		this.node.application(ShardBeans.Plain.class).run((context) -> {
			ShardBeans.Plain job = context.getBean(ShardBeans.Plain.class);
			job.reindex();
			assertThat(job.ticks()).containsExactly("none");
			assertThat(this.node.requests()).singleElement()
				.extracting(LockRequest::mode)
				.isEqualTo(LockMode.EXCLUSIVE);
		});
	}

	@Test
	void nodeWithAnotherNumberSkipsTheTickWithOneWarning(CapturedOutput output) {
		TickNode old = new TickNode(this.other);
		this.node.application(Sharded.class)
			.run((first) -> old.application(Sharded.class).withPropertyValues("app.shards=4").run((second) -> {
				for (int tick = 0; tick < 3; tick++) {
					this.node.advance(ONE_TICK);
					old.advance(ONE_TICK);
				}
				assertThat(first.getBean(Sharded.class).shards()).hasSize(24);
				assertThat(second.getBean(Sharded.class).shards()).isEmpty();
			}));
		assertThat(output.getAll().lines().filter((line) -> line.contains("runs it with shards = 8"))).singleElement()
			.asString()
			.contains("WARN", "skips the tick " + TEN, "which has shards = 4");
	}

	@Test
	void tickThatANodeWithoutShardsHasRunIsSkipped(CapturedOutput output) {
		this.node.application(Sharded.class).run((context) -> {
			this.other.acquire(LockRequest.of("reindex").withTick(LockTick.at("reindex", TEN))).release();
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(Sharded.class).shards()).isEmpty();
		});
		assertThat(output).contains("another node runs it with no shards");
	}

	@Test
	void pauseStopsTheShardsThatHaveNotBegun() {
		this.node.application(Sharded.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			Sharded job = context.getBean(Sharded.class);
			job.during((shard) -> jobs.pause("reindex", "admin"));
			this.node.advance(ONE_TICK);
			assertThat(job.shards()).hasSize(1);
			this.node.advance(ONE_TICK);
			assertThat(job.shards()).hasSize(1);
			assertThat(jobs.get("reindex").pausedBy()).isEqualTo("admin");
			jobs.resume("reindex");
			job.during((shard) -> {
			});
			this.node.advance(ONE_TICK);
			assertThat(job.shards()).hasSize(9);
		});
	}

	@Test
	void runByHandIsForAllShardsOrForOne() {
		this.node.application(Sharded.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			Sharded job = context.getBean(Sharded.class);
			jobs.pause("reindex", null);
			assertThat(run(jobs.run("reindex"))).succeedsWithin(Duration.ZERO);
			assertThat(job.shards()).containsExactlyInAnyOrder(ALL);
			assertThat(run(jobs.run("reindex", 3))).succeedsWithin(Duration.ZERO);
			assertThat(job.shards()).hasSize(9).endsWith(3);
			assertThat(jobs.get("reindex").runs()).hasSize(9).allMatch(LockJob.Run::byHand);
			assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> jobs.run("reindex", 8))
				.withMessageContaining("the shards 0 to 7");
		});
	}

	@Test
	void runByHandOfATakenShardIsRefused() {
		this.node.application(Sharded.class).run((context) -> {
			LockJobs jobs = context.getBean(LockJobs.class);
			LockHandle running = shard(LockTick.at("reindex", TEN).byHand().withShard(3, 8));
			assertThat(run(jobs.run("reindex", 3))).failsWithin(Duration.ZERO)
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class);
			assertThat(run(jobs.run("reindex"))).succeedsWithin(Duration.ZERO);
			assertThat(context.getBean(Sharded.class).shards()).hasSize(7).doesNotContain(3);
			running.release();
		});
	}

	@Test
	void shardThatFailsKeepsNoOtherFromRunning() {
		this.node.application(Sharded.class).run((context) -> {
			Sharded job = context.getBean(Sharded.class);
			job.during((shard) -> {
				if (shard == 3) {
					throw new IllegalStateException("shard 3");
				}
			});
			assertThatIllegalStateException().isThrownBy(() -> this.node.advance(ONE_TICK)).withMessage("shard 3");
			assertThat(job.shards()).containsExactlyInAnyOrder(ALL);
			assertThat(context.getBean(LockJobs.class).get("reindex").runs()).filteredOn("outcome", Outcome.FAILED)
				.extracting(LockJob.Run::shard)
				.containsExactly(3);
		});
	}

	@Test
	void retryRepeatsOnlyTheShardThatFailed() {
		this.node.application(ShardBeans.Retried.class, TickBeans.RetryOutside.class).run((context) -> {
			this.node.advance(ONE_TICK);
			assertThat(context.getBean(ShardBeans.Retried.class).shards()).hasSize(5).containsOnlyOnce(0, 1, 3);
		});
	}

	@Test
	void shardThatDiedRunsAgainOnAnotherNode() {
		this.node.application(ShardBeans.Recovered.class).run((context) -> {
			ShardBeans.Recovered job = context.getBean(ShardBeans.Recovered.class);
			split(TEN, 8);
			shard(LockTick.at("reindex", TEN).withMaxAttempts(3).withShard(5, 8));
			this.node.advance(ONE_TICK.multipliedBy(2));
			assertThat(job.shards()).hasSize(14).doesNotContain(5);
			this.other.loseAll();
			this.node.locks.holdersAreGone();
			this.node.advance(Duration.ofSeconds(2));
			assertThat(job.runs()).filteredOn((run) -> run.startsWith("5 "))
				.containsExactly("5 " + TEN + " 2", "5 " + TEN.plusSeconds(10) + " 1");
			assertThat(job.shards()).hasSize(16);
		});
	}

	@Test
	void eachShardThatDiedWaitsForAPlainCall() {
		this.node.application(ShardBeans.Recovered.class).run((context) -> {
			ShardBeans.Recovered job = context.getBean(ShardBeans.Recovered.class);
			split(TEN, 8);
			for (int shard : new int[] { 5, 6 }) {
				shard(LockTick.at("reindex", TEN).withMaxAttempts(3).withShard(shard, 8));
			}
			this.node.advance(ONE_TICK);
			LockHandle plain = this.locks.another("plain").acquire(LockRequest.of("reindex").withOwner("plain"));
			this.other.loseAll();
			this.node.locks.holdersAreGone();
			this.node.advance(Duration.ofSeconds(3));
			assertThat(job.shards()).doesNotContain(5, 6);
			plain.release();
			this.node.locks.holdersAreGone();
			this.node.advance(Duration.ofSeconds(30));
			assertThat(job.runs()).contains("5 " + TEN + " 2", "6 " + TEN + " 2");
		});
	}

	@Test
	void shardThatIsShutDownInTheMiddleLeavesTheOthersToOtherNodes() {
		TickNode second = new TickNode(this.other);
		this.node.application(ShardBeans.Recovered.class)
			.run((one) -> second.application(ShardBeans.Recovered.class).run((two) -> {
				one.getBean(ShardBeans.Recovered.class).during((shard) -> Thread.currentThread().interrupt());
				this.node.advance(ONE_TICK);
				assertThat(Thread.interrupted()).isTrue();
				assertThat(one.getBean(ShardBeans.Recovered.class).shards()).hasSize(1);
				second.advance(ONE_TICK);
				assertThat(two.getBean(ShardBeans.Recovered.class).shards()).containsExactlyInAnyOrder(ALL);
			}));
	}

	@Test
	void nodeThatIsClosedTakesNoFurtherShard() {
		this.node.application(Sharded.class).run((context) -> {
			Sharded job = context.getBean(Sharded.class);
			job.during((shard) -> context.close());
			this.node.advance(ONE_TICK);
			assertThat(job.shards()).hasSize(1);
		});
	}

	@Test
	void outageEndsTheShardsOfATickOnThisNodeAndTheNextTickRuns() {
		InMemoryLockTesting testing = new InMemoryLockTesting(this.locks);
		this.node.application(Sharded.class).run((context) -> {
			Sharded job = context.getBean(Sharded.class);
			List<InMemoryLockTesting.Outage> outages = new ArrayList<>();
			job.during((shard) -> outages.add(testing.interruptConnection()));
			this.node.advance(ONE_TICK);
			assertThat(job.shards()).hasSize(1);
			outages.get(0).close();
			job.during((shard) -> {
			});
			this.node.advance(ONE_TICK);
			assertThat(job.shards()).hasSize(9);
		});
	}

	@Test
	void shardsThatAnOutageRefusedAreMadeUpFor() {
		InMemoryLockTesting testing = new InMemoryLockTesting(this.locks);
		this.node.application(ShardBeans.Recovered.class).run((context) -> {
			ShardBeans.Recovered job = context.getBean(ShardBeans.Recovered.class);
			this.node.advance(ONE_TICK);
			List<InMemoryLockTesting.Outage> outages = new ArrayList<>();
			job.during((shard) -> outages.add(testing.interruptConnection()));
			this.node.advance(ONE_TICK);
			assertThat(job.shards()).hasSize(9);
			job.during((shard) -> {
			});
			outages.get(0).close();
			this.node.locks.holdersAreGone();
			this.node.advance(ONE_TICK.minusSeconds(1));
			assertThat(job.runs()).filteredOn((run) -> run.contains(TEN.plusSeconds(10).toString())).hasSize(8);
		});
	}

	// The first node that is connected again holds the key of the job for long.
	@Test
	void nodeThatAnOutageRefusedTakesShardsWhileAnotherNodeDoes() {
		InMemoryLockTesting testing = new InMemoryLockTesting(this.locks);
		this.node.application(ShardBeans.Recovered.class).run((context) -> {
			ShardBeans.Recovered job = context.getBean(ShardBeans.Recovered.class);
			this.node.advance(ONE_TICK);
			try (InMemoryLockTesting.Outage outage = testing.interruptConnection()) {
				this.node.advance(ONE_TICK);
			}
			assertThat(job.shards()).hasSize(8);
			this.node.locks.holdersAreGone((key) -> !key.equals("reindex"));
			this.node.advance(ONE_TICK.minusSeconds(1));
			assertThat(job.runs()).filteredOn((run) -> run.contains(TEN.plusSeconds(10).toString())).hasSize(8);
		});
	}

	private CompletableFuture<Void> run(CompletableFuture<Void> begun) {
		this.node.advance(Duration.ZERO);
		return begun;
	}

	private void split(Instant tick, int shards) {
		this.other
			.acquire(LockRequest.of("reindex")
				.withMode(LockMode.READ)
				.withOwner(new Object())
				.withTick(LockTick.at("reindex", tick).withShard(0, shards)))
			.release();
	}

	private LockHandle shard(LockTick tick) {
		return Objects.requireNonNull(
				this.other.acquire(LockRequest.of("reindex#" + tick.shard()).withOwner(new Object()).withTick(tick)));
	}

}
