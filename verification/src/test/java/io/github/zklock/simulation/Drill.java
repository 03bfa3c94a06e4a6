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
	TURNS,

	/** A client of Curator's own read-write lock beside ours. */
	NEIGHBOUR,

	/** One client with many who wait for a key, and another one that wants it too. */
	HAND_ON,

	/**
	 * A directory is reaped, and made anew by another client, while a request of who had
	 * it alone is under way.
	 */
	REMADE,

	/** One client for many turns, and what others have left or still hold. */
	LEFT_STAMP,

	/** A key of planned runs is also taken without one. */
	RUNS,

	/** A job is paused and resumed. */
	PAUSES,

	/** Processes crash in the middle of runs that may be repeated. */
	ATTEMPTS,

	/** Steps of the engine end with an error. */
	FAILED_STEP,

	/** One key that is asked for with different numbers of permits. */
	NUMBERS,

	/** One cached key that two clients want, and its node is deleted. */
	KEPT,

	/** One key that stays taken, by a stamp that is confirmed late. */
	STAMPS,

	/** The link between a holder's server and its leader is cut in one direction. */
	HALF_CUT,

	/** A holder's server is cut off when the holder has been silent for long. */
	IDLE,

	/** The end of a session is told after the next session has begun. */
	LATE_LOSS,

	/** One tick of a job that is made up for, around which something goes wrong. */
	RECOVERY;

	private static final long SALT = 0x2545F4914F6CDD1DL;

	/**
	 * Make a drill of some of the set-ups. The choice is independent of what was drawn
	 * before, so that the others stay as they are. A negative seed is one of its own.
	 */
	static Setup of(Setup drawn) {
		SplittableRandom random = new SplittableRandom(drawn.seed() * SALT + 1);
		if (drawn.seed() < 0) {
			return KeyDrills.recovery(drawn, random);
		}
		int die = random.nextInt(100);
		if (die < 5) {
			return crowd(drawn, random);
		}
		if (QueueDrills.isOne(die)) {
			return QueueDrills.of(die, drawn, random);
		}
		if (die >= 35 && die <= 41) {
			return KeyDrills.of(die - 35, drawn, random);
		}
		// So that seeds that are on record draw the same.
		if (die >= 25 && die < 28) {
			return (die == 25) ? halfCut(drawn, random) : (die == 26) ? idle(drawn, random) : lateLoss(drawn, random);
		}
		if (die == 32) {
			return runs(drawn, random);
		}
		if (die == 33 || die == 34) {
			return failedStep(drawn, random);
		}
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
					random.nextInt(2), 700 + random.nextInt(1300)));
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

	private static Setup runs(Setup drawn, SplittableRandom random) {
		return drawn.as(RUNS, 2 + random.nextInt(2), 1, 16, List.of(key(0, Use.TICK, 0)), drawn.servers(), List.of());
	}

	private static Setup failedStep(Setup drawn, SplittableRandom random) {
		List<Fault> faults = new ArrayList<>((random.nextInt(3) == 0) ? drawn.faults() : List.of());
		int clients = 1 + random.nextInt(2);
		for (int i = 1 + random.nextInt(3); i > 0; i--) {
			faults.add(new Fault(Kind.FAILED_STEP, random.nextInt(200), random.nextInt(clients), random.nextInt(10),
					random.nextInt(2)));
		}
		int callers = 1 + random.nextInt(4);
		Use use = random.nextBoolean() ? Use.SHARED : Use.EXCLUSIVE;
		for (int i = random.nextInt(3); i > 0; i--) {
			faults
				.add(new Fault(Kind.FAILED_REPLY, random.nextInt(200), random.nextInt(clients), random.nextInt(20), 0));
		}
		for (int i = random.nextInt(4); i > 0; i--) {
			faults.add(new Fault(Kind.FAILED_TASK, random.nextInt(300), random.nextInt(clients), random.nextInt(12),
					random.nextInt(2)));
		}
		List<KeyPlan> keys = List.of(key(0, use, (random.nextInt(4) == 0) ? 1 + random.nextInt(20) : 0));
		return drawn.as(FAILED_STEP, clients, callers, 5, keys, drawn.servers(), faults);
	}

	// Two thirds of it are longer than a server may be deaf without giving its leader up.
	private static Setup halfCut(Setup drawn, SplittableRandom random) {
		List<Fault> faults = lateTicks(random);
		faults.add(new Fault(Kind.HALF_CUT, random.nextInt(200), random.nextInt(2), 0, 9000));
		return drawn.as(HALF_CUT, 2, 1, 3, List.of(key(0, Use.EXCLUSIVE, 0)), 3, faults)
			.withTimeout(random.nextBoolean() ? 6000 : 4000);
	}

	private static Setup idle(Setup drawn, SplittableRandom random) {
		List<Fault> faults = lateTicks(random);
		faults.add(new Fault(Kind.CUT_OFF_HOLDER, 500 + random.nextInt(2000), random.nextInt(2), 0, 3000));
		// For longer than a client sends nothing, and not for so long that it is given
		// up.
		for (int i = random.nextInt(3); i > 0; i--) {
			faults.add(new Fault(random.nextBoolean() ? Kind.STALL : Kind.PAUSE, 500 + random.nextInt(4000),
					random.nextInt(2), random.nextInt(12), 700 + random.nextInt(1200)));
		}
		return drawn.as(IDLE, 2, 1, 3, List.of(key(0, Use.EXCLUSIVE, 0)), 3, faults).withTimeout(2000);
	}

	// The servers count their ticks and those of the sessions apart.
	private static List<Fault> lateTicks(SplittableRandom random) {
		List<Fault> faults = new ArrayList<>();
		for (int server = 0; server < 3; server++) {
			faults.add(new Fault(Kind.LATE_TICKS, 0, 0, server, 250 + random.nextInt(250)));
		}
		return faults;
	}

	private static Setup lateLoss(Setup drawn, SplittableRandom random) {
		int clients = 1 + random.nextInt(2);
		Fault fault = new Fault(Kind.LATE_LOSS, random.nextInt(2000), random.nextInt(clients), 0,
				1000 + random.nextInt(4000));
		return drawn.as(LATE_LOSS, clients, 1 + random.nextInt(2), 4, drawn.keys(), drawn.servers(), List.of(fault));
	}

	static KeyPlan key(int index, Use use, int atLeastMillis) {
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
			case HAND_ON, REMADE -> 2;
			case LEFT_STAMP -> (left % 5 == 0) ? 30 : 2;
			case RUNS, PAUSES -> (left % (3 + setup.seed() % 3) == 0) ? 60 : 1;
			case KEPT -> (left % 16 == 0) ? 1000 : 8;
			case STAMPS -> 8;
			case ATTEMPTS -> 800;
			case RECOVERY -> 15_000;
			default -> 25;
		};
	}

	/**
	 * Return for how many milliseconds a caller holds a lock at most, or 0 if that is as
	 * in other schedules.
	 */
	int longestHold(SplittableRandom random) {
		return switch (this) {
			case NUMBERS -> (random.nextInt(4) == 0) ? 500 : 8;
			case KEPT -> 300;
			case HAND_ON -> 40;
			case REMADE -> 2;
			case ATTEMPTS -> 200;
			case RECOVERY -> (random.nextInt(3) == 0) ? 5000 : 100;
			case LEFT_STAMP -> (random.nextInt(5) == 0) ? 150 : 5;
			default -> 0;
		};
	}

	/**
	 * Return whether all wait until they have the lock.
	 */
	boolean waitsForEver() {
		return this == HAND_ON || this == REMADE || this == LEFT_STAMP || this == HALF_CUT || this == IDLE;
	}

	/**
	 * Return how many milliseconds after the others a client begins.
	 */
	int begin(Setup setup, int client) {
		if (client == 0 || setup.faults().isEmpty()) {
			return 0;
		}
		int first = setup.faults().get(0).atMillis();
		return switch (this) {
			case REMADE -> first;
			case LEFT_STAMP -> first - 10;
			default -> 0;
		};
	}

	/**
	 * Return whether a request for a key that may be kept for a time is to keep it.
	 */
	boolean keeps(int client, SplittableRandom random) {
		return (this == LEFT_STAMP) ? client > 0 : random.nextInt(3) == 0;
	}

	/**
	 * Return how often a caller of a client asks. A thread of a scheduler does not ask by
	 * itself.
	 */
	int operations(Setup setup, int client, int caller) {
		if (this == RECOVERY && caller == 0) {
			return 0;
		}
		return (this == HAND_ON && client > 0) ? 1 : setup.operations();
	}

	/**
	 * Return how often a caller looks at a lock that it holds for long.
	 */
	int looks() {
		return (this == KEPT || this == NUMBERS) ? 3 : 20;
	}

	/**
	 * Return whether some hold a lock for longer than a session lives without its
	 * servers.
	 */
	boolean isPatient() {
		return this == CUT_OFF || this == HALF_CUT || this == IDLE || this == LATE_LOSS;
	}

	/**
	 * Return by how much the clock of a process goes fast, or slow if it is negative.
	 */
	double drift(SplittableRandom random) {
		return switch (this) {
			case CUT_OFF -> 0.04 * (2 * random.nextDouble() - 1);
			case IDLE -> -0.04 * random.nextDouble();
			default -> 0;
		};
	}

}
