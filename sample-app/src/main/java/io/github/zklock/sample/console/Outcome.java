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

package io.github.zklock.sample.console;

import org.jspecify.annotations.Nullable;

/**
 * What has become of an action.
 *
 * @param run the number of the run
 * @param action the action
 * @param node the node it was for, if it was for one
 * @param phase how far it is
 * @param text one sentence
 */
record Outcome(int run, String action, @Nullable String node, Phase phase, String text) {

	/**
	 * How far an action is.
	 */
	enum Phase {

		/** It runs. */
		RUNNING,

		/** It has done what it says. */
		DONE,

		/** It has not. */
		FAILED

	}

}
