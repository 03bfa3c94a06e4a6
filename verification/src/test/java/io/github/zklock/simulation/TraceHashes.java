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

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

/**
 * Prints what schedules have done, to be compared with what they do in another JVM.
 */
public final class TraceHashes {

	/** How many of them are compared. */
	static final int SEEDS = 60;

	private TraceHashes() {
	}

	static List<Long> of(long firstSeed, int count) {
		AtomicReference<List<Long>> hashes = new AtomicReference<>(List.of());
		StepFailures.quietly(() -> hashes.set(LongStream.range(firstSeed, firstSeed + count)
			.mapToObj((seed) -> Outcome.of(Setup.draw(seed), false).hash())
			.toList()));
		return hashes.get();
	}

	public static void main(String[] args) {
		List<Long> hashes = of(Long.parseLong(args[0]), SEEDS);
		for (int i = 0; i < hashes.size(); i++) {
			System.out.println("hash " + i + " " + hashes.get(i));
		}
	}

}
