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

import java.util.concurrent.TimeUnit;

/**
 * Plays schedules outside of a test: {@code SimulationMain FIRST_SEED COUNT} or
 * {@code SimulationMain FIRST_SEED 30s}. Ends with 1 when one breaks a promise. With
 * {@code -Dsimulation.trace=true} it prints the whole report then, and with
 * {@code -Dsimulation.drill=} it plays only schedules of that kind.
 */
public final class SimulationMain {

	private SimulationMain() {
	}

	public static void main(String[] args) {
		long seed = (args.length > 0) ? Long.parseLong(args[0]) : 1;
		String size = (args.length > 1) ? args[1] : "1000";
		boolean timed = size.endsWith("s");
		long count = timed ? Long.MAX_VALUE : Long.parseLong(size);
		long nanos = timed ? TimeUnit.SECONDS.toNanos(Long.parseLong(size.substring(0, size.length() - 1)))
				: Long.MAX_VALUE;
		Drill only = Drill.valueOf(System.getProperty("simulation.drill", Drill.NONE.name()));
		Campaign campaign = new Campaign(seed, count, nanos, only).run();
		Outcome broken = campaign.broken();
		if (broken != null) {
			System.out.println("seed " + broken.setup().seed() + ": " + broken.violation().getMessage());
			if (Boolean.getBoolean("simulation.trace")) {
				System.out.println(FailureReport.of(broken));
			}
			System.out.println(campaign);
			System.exit(1);
		}
		System.out.println(campaign);
		System.exit(0);
	}

}
