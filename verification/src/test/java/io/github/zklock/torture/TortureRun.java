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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.github.zklock.support.ZooKeeperEnsemble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole run: three servers, three workers, a schedule of blows and a judge.
 */
final class TortureRun {

	static final int SERVERS = 3;

	static final int WORKERS = 3;

	static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	static final Duration TICK = Duration.ofMillis(500);

	/** Longer than a session lives, or a server that is cut off would soon say so. */
	static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(TortureRun.class);

	private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(15);

	private static final Duration LONGEST_SHORT_RUN = Duration.ofSeconds(165);

	private final TortureSettings settings;

	private final TortureLog log = new TortureLog();

	private final List<TortureHand> hands = new ArrayList<>();

	TortureRun(TortureSettings settings) {
		this.settings = settings;
	}

	TortureResult run() {
		long start = System.nanoTime();
		try (ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(SERVERS, TICK, PATIENCE).start();
				FencingRegister register = new FencingRegister(this.log);
				Reaper reaper = new Reaper(ensemble.connectString());
				StallMeter stalls = new StallMeter()) {
			startWorkers(ensemble, register);
			TortureBlows blows = new TortureBlows(ensemble, this.hands, register, this.log, reaper);
			long begin = System.nanoTime();
			torture(blows, stalls);
			awaitEnoughGrants(begin);
			long end = System.nanoTime();
			quiesce(register);
			List<String> orphans = awaitClean(reaper);
			this.log.note("reaper", "nodes of keys reaped=" + reaper.reaped());
			return new TortureResult(this.settings, this.log, orphans, reaper.reapAll(), watches(ensemble), begin, end,
					Duration.ofNanos(System.nanoTime() - start));
		}
		finally {
			this.hands.forEach(TortureHand::close);
		}
	}

	private void startWorkers(ZooKeeperEnsemble ensemble, FencingRegister register) {
		for (int i = 0; i < WORKERS; i++) {
			TortureHand hand = new TortureHand("w" + (i + 1), this.settings.variant(), register.port(), ensemble);
			this.hands.add(hand);
			hand.start(this.settings.seed() * 100 + i * 10);
		}
		this.hands.forEach((hand) -> hand.awaitLine("ready"));
		awaitGrants(System.nanoTime(), () -> 0);
		note(register, "begin");
	}

	// The first blow may kill a worker.
	private void note(FencingRegister register, String when) {
		this.hands.forEach((hand) -> register.order(hand.name(), "note " + when));
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < LONGEST_RECOVERY.toNanos()
				&& !this.hands.stream().allMatch((hand) -> this.log.notes().containsKey(hand.name() + " " + when))) {
			TortureBlows.pause(1);
		}
	}

	private void torture(TortureBlows blows, StallMeter stalls) {
		long end = System.nanoTime() + this.settings.duration().toNanos();
		for (int round = 0; round == 0 || System.nanoTime() - end < 0; round++) {
			for (Strike strike : Strike.round(this.settings.seed(), round, this.settings.nemeses(), WORKERS)) {
				if (round == 0 || System.nanoTime() - end < 0) {
					Incident incident = deal(blows, strike, stalls);
					this.log.happened(incident);
					logger.info("{} s: {} {}, granted again after {} ms", this.log.secondsAt(System.nanoTime()),
							strike.nemesis(), incident.worker(), incident.recoveryMillis());
					TortureBlows.pause(strike.pauseMillis());
				}
			}
		}
	}

	// A slow machine needs some more time for as many grants as a run has to have.
	private void awaitEnoughGrants(long begin) {
		while (this.settings.isWhole() && System.nanoTime() - begin < LONGEST_SHORT_RUN.toNanos()
				&& !this.log.hasGranted(Judgement.GRANTS)) {
			TortureBlows.pause(100);
		}
	}

	private Incident deal(TortureBlows blows, Strike strike, StallMeter stalls) {
		blows.prepare(strike);
		long begin = System.nanoTime();
		long stalled = stalls.stalled().toMillis();
		blows.deal(strike);
		long since = begin;
		if (strike.nemesis().isOverBeforeRecovery()) {
			since = System.nanoTime();
			stalled = stalls.stalled().toMillis();
		}
		long stalledBefore = stalled;
		Map<String, Long> recovery = awaitGrants(since, () -> stalls.stalled().toMillis() - stalledBefore);
		blows.repair(strike);
		long end = strike.nemesis().isOverBeforeRecovery() ? since : System.nanoTime();
		return new Incident(strike, blows.victim(strike), begin, end, recovery);
	}

	private Map<String, Long> awaitGrants(long since, LongSupplier stalledMillis) {
		return awaitGrants(() -> {
			long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
			return Math.max(0, took - stalledMillis.getAsLong());
		}, (key) -> this.log.wasGrantedSince(key, since));
	}

	/**
	 * Wait until all keys are granted again. A stall of the machine takes nothing of the
	 * time for that.
	 * @param millis returns how long it took so far, without stalls
	 * @param granted returns whether a key was granted
	 * @return for each key the milliseconds until it was granted again
	 */
	static Map<String, Long> awaitGrants(LongSupplier millis, Predicate<String> granted) {
		Map<String, Long> recovery = new LinkedHashMap<>();
		long took = 0;
		while (recovery.size() < TortureKeys.ALL.size() && took < LONGEST_RECOVERY.toMillis()) {
			took = millis.getAsLong();
			for (String key : TortureKeys.ALL) {
				if (!recovery.containsKey(key) && granted.test(key)) {
					recovery.put(key, took);
				}
			}
			TortureBlows.pause(1);
		}
		TortureKeys.ALL.forEach((key) -> recovery.putIfAbsent(key, LONGEST_RECOVERY.toMillis()));
		return recovery;
	}

	private void quiesce(FencingRegister register) {
		for (TortureHand hand : this.hands) {
			this.log.instructions().stay(hand.name(), false);
			register.order(hand.name(), "stop");
		}
		for (TortureHand hand : this.hands) {
			hand.awaitLine("stopped");
		}
		note(register, "end");
	}

	// Those on the nodes of keys go with them, at each server when it hears of that.
	private int watches(ZooKeeperEnsemble ensemble) {
		// The last blow may have been one from which a server is only just coming back.
		ensemble.awaitReady();
		long deadline = System.nanoTime() + this.settings.variant().cleanUp().toNanos();
		int watches;
		do {
			watches = IntStream.range(0, SERVERS).map((i) -> ensemble.server(i).watches()).sum();
			TortureBlows.pause(50);
		}
		while (watches > 0 && System.nanoTime() - deadline < 0);
		return watches;
	}

	// The clients are still open, so what is there now is there for good.
	private List<String> awaitClean(Reaper reaper) {
		long deadline = System.nanoTime() + this.settings.variant().cleanUp().toNanos();
		List<String> contenders = reaper.contenders();
		while (!contenders.isEmpty() && System.nanoTime() - deadline < 0) {
			TortureBlows.pause(50);
			contenders = reaper.contenders();
		}
		return contenders;
	}

}
