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

package io.github.zklock.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;

/**
 * What a caller asks for: a seed decides.
 */
final class CallerRequests {

	static final Duration FOREVER = Duration.ofDays(10_000);

	/** The time between two planned runs. */
	private static final long PERIOD_MILLIS = 60;

	private final String name;

	private final int client;

	private final World world;

	private final SplittableRandom random;

	CallerRequests(String name, int client, World world, SplittableRandom random) {
		this.name = name;
		this.client = client;
		this.world = world;
		this.random = random;
	}

	/**
	 * Return another request for a key.
	 */
	LockRequest next(KeyPlan plan) {
		LockRequest request = LockRequest.of(plan.key())
			.withOwner(this.name)
			.withName(this.name.replace('.', '-'))
			.withWait(waitTime());
		return switch (plan.use()) {
			case EXCLUSIVE ->
				variant(request.withMode((this.random.nextInt(4) == 0) ? LockMode.WRITE : LockMode.EXCLUSIVE), plan);
			case SHARED ->
				variant(request.withMode((this.random.nextInt(3) > 0) ? LockMode.READ : LockMode.WRITE), plan);
			case PERMITS -> request.withPermits(plan.permits());
			case CACHED -> request.withCache(true);
			case NUMBERS -> request.withPermits(number(plan));
			case TICK -> isWithoutRun() ? request : planned(request, LockTick.at("job", planned(), call()));
			case PERIODIC -> planned(request, LockTick.every("job", Duration.ofMillis(PERIOD_MILLIS), call()));
		};
	}

	private LockRequest planned(LockRequest request, LockTick tick) {
		if (this.world.setup().drill() == Drill.ATTEMPTS) {
			return request.withTick(tick.withMaxAttempts(3));
		}
		if (splits() && tick.time() != null) {
			return request.withMode(LockMode.READ).withTick(tick.withShard(0, 8));
		}
		boolean byHand = this.world.setup().drill() == Drill.PAUSES && this.random.nextInt(5) == 0;
		return request.withTick(byHand ? tick.byHand() : tick);
	}

	// In some worlds, most clients split the ticks into shards.
	private boolean splits() {
		return this.world.setup().drill() == Drill.NONE && Math.floorMod(this.world.setup().seed(), 4) == 1
				&& this.client % 3 != 2;
	}

	private boolean isWithoutRun() {
		Drill drill = this.world.setup().drill();
		return drill == Drill.RECOVERY || (drill == Drill.RUNS && this.random.nextInt(4) > 0);
	}

	// Mostly the number of the client, as after a deployment that has changed it.
	private int number(KeyPlan plan) {
		int place = this.client + ((this.random.nextInt(3) == 0) ? 1 : 0);
		return (place % 2 == 0) ? plan.permits() : 1 + this.random.nextInt(2);
	}

	private LockRequest variant(LockRequest request, KeyPlan plan) {
		if (plan.atLeastMillis() > 0 && this.world.setup().drill().keeps(this.client, this.random)) {
			return request.withLockAtLeastFor(Duration.ofMillis(plan.atLeastMillis()));
		}
		return request.withCache(plan.cache() && this.random.nextInt(5) > 0);
	}

	private Duration waitTime() {
		if (this.world.setup().drill().waitsForEver()) {
			return FOREVER;
		}
		return switch (this.random.nextInt(8)) {
			case 0, 1 -> Duration.ZERO;
			case 2, 3 -> Duration.ofMillis(1 + this.random.nextInt(300));
			case 4, 5 -> Duration.ofMillis(2000);
			default -> FOREVER;
		};
	}

	private Instant planned() {
		// The clock of one client of a world may be ahead.
		long period = (this.world.setup().drill() == Drill.ATTEMPTS) ? 3L * this.world.setup().timeoutMillis()
				: PERIOD_MILLIS;
		long ahead = (this.client == this.world.setup().scheduleSeed() % 4) ? PERIOD_MILLIS / 2 : 0;
		long millis = TimeUnit.NANOSECONDS.toMillis(this.world.schedule().now()) + ahead;
		return Instant.EPOCH.plusMillis(millis / period * period);
	}

	private String call() {
		return Long.toHexString(this.random.nextLong());
	}

}
