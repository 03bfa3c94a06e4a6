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

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Schedule}.
 */
class ScheduleTests {

	@Test
	void theSameSeedGivesTheSameOrder() {
		assertThat(orderOf(7)).isEqualTo(orderOf(7));
	}

	@Test
	void seedsGiveEveryOrderOfTwoLanesButKeepTheOrderOfEach() {
		TreeSet<String> orders = new TreeSet<>();
		for (long seed = 0; seed < 200; seed++) {
			orders.add(orderOf(seed));
		}
		assertThat(orders).containsExactly("a1a2b1b2", "a1b1a2b2", "a1b1b2a2", "b1a1a2b2", "b1a1b2a2", "b1b2a1a2");
	}

	@Test
	void aPoolHasNoOrder() {
		TreeSet<String> orders = new TreeSet<>();
		for (long seed = 0; seed < 100; seed++) {
			Schedule schedule = new Schedule(seed);
			Lane pool = schedule.pool("pool");
			StringBuilder order = new StringBuilder();
			for (String name : List.of("a", "b", "c")) {
				pool.run(name, () -> order.append(name));
			}
			schedule.runFor(TimeUnit.SECONDS.toNanos(1));
			orders.add(order.toString());
		}
		assertThat(orders).containsExactly("abc", "acb", "bac", "bca", "cab", "cba");
	}

	@Test
	void timersRunInTheirOrderAndNotBeforeTheirTime() {
		Schedule schedule = new Schedule(3);
		Lane timer = schedule.lane("timer");
		List<String> ran = new ArrayList<>();
		long start = schedule.now();
		timer.after(20_000_000, "later", () -> ran.add("later " + (schedule.now() - start >= 20_000_000)));
		timer.after(10_000_000, "sooner", () -> ran.add("sooner " + (schedule.now() - start >= 10_000_000)));
		timer.after(15_000_000, "never", () -> ran.add("never")).cancel();
		schedule.runFor(TimeUnit.SECONDS.toNanos(1));
		assertThat(ran).containsExactly("sooner true", "later true");
	}

	@Test
	void whatIsPausedRunsLaterAndWhatIsStoppedNever() {
		Schedule schedule = new Schedule(3);
		List<String> ran = new ArrayList<>();
		Lane paused = schedule.lane("paused");
		paused.run("late", () -> ran.add("late"));
		paused.pause();
		Lane stopped = schedule.lane("stopped");
		stopped.run("never", () -> ran.add("never"));
		stopped.stop();
		schedule.lane("other").after(1_000_000, "first", () -> ran.add("first"));
		schedule.runFor(TimeUnit.SECONDS.toNanos(1));
		paused.resume();
		schedule.runFor(TimeUnit.SECONDS.toNanos(1));
		assertThat(ran).containsExactly("first", "late");
	}

	private String orderOf(long seed) {
		Schedule schedule = new Schedule(seed);
		StringBuilder order = new StringBuilder();
		for (String name : List.of("a", "b")) {
			Lane lane = schedule.lane(name);
			lane.run("1", () -> order.append(name).append(1));
			lane.run("2", () -> order.append(name).append(2));
		}
		schedule.runFor(TimeUnit.SECONDS.toNanos(1));
		return order.toString();
	}

}
