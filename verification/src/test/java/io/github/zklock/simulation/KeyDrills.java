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
import java.util.SplittableRandom;

import io.github.zklock.simulation.Fault.Kind;
import io.github.zklock.simulation.KeyPlan.Use;

/**
 * The {@linkplain Drill kinds of schedules} that are about what is asked for one key.
 */
final class KeyDrills {

	private KeyDrills() {
	}

	static Setup of(int number, Setup drawn, SplittableRandom random) {
		return switch (number) {
			case 0 -> numbers(drawn, random);
			case 1 -> kept(drawn, random);
			case 2 -> stamps(drawn, random);
			case 3, 4 -> pauses(drawn, random);
			default -> attempts(drawn, random);
		};
	}

	// Who is to be refused may learn that late, over a slow link, and be first by then.
	private static Setup numbers(Setup drawn, SplittableRandom random) {
		KeyPlan key = new KeyPlan("k1", Use.NUMBERS, 3 + random.nextInt(2), 0, false);
		List<Fault> faults = new ArrayList<>();
		if (random.nextInt(3) > 0) {
			faults.add(new Fault(Kind.SLOW_LINK, random.nextInt(50), 1, 0, 300 + random.nextInt(1200)));
		}
		return drawn.as(Drill.NUMBERS, 3, 1 + random.nextInt(2), 6, List.of(key), drawn.servers(), faults);
	}

	// Nobody but who keeps a node asks whether it is there, or whether somebody waits.
	private static Setup kept(Setup drawn, SplittableRandom random) {
		Use use = (random.nextInt(3) > 0) ? Use.CACHED : Use.SHARED;
		boolean deleted = random.nextBoolean();
		List<Fault> faults = new ArrayList<>();
		int at = 0;
		for (int i = 1 + random.nextInt(2); i > 0; i--) {
			at += random.nextInt(1500);
			int client = random.nextInt(2);
			if (use == Use.CACHED || random.nextBoolean()) {
				faults.add(new Fault(Kind.LOSE_EVENT, at, client, 0, 1000));
			}
			if (deleted) {
				faults.add(new Fault(Kind.DELETE_NODE, at + random.nextInt(100), client, 0, 0));
			}
		}
		return drawn.as(Drill.KEPT, 2, 1, 18, List.of(new KeyPlan("k1", use, 1, 0, true)), drawn.servers(), faults);
	}

	private static Setup stamps(Setup drawn, SplittableRandom random) {
		Use use = (random.nextInt(3) > 0) ? Use.EXCLUSIVE : Use.SHARED;
		List<Fault> faults = new ArrayList<>();
		for (int i = 1 + random.nextInt(2); i > 0; i--) {
			faults.add(new Fault(Kind.LATE_STAMP, 30 + random.nextInt(100) + 600 * faults.size(), random.nextInt(3), 0,
					100 + random.nextInt(500)));
		}
		return drawn.as(Drill.STAMPS, 2 + random.nextInt(2), 2, 6, List.of(Drill.key(0, use, 20 + random.nextInt(280))),
				drawn.servers(), faults);
	}

	// Nothing but a crash keeps the end of a run from being written, in two of three.
	private static Setup attempts(Setup drawn, SplittableRandom random) {
		List<Fault> faults = new ArrayList<>((random.nextInt(3) == 0) ? drawn.faults() : List.of());
		for (int i = 2 + random.nextInt(4); i > 0; i--) {
			faults.add(new Fault(Kind.CRASH, random.nextInt(1000), random.nextInt(3), 0, 50 + random.nextInt(300)));
		}
		return drawn.as(Drill.ATTEMPTS, 3, 1 + random.nextInt(2), 14, List.of(Drill.key(0, Use.TICK, 0)),
				drawn.servers(), faults);
	}

	// The tick comes after 3 to 33 s, sometimes while no process is there.
	static Setup recovery(Setup drawn, SplittableRandom random) {
		int clients = 2 + random.nextInt(2);
		List<Fault> faults = new ArrayList<>();
		for (int client = (random.nextInt(8) == 0) ? 0 : clients; client < clients; client++) {
			faults.add(new Fault(Kind.CRASH, random.nextInt(2900), client, 0, 31_000 + random.nextInt(6000)));
		}
		for (int i = 1 + random.nextInt(3); i > 0; i--) {
			faults.add(new Fault(Kind.CRASH_IN_RUN, random.nextInt(2000), random.nextInt(clients), random.nextInt(7),
					50 + random.nextInt(12_000)));
		}
		Kind[] others = { Kind.CRASH, Kind.SHUTDOWN, Kind.PAUSE, Kind.STALL, Kind.CUT, Kind.BLACK_HOLE,
				Kind.KILL_SESSION, Kind.SERVER_CRASH, Kind.PARTITION, Kind.ELECTION, Kind.SLOW_LINK };
		for (int i = random.nextInt(6); i > 0; i--) {
			faults.add(new Fault(others[random.nextInt(others.length)], random.nextInt(35_000), random.nextInt(clients),
					random.nextInt(12), 50 + random.nextInt(12_000)));
		}
		if (random.nextInt(3) == 0) {
			faults.add(new Fault(Kind.JOB_PAUSE, random.nextInt(33_000), 0, 0, 50 + random.nextInt(15_000)));
		}
		// A second caller has the key for something else.
		int callers = 1 + random.nextInt(2);
		return drawn.as(Drill.RECOVERY, clients, callers, 4, List.of(Drill.key(0, Use.TICK, 0)), drawn.servers(),
				faults);
	}

	private static Setup pauses(Setup drawn, SplittableRandom random) {
		Use use = (random.nextInt(4) > 0) ? Use.TICK : Use.PERIODIC;
		List<Fault> faults = new ArrayList<>((random.nextInt(3) == 0) ? drawn.faults() : List.of());
		if (random.nextBoolean()) {
			faults.add(new Fault(Kind.SLOW_LINK, random.nextInt(50), random.nextInt(3), 0, 20 + random.nextInt(200)));
		}
		return drawn.as(Drill.PAUSES, 2 + random.nextInt(2), 1 + random.nextInt(2), 14, List.of(Drill.key(0, use, 0)),
				drawn.servers(), faults);
	}

}
