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

import org.jspecify.annotations.Nullable;

/**
 * What came of one schedule.
 *
 * @param setup what it was
 * @param violation the promise that was broken, or {@code null}
 * @param hash the hash of all its steps
 * @param counts what has happened
 * @param trace its last steps, if they were kept
 */
record Outcome(Setup setup, @Nullable Violation violation, long hash, Counts counts, List<String> trace) {

	/**
	 * Play a schedule.
	 * @param traced whether to keep the trace, which takes time
	 */
	static Outcome of(Setup setup, boolean traced) {
		World world = new World(setup, traced);
		Violation violation = null;
		try {
			world.run();
		}
		catch (Violation ex) {
			violation = ex;
		}
		catch (RuntimeException | Error ex) {
			violation = new Violation("I10", "a task has thrown " + ex, ex);
		}
		Trace trace = world.schedule().trace();
		return new Outcome(setup, violation, trace.hash(), world.counts(), trace.lines());
	}

	boolean isBroken() {
		return this.violation != null;
	}

}
