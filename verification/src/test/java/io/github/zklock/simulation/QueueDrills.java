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
 * The kinds of schedules that are about what a client expects of a queue, and about whom
 * it meets there.
 */
final class QueueDrills {

	/** Of the numbers from 0 to 99, those that stand for one of these kinds. */
	private static final int FIRST = 28;

	private static final int LAST = 31;

	private QueueDrills() {
	}

	static boolean isOne(int die) {
		return die >= FIRST && die <= LAST;
	}

	static Setup of(int die, Setup drawn, SplittableRandom random) {
		return switch (die - FIRST) {
			case 0 -> neighbour(drawn, random);
			case 1 -> handOn(drawn, random);
			case 2 -> remade(drawn, random);
			default -> leftStamp(drawn, random);
		};
	}

	private static Setup neighbour(Setup drawn, SplittableRandom random) {
		return drawn.as(Drill.NEIGHBOUR, 1 + random.nextInt(2), 1 + random.nextInt(2), 4, key(Use.SHARED, 0),
				drawn.servers(), List.of());
	}

	private static Setup handOn(Setup drawn, SplittableRandom random) {
		return drawn.as(Drill.HAND_ON, 2, 3, 8 + random.nextInt(3), key(Use.EXCLUSIVE, 0), drawn.servers(), List.of());
	}

	// The first client becomes slow, and the second one comes when the directory is gone.
	private static Setup remade(Setup drawn, SplittableRandom random) {
		int slow = 28 + random.nextInt(20);
		List<Fault> faults = new ArrayList<>();
		for (int after = 1; after < 20; after += 2) {
			faults.add(new Fault(Kind.REAP, slow + after, 0, 0, 0));
		}
		faults.add(new Fault(Kind.SLOW_LINK, slow, 0, 0, 40));
		return drawn.as(Drill.REMADE, 2, 1, 12, key(Use.EXCLUSIVE, 0), 1, faults);
	}

	// The second client leaves what keeps the key, and is shut down.
	private static Setup leftStamp(Setup drawn, SplittableRandom random) {
		boolean keeps = random.nextInt(3) > 0;
		List<Fault> faults = new ArrayList<>();
		if (keeps) {
			faults.add(new Fault(Kind.SHUTDOWN, 30 + random.nextInt(30), 1, 0, 700));
		}
		return drawn.as(Drill.LEFT_STAMP, 2, 1, 14, key(Use.SHARED, keeps ? 100 + random.nextInt(400) : 0),
				drawn.servers(), faults);
	}

	private static List<KeyPlan> key(Use use, int atLeastMillis) {
		return List.of(new KeyPlan("k1", use, 1, atLeastMillis, false));
	}

}
