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

package io.github.zklock.observation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.observation.internal.LockMetrics;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@ExtendWith(OutputCaptureExtension.class)
class LockMetricsTests {

	private static final LockRequest REQUEST = LockRequest.of("key").withName("orders").withMode(LockMode.READ);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LockMetrics metrics = new LockMetrics(this.registry);

	@Test
	void eachWayToFailHasAnOutcome() {
		fail(new LockNotAcquiredException(REQUEST, Duration.ofSeconds(2), null), "not_acquired");
		fail(new LockUnavailableException(REQUEST, Duration.ofSeconds(2), "it is down", null), "unavailable");
		fail(new LockInterruptedException(REQUEST, Duration.ofSeconds(2)), "interrupted");
		fail(new LockLostException("key", LockMode.READ, LockState.LOST), "lost");
		assertThat(this.registry.get("zk.lock.unavailable").counter().count()).isOne();
		assertThat(this.registry.get("zk.lock.waiting").gauge().value()).isZero();
		assertThat(this.registry.find("zk.lock.ticks.skipped").meters()).isEmpty();
		assertThat(this.registry.get("zk.lock.wait").tag("outcome", "not_acquired").timer().totalTime(TimeUnit.SECONDS))
			.isEqualTo(2);
	}

	@Test
	void cancelledRequestIsNotWaitingAnyMore() {
		LockTemplate locks = new LockTemplate(new Failing(null), List.of(this.metrics));
		CompletableFuture<LockHandle> waiting = locks.acquireAsync(List.of(REQUEST));
		assertThat(this.registry.get("zk.lock.waiting").gauge().value()).isOne();
		waiting.cancel(false);
		assertThat(this.registry.get("zk.lock.waiting").gauge().value()).isZero();
		assertThat(this.registry.get("zk.lock.wait").tag("outcome", "withdrawn").timer().count()).isOne();
	}

	@Test
	void lostLockIsNotHeldAndItsReleaseIsCountedForTheLoss() {
		InMemoryLockProvider provider = new InMemoryLockProvider();
		LockHandle handle = new LockTemplate(provider, List.of(this.metrics)).acquire(List.of(REQUEST));
		assertThat(this.registry.get("zk.lock.held").gauge().value()).isOne();
		provider.loseAll();
		assertThat(this.registry.get("zk.lock.held").gauge().value()).isZero();
		assertThat(this.registry.get("zk.lock.lost").counter().count()).isOne();
		handle.release();
		assertThat(this.registry.get("zk.lock.held").gauge().value()).isZero();
		assertThat(this.registry.get("zk.lock.hold").tag("outcome", "lost").timer().count()).isOne();
		assertThat(this.registry.get("zk.lock.hold").tag("outcome", "released").timer().count()).isZero();
	}

	@Test
	void modesOfOneNameHaveMetersOfTheirOwn() {
		LockTemplate locks = new LockTemplate(new NoOpLockProvider(), List.of(this.metrics));
		locks.execute(REQUEST, (handle) -> null);
		locks.execute(REQUEST.withMode(LockMode.WRITE), (handle) -> null);
		assertThat(this.registry.get("zk.lock.hold").tags("mode", "write", "outcome", "released").timer().count())
			.isOne();
		assertThat(this.registry.get("zk.lock.hold").tags("mode", "read", "outcome", "released").timer().count())
			.isOne();
		assertThat(this.registry.get("zk.lock.held").gauges()).extracting(Gauge::value).containsExactly(0.0, 0.0);
	}

	@Test
	void ticksAreRunOrSkipped() {
		LockRequest tick = LockRequest.of("key").withTick(LockTick.every("Jobs.report", Duration.ofHours(1)));
		LockTemplate running = new LockTemplate(new NoOpLockProvider(), List.of(this.metrics));
		running.execute(tick, (handle) -> null);
		running.execute(tick, (handle) -> null);
		LockNotAcquiredException refusal = new LockNotAcquiredException(tick, Duration.ZERO, null);
		LockTemplate refused = new LockTemplate(new Failing(refusal), List.of(this.metrics));
		refused.execute(tick, (handle) -> null, (failure) -> null);
		assertThat(this.registry.get("zk.lock.ticks.run").counter().count()).isEqualTo(2);
		assertThat(this.registry.get("zk.lock.ticks.skipped").counter().count()).isOne();
	}

