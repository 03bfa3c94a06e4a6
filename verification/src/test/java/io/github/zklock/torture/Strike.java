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

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import io.github.zklock.support.Upgrade;

/**
 * One blow of a schedule.
 *
 * @param nemesis what is done
 * @param worker the number of the worker that it is done to, where it is done to one
 * @param variation what else is left to chance: which server, which request
 * @param pauseMillis how long to leave everybody alone afterwards
 */
record Strike(Nemesis nemesis, int worker, int variation, long pauseMillis) {

	private static final int LEAST_PAUSE = 500;

	private static final int PAUSES = 1000;

	private static final int VARIATIONS = 1 << 20;

	/**
	 * Return one round of a schedule: every nemesis once, in an order that depends on
	 * nothing but the seed and the number of the round. What may leave orphans of living
	 * sessions comes last, because other blows would end these sessions, and the orphans
	 * with them.
	 * @param seed the seed of the run
	 * @param round the number of the round
	 * @param nemeses what is done
	 * @param workers how many workers there are
	 * @return what to do, in this order
	 */
	static List<Strike> round(long seed, int round, Collection<Nemesis> nemeses, int workers) {
		Random random = new Random(seed * 1_000_003 + round);
		List<Nemesis> order = new ArrayList<>(nemeses);
		Collections.shuffle(order, random);
		if (order.remove(Nemesis.ACK_STALL)) {
			order.add(Nemesis.ACK_STALL);
		}
		List<Strike> strikes = order.stream()
			.map((nemesis) -> new Strike(nemesis, random.nextInt(workers), random.nextInt(VARIATIONS),
					LEAST_PAUSE + random.nextInt(PAUSES)))
			.collect(Collectors.toCollection(ArrayList::new));
		return Upgrade.isWanted() ? upgrade(strikes, workers) : strikes;
	}

	// A worker that was killed starts again with the other version.
	private static List<Strike> upgrade(List<Strike> strikes, int workers) {
		int step = strikes.size() / (workers + 1);
		for (int worker = workers - 1; worker >= 0; worker--) {
			strikes.add((worker + 1) * step, new Strike(Nemesis.WORKER_KILL, worker, worker, LEAST_PAUSE));
		}
		return strikes;
	}

}
