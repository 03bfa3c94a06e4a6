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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the workers are told when they ask.
 */
final class Instructions {

	private final Set<String> staying = ConcurrentHashMap.newKeySet();

	private final Set<String> resting = ConcurrentHashMap.newKeySet();

	/**
	 * From now on a worker keeps what it holds, until it is told that it has lost it.
	 */
	void stay(String worker, boolean stays) {
		set(this.staying, worker, stays);
	}

	boolean stays(String worker) {
		return this.staying.contains(worker);
	}

	/**
	 * From now on a worker asks for nothing new.
	 */
	void rest(String worker, boolean rests) {
		set(this.resting, worker, rests);
	}

	boolean rests(String worker) {
		return this.resting.contains(worker);
	}

	private static void set(Set<String> workers, String worker, boolean contained) {
		if (contained) {
			workers.add(worker);
		}
		else {
			workers.remove(worker);
		}
	}

}
