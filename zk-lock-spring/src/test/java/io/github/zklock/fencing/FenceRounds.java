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

package io.github.zklock.fencing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Plays rounds on several threads, each with random numbers of its own.
 */
final class FenceRounds {

	private FenceRounds() {
	}

	static void run(int threads, int rounds, long seed, Round round) throws InterruptedException, ExecutionException {
		ExecutorService pool = Executors.newFixedThreadPool(threads);
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int thread = 0; thread < threads; thread++) {
				Random random = new Random(seed + thread);
				all.add(pool.submit(() -> {
					for (int played = 0; played < rounds / threads; played++) {
						round.play(random);
					}
					return null;
				}));
			}
			for (Future<?> each : all) {
				each.get();
			}
		}
		finally {
			pool.shutdownNow();
		}
	}

	interface Round {

		void play(Random random) throws Exception;

	}

}
