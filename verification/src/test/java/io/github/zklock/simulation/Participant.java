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

/**
 * A process of a schedule, from its start to its end, as the judge sees it.
 */
public interface Participant {

	String name();

	/**
	 * Return whether it stands still, so that nobody in it can look at anything.
	 */
	boolean isPaused();

	/**
	 * Return for how many virtual nanoseconds it stood still so far.
	 */
	long pausedNanos();

	/**
	 * Return the session that it has, as far as it knows.
	 */
	long session();

	/**
	 * Do something when it goes on.
	 */
	void whenResumed(Runnable action);

}