	@Test
	void runsOfJobsAreCountedByTheirOutcome() {
		InMemoryLockProvider provider = new InMemoryLockProvider();
		LockTemplate locks = new LockTemplate(provider, List.of(this.metrics));
		locks.execute(tick(1), (handle) -> null);
		assertThat(catchThrowable(() -> locks.execute(tick(2), (handle) -> {
			throw new IllegalStateException("failed");
		}))).isInstanceOf(IllegalStateException.class);
		assertThat(catchThrowable(() -> locks.execute(tick(3), (handle) -> {
			throw new CancellationException();
		}))).isInstanceOf(CancellationException.class);
		locks.execute(tick(4), (handle) -> {
			provider.loseAll();
			return null;
		}, (failure) -> null);
		assertThat(runs("done")).isOne();
		assertThat(runs("failed")).isOne();
		assertThat(runs("interrupted")).isOne();
		assertThat(runs("lost")).isOne();
		assertThat(this.registry.get("zk.lock.job.recoveries").counter().count()).isZero();
		locks.execute(tick(4), (handle) -> null);
		assertThat(this.registry.get("zk.lock.job.recoveries").counter().count()).isOne();
		assertThat(runs("done")).isEqualTo(2);
	}

	@Test
	void splitOfATickIsNoRunAndNoSkip() {
		LockTick tick = LockTick.at("Jobs.report", Instant.parse("2026-10-05T10:00:00Z"));
		LockRequest split = LockRequest.of("key").withMode(LockMode.READ).withTick(tick.withShard(0, 8));
		new LockTemplate(new NoOpLockProvider(), List.of(this.metrics)).execute(split, (handle) -> null);
		LockNotAcquiredException refusal = LockNotAcquiredException.hasRun(split, Duration.ZERO, tick.withShard(0, 8),
				null);
		new LockTemplate(new Failing(refusal), List.of(this.metrics)).execute(split, (handle) -> null,
				(failure) -> null);
		assertThat(this.registry.get("zk.lock.ticks.run").counter().count()).isZero();
		assertThat(this.registry.get("zk.lock.ticks.skipped").counter().count()).isZero();
	}

	@Test
	void ticksThatAreGivenUpAreCountedFromZeroOn() {
		new LockTemplate(new NoOpLockProvider(), List.of(this.metrics)).execute(tick(1), (handle) -> null);
		Counter givenUp = this.registry.get("zk.lock.job.given.up").tag("name", "default").counter();
		assertThat(givenUp.count()).isZero();
		this.metrics.givenUp(tick(1));
		assertThat(givenUp.count()).isOne();
	}

	private static LockRequest tick(int minute) {
		LockTick tick = LockTick.at("Jobs.report", Instant.parse("2026-10-05T10:00:00Z").plusSeconds(60L * minute));
		return LockRequest.of("key").withOnLost(LossPolicy.IGNORE).withTick(tick.withMaxAttempts(3));
	}

	private double runs(String outcome) {
		return this.registry.get("zk.lock.job.runs").tags("name", "default", "outcome", outcome).counter().count();
	}

	@Test
	void nameOfTheRestMayBeUsedLikeAnyOther(CapturedOutput output) {
		new LockTemplate(new NoOpLockProvider(), List.of(this.metrics)).execute(REQUEST.withName(LockMetrics.OTHER),
				(handle) -> null);
		assertThat(output.toString()).doesNotContain("names of locks");
	}

	@Test
	void namesWithoutEndAreCountedTogether(CapturedOutput output) {
		LockTemplate locks = new LockTemplate(new NoOpLockProvider(), List.of(this.metrics));
		for (int i = 0; i < LockMetrics.MOST_NAMES; i++) {
			locks.execute(REQUEST.withName("name-" + i), (handle) -> null);
		}
		locks.execute(REQUEST.withName("one more"), (handle) -> null);
		int meters = this.registry.getMeters().size();
		locks.execute(REQUEST.withName("and another"), (handle) -> null);
		locks.execute(REQUEST.withName("name-0"), (handle) -> null);
		assertThat(this.registry.getMeters()).hasSize(meters);
		assertThat(this.registry.get("zk.lock.wait").tag("name", "other").tag("outcome", "acquired").timer().count())
			.isEqualTo(2);
		locks.execute(REQUEST.withName("a third").withMode(LockMode.WRITE), (handle) -> null);
		assertThat(StringUtils.countOccurrencesOf(output.toString(), "names of locks")).isEqualTo(1);
	}

	@Test
	void metersThatAreTurnedOffDoNoHarm() {
		this.registry.config().meterFilter(MeterFilter.denyNameStartsWith("zk.lock"));
		new LockTemplate(new NoOpLockProvider(), List.of(this.metrics)).execute(REQUEST, (handle) -> null);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	private void fail(LockException failure, String outcome) {
		LockTemplate locks = new LockTemplate(new Failing(failure), List.of(this.metrics));
		assertThat(catchThrowable(() -> locks.execute(REQUEST, (handle) -> null))).isSameAs(failure);
		assertThat(this.registry.get("zk.lock.wait")
			.tags("name", "orders", "mode", "read", "outcome", outcome)
			.timer()
			.count()).isOne();
	}

	private record Failing(LockException failure) implements LockProvider {

		@Override
		public LockHandle acquire(LockRequest request, AcquireContext context) {
			throw this.failure;
		}

		@Override
		public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
			return new CompletableFuture<>();
		}

	}

}
