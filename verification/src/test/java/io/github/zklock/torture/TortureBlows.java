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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.support.ZooKeeperEnsemble;

/**
 * Deals the blows. What is done to a worker is done while it holds the hot key and was
 * told to stay.
 */
final class TortureBlows {

	private static final long T = TortureRun.SESSION_TIMEOUT.toMillis();

	private static final long AMBUSH_MILLIS = 4000;

	private static final long LONGEST_WAIT_MILLIS = 2200;

	private final ZooKeeperEnsemble ensemble;

	private final List<TortureHand> hands;

	private final FencingRegister register;

	private final TortureLog log;

	private final Reaper reaper;

	private final AtomicInteger ghosts = new AtomicInteger();

	private final ReplyDrops replies;

	private int down;

	TortureBlows(ZooKeeperEnsemble ensemble, List<TortureHand> hands, FencingRegister register, TortureLog log,
			Reaper reaper) {
		this.ensemble = ensemble;
		this.hands = hands;
		this.register = register;
		this.log = log;
		this.reaper = reaper;
		this.replies = new ReplyDrops(log);
	}

	/** Wait for the right moment, where there is one. */
	void prepare(Strike strike) {
		TortureHand hand = hand(strike);
		switch (strike.nemesis()) {
			case FOLLOWER_CUT -> ambushAt(hand, follower(strike));
			case LEADER_CUT -> ambushAt(hand, this.ensemble.leader());
			case CONNECTION_KILL, BLACKHOLE_SHORT, BLACKHOLE_LONG, PAUSE_SHORT, PAUSE_LONG, WORKER_KILL, SESSION_ENDED,
					SESSION_GIVEN_UP ->
				ambush(hand);
			case ACK_STALL -> {
				takeGhosts(this.ghosts.incrementAndGet(), 500);
				hand.pinTo(strike.variation() % TortureRun.SERVERS);
				rest(hand);
			}
			case REPLY_DROP, LEADER_KILL, FOLLOWER_KILL, ROLLING_RESTART, REAPER -> {
			}
		}
	}

	/**
	 * Do it, and where it lasts, for how long it lasts.
	 */
	void deal(Strike strike) {
		TortureHand hand = hand(strike);
		switch (strike.nemesis()) {
			case CONNECTION_KILL -> hand.killConnections();
			case BLACKHOLE_SHORT -> blackhole(hand, T / 2);
			case BLACKHOLE_LONG -> blackhole(hand, 2 * T);
			case REPLY_DROP -> this.replies.drop(hand, strike.variation());
			case ACK_STALL -> stall(hand, strike.variation());
			case FOLLOWER_CUT -> {
				this.ensemble.cutOffFollower(follower(strike));
				awaitEndOfCut(hand);
			}
			case LEADER_CUT -> {
				this.ensemble.cutOffLeader(this.ensemble.leader());
				awaitEndOfCut(hand);
			}
			case LEADER_KILL -> kill(this.ensemble.leader());
			case FOLLOWER_KILL -> kill(follower(strike));
			case ROLLING_RESTART -> restartAll(strike.variation());
			case PAUSE_SHORT -> stop(hand, 3 * T / 10);
			case PAUSE_LONG -> stop(hand, 3 * T / 2);
			case WORKER_KILL -> hand.kill();
			case SESSION_ENDED -> this.register.order(hand.name(), "end-session " + this.ensemble.connectString());
			case SESSION_GIVEN_UP -> giveUpSession(hand);
			case REAPER -> this.reaper.reap(3000);
		}
		if (strike.nemesis() != Nemesis.SESSION_GIVEN_UP) {
			this.log.instructions().stay(hand.name(), false);
		}
	}

	/**
	 * Repair what is still broken when the keys are granted again.
	 */
	void repair(Strike strike) {
		TortureHand hand = hand(strike);
		switch (strike.nemesis()) {
			case LEADER_KILL, FOLLOWER_KILL -> {
				pause(1000);
				this.ensemble.server(this.down).start();
				this.ensemble.awaitReady();
			}
			case WORKER_KILL -> {
				hand.start(strike.variation());
				hand.awaitLine("ready");
			}
			// The servers keep the session for as long.
			case SESSION_GIVEN_UP -> pause(T + 1000);
			default -> {
			}
		}
		this.log.instructions().stay(hand.name(), false);
	}

	/**
	 * Return who is hit, or an empty text if nobody is in particular.
	 */
	String victim(Strike strike) {
		return switch (strike.nemesis()) {
			case LEADER_KILL, FOLLOWER_KILL, ROLLING_RESTART, REAPER -> "";
			default -> hand(strike).name();
		};
	}

	private TortureHand hand(Strike strike) {
		return this.hands.get(strike.worker());
	}

	private int follower(Strike strike) {
		List<Integer> followers = this.ensemble.followers();
		return followers.get(strike.variation() % followers.size());
	}

	private void ambushAt(TortureHand hand, int server) {
		hand.pinTo(server);
		pause(500);
		ambush(hand);
		rest(hand);
	}

	// A write that is under way keeps back the answers to all requests that follow, so
	// that only a client that rests sees what a lonely or late server says.
	private void rest(TortureHand hand) {
		this.log.instructions().rest(hand.name(), true);
		pause(LONGEST_WAIT_MILLIS);
	}

	private void ambush(TortureHand hand) {
		this.log.instructions().stay(hand.name(), true);
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AMBUSH_MILLIS);
		while (!this.log.holds(hand.name(), TortureKeys.HOT) && System.nanoTime() - deadline < 0) {
			pause(1);
		}
	}

	// Its bodies stay until they are told, but not in the locks that they get afterwards,
	// for which all others would wait.
	private void giveUpSession(TortureHand hand) {
		this.register.order(hand.name(), "give-up-session");
		CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
			.execute(() -> this.log.instructions().stay(hand.name(), false));
	}

	private static void blackhole(TortureHand hand, long millis) {
		hand.blackhole();
		pause(millis);
		hand.heal();
	}

	private void stall(TortureHand hand, int variation) {
		this.ensemble.stallCommits(true);
		takeGhosts(this.ghosts.get(), 300);
		hand.heal();
		hand.pinTo(this.ensemble.another(variation % TortureRun.SERVERS));
		pause(3700);
		this.log.instructions().rest(hand.name(), false);
		this.ensemble.stallCommits(false);
		hand.heal();
	}

	private void takeGhosts(int number, long millis) {
		for (TortureHand hand : this.hands) {
			this.register.order(hand.name(), "take ghost-" + hand.name() + "-" + number + "- 6");
		}
		pause(millis);
	}

	private void awaitEndOfCut(TortureHand hand) {
		pause(7 * T / 4);
		this.log.instructions().rest(hand.name(), false);
		this.ensemble.heal();
		hand.heal();
	}

	private void kill(int server) {
		this.down = server;
		this.ensemble.server(server).kill();
	}

	private void restartAll(int variation) {
		for (int i = 0; i < TortureRun.SERVERS; i++) {
			int server = (variation + i) % TortureRun.SERVERS;
			this.ensemble.server(server).kill();
			this.ensemble.server(server).start();
			this.ensemble.awaitReady();
		}
	}

	private static void stop(TortureHand hand, long millis) {
		hand.pause();
		pause(millis);
		hand.resume();
	}

	/** Let time pass. */
	static void pause(long millis) {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

}
