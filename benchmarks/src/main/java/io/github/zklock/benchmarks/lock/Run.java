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

package io.github.zklock.benchmarks.lock;

import java.util.Map;

import io.github.zklock.benchmarks.server.Backend;

/**
 * Something that is measured once in every round.
 */
interface Run {

	/**
	 * Return the name under which it is remembered.
	 * @return the series
	 */
	String series();

	/**
	 * Return what it runs on.
	 * @return the servers
	 */
	Backend backend();

	/**
	 * Return about how long it takes.
	 * @return seconds
	 */
	double seconds();

	/**
	 * Measure.
	 * @param running the servers
	 * @return what was measured
	 * @throws Exception if it fails
	 */
	Map<String, Double> run(Backend.Running running) throws Exception;

	/**
	 * Say what was measured.
	 * @param values the values
	 * @return a line
	 */
	String describe(Map<String, Double> values);

}
