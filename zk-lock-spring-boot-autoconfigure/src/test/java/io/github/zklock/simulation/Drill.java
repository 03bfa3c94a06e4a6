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
 * A kind of schedule that brings about on purpose what others meet once in a thousand.
 */
enum Drill {

	/** Whatever was drawn. */
	NONE,

	/** Many callers of few clients on several keys, over slow links. */
	CROWD,

	/** Replies to creations are lost, and the other servers apply them late. */
	LOST_REPLY,

	/** A holder's server is cut off from the others and still answers the holder. */
	CUT_OFF,

	/** One client after the other for several turns, and directories that are reaped. */
	TURNS;

	private static final long SALT = 0x2545F4914F6CDD1DL;

	/**
	 * Make a drill of some of the set-ups. The choice is independent of what was drawn
	 * before, so that the others stay as they are.
	 */
	static Setup of(Setup drawn) {
		SplittableRandom random = new SplittableRandom(drawn.seed() * SALT + 1);
		int die = random.nextInt(100);
		if (die < 5) {
			return crowd(drawn, random);
		}
		// A seed of KeptSeedsTests draws 5, and stays as it is.
		if (die == 5 || die >= 25) {
			return drawn;
		}
		if (die < 14) {
			return lostReply(drawn, random);
		}
		return (die < 20) ? turns(drawn, random) : cutOff(drawn, random);
	}

	private static Setup crowd(Setup drawn, SplittableRandom random) {
		int clients = 1 + random.nextInt(2);
		int callers = 16 / clients - random.nextInt(4);
		List<KeyPlan> keys = new ArrayList<>();
		for (int i = 3 + random.nextInt(4); i > 0; i--) {
			keys.add(key(keys.size(), (random.nextInt(3) > 0) ? Use.SHARED : Use.EXCLUSIVE, 0));
		}
		List<Fault> faults = new ArrayList<>(drawn.faults());
		for (int client = 0; client < clients; client++) {
			faults.add(new Fault(Kind.SLOW_LINK, random.nextInt(30), client, 0, 5 + random.nextInt(300)));
		}
		if (random.nextBoolean()) {
			for (int i = random.nextInt(6); i >= 0; i--) {
				faults.add(new Fault((random.nextInt(4) == 0) ? Kind.CUT : Kind.ERROR_CODE, random.nextInt(300),
						random.nextInt(2), 0, random.nextInt(100)));
			}
		}
		return drawn.as(CROWD, clients, callers, 2, keys, drawn.servers(), faults);
	}

	private static Setup lostReply(Setup drawn, SplittableRandom random) {
		int clients = 1 + random.nextInt(3);
		List<KeyPlan> keys = List.of((random.nextInt(3) > 0) ? drawn.keys().get(0)
				: key(0, random.nextBoolean() ? Use.TICK : Use.PERIODIC, 0));
		List<Fault> faults = new ArrayList<>();
		for (int i = 1 + random.nextInt(3); i > 0; i--) {
			faults.add(new Fault(Kind.LOST_REPLY, random.nextInt(300) + 2000 * faults.size(), random.nextInt(clients),
					0, 700 + random.nextInt(1300)));
		}
		return drawn.as(LOST_REPLY, clients, 1 + random.nextInt(2), 6, keys, 3, faults);
	}

	private static Setup cutOff(Setup drawn, SplittableRandom random) {
		int clients = 2 + random.nextInt(2);
		List<Fault> faults = new ArrayList<>();
		int at = 0;
		for (int i = random.nextInt(2); i >= 0; i--) {
			at += random.nextInt(2 * drawn.timeoutMillis());
			faults.add(new Fault(Kind.CUT_OFF_HOLDER, at, random.nextInt(clients), random.nextInt(12),
					drawn.timeoutMillis() * 3 / 2));
			at += 3 * drawn.timeoutMillis();
		}
		return drawn.as(CUT_OFF, clients, 1, 4, List.of(key(0, Use.EXCLUSIVE, 0)), 3, faults);
	}

	private static Setup turns(Setup drawn, SplittableRandom random) {
		int atLeast = (random.nextInt(5) == 0) ? 1 + random.nextInt(20) : 0;
		Use[] uses = { Use.EXCLUSIVE, Use.EXCLUSIVE, Use.SHARED, Use.SHARED, Use.PERIODIC };
		List<Fault> faults = new ArrayList<>((random.nextInt(4) == 0) ? drawn.faults() : List.of());
		for (int i = random.nextInt(12); i > 0; i--) {
			faults.add(new Fault(Kind.REAP, random.nextInt(300), 0, 0, 0));
		}
		return drawn.as(TURNS, 2, 1 + random.nextInt(2), 10, List.of(key(0, uses[random.nextInt(5)], atLeast)),
				drawn.servers(), faults);
	}

	private static KeyPlan key(int index, Use use, int atLeastMillis) {
		return new KeyPlan("k" + (index + 1), use, 1, atLeastMillis, false);
	}

	/**
	 * Return for how many milliseconds a caller does nothing at most.
	 * @param left how often it will ask
	 */
	int mostPause(Setup setup, int left, SplittableRandom random) {
		return switch (this) {
			case CUT_OFF -> random.nextBoolean() ? 1500 : 25;
			case TURNS -> (left % (2 + setup.seed() % 3) == 0) ? 60 : 2;
			case CROWD -> 3;
			default -> 25;
		};
	}

	/**
	 * Return by how much the clock of a process goes fast, or slow if it is negative.
	 */
	double drift(SplittableRandom random) {
		return (this == CUT_OFF) ? 0.04 * (2 * random.nextDouble() - 1) : 0;
	}

}
