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

import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Looks for the smallest set-up that breaks the same promise: fewer clients, callers,
 * keys, operations and faults, each of them in some orders of its steps.
 */
final class Shrinking {

	private static final int ORDERS = 12;

	private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

	private static final int MOST = 2000;

	private final String invariant;

	private final Function<Setup, Outcome> play;

	private Outcome smallest;

	private int played;

	private final long begin = System.nanoTime();

	private Shrinking(Outcome broken, Function<Setup, Outcome> play) {
		this.play = play;
		this.smallest = broken;
		this.invariant = (broken.violation() != null) ? broken.violation().invariant() : "";
	}

	/**
	 * Return the smallest broken schedule that was found, with its trace.
	 */
	static Outcome of(Outcome broken) {
		return Outcome.of(smallest(broken, (setup) -> Outcome.of(setup, false)), true);
	}

	/**
	 * Return the smallest broken set-up that is found.
	 * @param play plays a set-up
	 */
	static Setup smallest(Outcome broken, Function<Setup, Outcome> play) {
		Shrinking shrinking = new Shrinking(broken, play);
		while (shrinking.shrink()) {
			// The next one is smaller still.
		}
		return shrinking.smallest.setup();
	}

	private boolean shrink() {
		for (Setup setup : this.smallest.setup().smaller()) {
			for (int order = 0; order < ORDERS; order++) {
				if (++this.played > MOST || System.nanoTime() - this.begin > LONGEST) {
					return false;
				}
				Outcome outcome = this.play.apply(setup.withOrder(order));
				if (outcome.violation() != null && outcome.violation().invariant().equals(this.invariant)) {
					this.smallest = outcome;
					return true;
				}
			}
		}
		return false;
	}

}
