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

/**
 * What somebody needs to know of a promise that a schedule has broken.
 */
final class FailureReport {

	private static final int LINES = 250;

	private FailureReport() {
	}

	/**
	 * Return the text: the seed, its set-up, a smaller set-up and what happened in it.
	 */
	static String of(Outcome broken) {
		Outcome[] smallest = { broken };
		StepFailures.quietly(() -> smallest[0] = Shrinking.of(broken));
		StringBuilder text = new StringBuilder();
		text.append("seed ").append(broken.setup().seed()).append(": ").append(broken.violation()).append('\n');
		text.append("replay with -Dsimulation.seed=").append(broken.setup().seed()).append('\n');
		text.append("set-up:   ").append(broken.setup()).append('\n');
		text.append("smallest: ").append(smallest[0].setup()).append('\n');
		text.append("to keep:  ").append(KeptSetUp.json(smallest[0].setup())).append('\n');
		text.append("breaks:   ").append(smallest[0].violation()).append('\n');
		List<String> trace = smallest[0].trace();
		int from = Math.max(0, trace.size() - LINES);
		text.append("trace").append((from > 0) ? ", its last " + LINES + " lines:\n" : ":\n");
		trace.subList(from, trace.size()).forEach((line) -> text.append(line).append('\n'));
		Throwable cause = (smallest[0].violation() != null) ? smallest[0].violation().getCause() : null;
		if (cause != null) {
			text.append(cause).append('\n');
			for (StackTraceElement element : cause.getStackTrace()) {
				text.append("\tat ").append(element).append('\n');
			}
		}
		return text.toString();
	}

}
