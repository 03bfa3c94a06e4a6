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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/**
 * A client of a schedule: a process, and the next one when that has ended.
 */
final class Client {

	private static final long ANSWERS = TimeUnit.MILLISECONDS.toNanos(200);

	private static final int MOST_BETWEEN_PINGS = 1000;

	private static final int LEAST_STANDING = 250;

	private static final int MOST_STANDING = 550;

	private static final long TOO_LATE = TimeUnit.MILLISECONDS.toNanos(21);

	private final World world;

	private final int index;

	private final List<Caller> callers = new ArrayList<>();

	private SimulatedProcess process;

	private int starts;

	private int[] left;

	private boolean ended;

	private boolean over;

	private @Nullable Runnable whenGranted;

	Client(World world, int index) {
		this.world = world;
		this.index = index;
		this.left = new int[world.setup().callers()];
		Arrays.setAll(this.left, (caller) -> world.setup().drill().operations(world.setup(), index, caller));
		start();
	}

	int index() {
		return this.index;
	}

	int starts() {
		return this.starts;
	}

	SimulatedProcess process() {
		return this.process;
	}

	private void start() {
		this.starts++;
		this.ended = false;
		String name = "c" + (this.index + 1) + ((this.starts > 1) ? "#" + this.starts : "");
		Setup setup = this.world.setup();
		this.process = new SimulatedProcess(this.world.schedule(), this.world.ensemble(), name, setup.timeoutMillis(),
				Setup.TICK_MILLIS, setup.servers(), setup.readOnly(), setup.fairness(), setup.awaitRelease());
		this.process.drift(setup.drill().drift(setup.randomOf(this.index, -this.starts)));
		this.callers.clear();
		for (int i = 0; i < this.left.length; i++) {
			this.callers.add(new Caller(this.world, this, this.process, i, this.left[i]));
		}
		if (setup.drill() == Drill.RECOVERY) {
			this.world.madeUp().start(this, this.process, this.callers.get(0));
		}
	}

	/**
	 * Do something once, at the next lock that one of its callers gets.
	 */
	void whenGranted(Runnable action) {
		this.whenGranted = action;
	}

	/**
	 * Let its only caller do nothing until shortly before the client would send a ping by
	 * itself, and the process perhaps stand still then.
	 * @return for how many nanoseconds the caller does nothing
	 */
	long rest(SplittableRandom random) {
		int ping = Math.min(this.world.setup().timeoutMillis() / 3, MOST_BETWEEN_PINGS);
		long rest = TimeUnit.MICROSECONDS.toNanos(1000L * (ping - 40) - random.nextInt(100 * ping));
		if (random.nextInt(4) > 0) {
			long standing = TimeUnit.MILLISECONDS.toNanos(random.nextInt(LEAST_STANDING, MOST_STANDING));
			SimulatedProcess resting = this.process;
			this.world.later(rest, resting.name() + " stands still", () -> {
				if (!resting.isPaused()) {
					resting.pause();
					this.world.later(standing, resting.name() + " goes on", resting::resume);
				}
			});
		}
		return rest + TOO_LATE;
	}

	boolean isWaitingFor(String key) {
		return this.callers.stream().anyMatch((caller) -> caller.isWaitingFor(key));
	}

	/**
	 * One of its callers has got a lock.
	 */
	void granted() {
		Runnable action = this.whenGranted;
		this.whenGranted = null;
		if (action != null) {
			action.run();
		}
	}

	boolean isFinished() {
		return !this.ended && !this.process.isClosing() && this.callers.stream().allMatch(Caller::isFinished);
	}

	List<String> activities() {
		return this.callers.stream().filter((caller) -> !caller.isFinished()).map(Caller::activity).toList();
	}

	/**
	 * End the process without notice, and start another one later.
	 */
	void crash(long nanos) {
		if (this.ended || this.over) {
			return;
		}
		this.ended = true;
		keepCount();
		this.callers.forEach(Caller::vanish);
		this.world.judge().gone(this.process);
		this.process.crash();
		this.world.later(nanos, "starts client " + (this.index + 1), this::start);
	}

	/**
	 * Shut the process down, and start another one later.
	 */
	void shutdown(Duration grace, long nanos) {
		if (this.ended || this.process.isClosing()) {
			return;
		}
		SimulatedProcess closing = this.process;
		closing.shutdown(grace)
			.thenRun(() -> this.world.later(Math.max(nanos, ANSWERS), "starts client " + (this.index + 1), () -> {
				if (!this.ended && this.process == closing) {
					if (!closing.isPaused() && !closing.isStalled()
							&& this.callers.stream().anyMatch(Caller::isWaiting)) {
						throw this.world.judge()
							.violated("liveness", "somebody waits in a process that is shut down: " + activities(),
									null);
					}
					keepCount();
					this.callers.forEach(Caller::vanish);
					this.world.judge().gone(closing);
					closing.crash();
					start();
				}
			}));
	}

	/**
	 * Shut the process down for good.
	 */
	CompletableFuture<Void> end() {
		// A crash that is still due must not start another process.
		this.over = true;
		return this.process.isClosing() ? CompletableFuture.completedFuture(null)
				: this.process.shutdown(Duration.ZERO);
	}

	private void keepCount() {
		for (int i = 0; i < this.left.length; i++) {
			this.left[i] = this.callers.get(i).left();
		}
	}

}
