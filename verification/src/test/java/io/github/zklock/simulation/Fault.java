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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What goes wrong in a schedule, once.
 *
 * @param kind what happens
 * @param atMillis when, in virtual milliseconds since the start
 * @param client to which client, counted from 0; taken modulo the number of clients
 * @param server to which server, in the same way
 * @param millis for how long, or, for {@link Kind#ERROR_CODE}, which code
 */
record Fault(Kind kind, int atMillis, int client, int server, int millis) {

	/**
	 * Those of the first drawing: others are drawn apart, so that seeds play what they
	 * have played, or belong to a {@link Drill}.
	 */
	private static final List<Kind> KINDS = Arrays.stream(Kind.values())
		.filter((kind) -> !kind.isDrawnApart())
		.toList();

	private static final List<Kind> STORMS = List.of(Kind.CUT, Kind.CUT_BEFORE_REQUEST, Kind.CUT_BEFORE_REPLY,
			Kind.ERROR_CODE, Kind.DELETE_NODE, Kind.REAP);

	static Fault draw(SplittableRandom random, int within, int timeoutMillis) {
		Kind kind = KINDS.get(random.nextInt(KINDS.size()));
		int millis = switch (random.nextInt(3)) {
			case 0 -> 1 + random.nextInt(40);
			case 1 -> 1 + random.nextInt(timeoutMillis);
			default -> 1 + random.nextInt(2 * timeoutMillis);
		};
		return new Fault(kind, random.nextInt(within), random.nextInt(12), random.nextInt(12), millis);
	}

	/**
	 * Draw one fault many times, at one client.
	 */
	static List<Fault> storm(SplittableRandom random, int within) {
		Kind kind = STORMS.get(random.nextInt(STORMS.size()));
		int client = random.nextInt(12);
		List<Fault> faults = new ArrayList<>();
		for (int i = 3 + random.nextInt(8); i > 0; i--) {
			faults.add(new Fault(kind, random.nextInt(within), client, random.nextInt(12), random.nextInt(100)));
		}
		return faults;
	}

	/**
	 * Return when it is over.
	 */
	long endMillis() {
		int lasting = (this.kind == Kind.CUT_OFF_HOLDER || this.kind == Kind.HALF_CUT) ? 2 * this.millis : this.millis;
		return this.atMillis + (this.kind.lasts ? lasting : 0);
	}

	@Override
	public String toString() {
		String name = this.kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
		String target = switch (this.kind.target) {
			case CLIENT -> " c" + (this.client + 1);
			case SERVER -> " s" + (this.server + 1);
			case ENSEMBLE -> "";
		};
		return name + target + " @" + this.atMillis + (this.kind.lasts ? "+" + this.millis : "") + "ms";
	}

	/**
	 * The kinds.
	 */
	enum Kind {

		/** The connection is cut; what is under way in it is lost. */
		CUT(Cause.NETWORK, Target.CLIENT, false),

		/** The connection is cut instead of the next request. */
		CUT_BEFORE_REQUEST(Cause.NETWORK, Target.CLIENT, false),

		/** The connection is cut when the next request has arrived, before its reply. */
		CUT_BEFORE_REPLY(Cause.NETWORK, Target.CLIENT, false),

		/** All of the client's connections take their time. */
		SLOW_LINK(Cause.NETWORK, Target.CLIENT, true),

		/** Nothing arrives, and nobody is told. */
		BLACK_HOLE(Cause.NETWORK, Target.CLIENT, true),

		/** A server stops, and starts again. */
		SERVER_CRASH(Cause.SERVER, Target.SERVER, true),

		/** A server does not reach the others, but its clients. */
		PARTITION(Cause.SERVER, Target.SERVER, true),

		/** Another server leads. */
		ELECTION(Cause.SERVER, Target.ENSEMBLE, false),

		/** The next request of the client is answered with an error code. */
		ERROR_CODE(Cause.SERVER, Target.CLIENT, false),

		/** Empty containers are deleted. */
		REAP(Cause.SERVER, Target.ENSEMBLE, false),

		/** Somebody deletes a node that stands for a lock. */
		DELETE_NODE(Cause.HAND, Target.CLIENT, false),

		/** Somebody ends the session of a client. */
		KILL_SESSION(Cause.HAND, Target.CLIENT, false),

		/** A process stands still. */
		PAUSE(Cause.PAUSE, Target.CLIENT, true),

		/** One thread of a process stands still. */
		STALL(Cause.PAUSE, Target.CLIENT, true),

		/** A process is gone, and starts again. */
		CRASH(Cause.CRASH, Target.CLIENT, true),

		/** A process is shut down, and starts again. */
		SHUTDOWN(Cause.CRASH, Target.CLIENT, true),

		/**
		 * Somebody deletes the first node of a queue just when its client has listed it,
		 * and the reply takes its time.
		 */
		DELETE_LISTED(Cause.HAND, Target.CLIENT, true),

		/**
		 * The connection is cut instead of the reply to the next creation, and the other
		 * servers apply late what is committed.
		 */
		LOST_REPLY(Cause.NETWORK, Target.CLIENT, true),

		/**
		 * Soon after the client's next lock its server reaches only those that are
		 * connected to it, and the client no other server.
		 */
		CUT_OFF_HOLDER(Cause.SERVER, Target.CLIENT, true),

		/** One of the next steps of a process that send something ends with an error. */
		FAILED_STEP(Cause.PROCESS, Target.CLIENT, false),

		/** One of the next replies ends with an error before it has become a step. */
		FAILED_REPLY(Cause.PROCESS, Target.CLIENT, false),

		/** A thread or timer of a process cannot be had, or seems so, once. */
		FAILED_TASK(Cause.PROCESS, Target.CLIENT, false),

		/** The next event of a watch does not reach the client. */
		LOSE_EVENT(Cause.NETWORK, Target.CLIENT, true),

		/**
		 * A process stands still just when its next stamp is created, and is shut down
		 * when it has the lock.
		 */
		LATE_STAMP(Cause.CRASH, Target.CLIENT, true),

		/**
		 * At a heartbeat of the client its server hears nothing of its leader any more,
		 * while the leader hears that server. Later it is the other way round.
		 */
		HALF_CUT(Cause.SERVER, Target.CLIENT, true),

		/**
		 * The timer of a server stands still for a moment, so that its ticks come at
		 * other moments.
		 */
		LATE_TICKS(Cause.SERVER, Target.SERVER, true),

		/**
		 * The session of the client is ended by hand, and the thread on which Curator
		 * tells of that stands still.
		 */
		LATE_LOSS(Cause.HAND, Target.CLIENT, true),

		/**
		 * A process is gone at one of the requests of its next run of a job, or soon
		 * after it, and starts again.
		 */
		CRASH_IN_RUN(Cause.CRASH, Target.CLIENT, true),

		/** An operator pauses a job for a time. */
		JOB_PAUSE(Cause.HAND, Target.ENSEMBLE, true);

		private final Cause cause;

		private final Target target;

		private final boolean lasts;

		Kind(Cause cause, Target target, boolean lasts) {
			this.cause = cause;
			this.target = target;
			this.lasts = lasts;
		}

		boolean isDrawnApart() {
			return ordinal() > SHUTDOWN.ordinal();
		}

		Cause cause() {
			return this.cause;
		}

	}

	/**
	 * What is to blame, which decides on what is promised.
	 */
	enum Cause {

		NETWORK, SERVER, HAND, PAUSE, CRASH, PROCESS

	}

	/**
	 * What is hit.
	 */
	enum Target {

		CLIENT, SERVER, ENSEMBLE

	}

}
