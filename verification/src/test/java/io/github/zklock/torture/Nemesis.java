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

package io.github.zklock.torture;

import java.time.Duration;

/**
 * What is done to a run, and how soon every key has to be granted again: after it began,
 * or, where it lasts, after it was over.
 */
enum Nemesis {

	/** The connections of a holder are reset. */
	CONNECTION_KILL("connections of a holder reset", 2000, Cause.NETWORK),

	/** A holder hears nothing for half a session timeout. */
	BLACKHOLE_SHORT("holder cut off for 0.5 T", 3000, Cause.NETWORK),

	/** A holder hears nothing for two session timeouts. */
	BLACKHOLE_LONG("holder cut off for 2 T", 3000, Cause.NETWORK),

	/** Replies to chosen requests get lost together with their connection. */
	REPLY_DROP("replies dropped at chosen requests", 3000, Cause.NETWORK),

	/** Nothing commits for some seconds, and a client moves to another server. */
	ACK_STALL("no commit for 4 s, clients move", 5000, Cause.NETWORK),

	/** A follower, which a holder is connected to, hears nothing from the leader. */
	FOLLOWER_CUT("holder's follower cut off", 5000, Cause.NETWORK),

	/** The leader, which a holder is connected to, is deserted by the others. */
	LEADER_CUT("holder's leader cut off", 5000, Cause.NETWORK),

	/** The leader is killed, and started again later. */
	LEADER_KILL("leader killed (-9)", 5000, Cause.SERVER),

	/** A follower is killed, and started again later. */
	FOLLOWER_KILL("follower killed (-9)", 5000, Cause.SERVER),

	/** One server after the other is killed and started again. */
	ROLLING_RESTART("rolling restart", 5000, Cause.SERVER),

	/** A holder stands still for 0.3 session timeouts. */
	PAUSE_SHORT("holder stopped for 0.3 T", 3000, Cause.PAUSE),

	/** A holder stands still for 1.5 session timeouts. */
	PAUSE_LONG("holder stopped for 1.5 T", 3000, Cause.PAUSE),

	/** A holder is killed, and started again later. */
	WORKER_KILL("holder killed (-9)", 5500, Cause.CRASH),

	/** The servers are told to end the session of a holder. */
	SESSION_ENDED("holder's session ended by hand", 1000, Cause.HAND),

	/** A client gives up its session, which the servers keep until it times out. */
	SESSION_GIVEN_UP("session given up by a client", 1000, Cause.NETWORK),

	/** The nodes of idle keys are deleted under the feet of the clients. */
	REAPER("nodes of idle keys reaped", 1000, Cause.NETWORK);

	private final String text;

	private final Duration bound;

	private final Cause cause;

	Nemesis(String text, long bound, Cause cause) {
		this.text = text;
		this.bound = Duration.ofMillis(bound);
		this.cause = cause;
	}

	Duration bound() {
		return this.bound;
	}

	Cause cause() {
		return this.cause;
	}

	/**
	 * Return whether keys may rest as long as it lasts.
	 */
	boolean isOverBeforeRecovery() {
		return switch (this) {
			case CONNECTION_KILL, LEADER_KILL, FOLLOWER_KILL, WORKER_KILL, SESSION_ENDED, SESSION_GIVEN_UP -> false;
			default -> true;
		};
	}

	@Override
	public String toString() {
		return this.text;
	}

	/**
	 * Who is to blame, which decides what is promised.
	 */
	enum Cause {

		/** The network between processes: holders never overlap. */
		NETWORK,

		/** A server: holders never overlap. */
		SERVER,

		/** The process of a holder is gone, and so is the holder. */
		CRASH,

		/** The process of a holder stands still: only the token protects. */
		PAUSE,

		/** Somebody ended the session: only the token protects. */
		HAND

	}

}
