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

package io.github.zklock.benchmarks.service;

/**
 * What threads do with locks. Each row is a lock and its unlock, with nothing between
 * them but a look whether there is a second holder.
 */
enum Workload {

	FREE_KEY("A free key, one thread", 1, 1, 1, 5),

	MANY_KEYS("1,024 keys, 64 threads", 1, 64, 1024, 5),

	ONE_KEY("One key, 32 threads of one process", 1, 32, 1, 4),

	FLEET("One key, 4 processes with 8 threads each", 4, 8, 1, 4),

	FAILED_TRY("One attempt on a key that another process holds, one thread", 1, 1, 1, 3);

	private final String title;

	private final int processes;

	private final int threads;

	private final int keys;

	private final int seconds;

	Workload(String title, int processes, int threads, int keys, int seconds) {
		this.title = title;
		this.processes = processes;
		this.threads = threads;
		this.keys = keys;
		this.seconds = seconds;
	}

	String title() {
		return this.title;
	}

	int processes() {
		return this.processes;
	}

	int threads() {
		return this.threads;
	}

	int keys() {
		return this.keys;
	}

	/**
	 * Return how long it is measured. The warm-up takes three times as long.
	 * @return the seconds
	 */
	int seconds() {
		return this.seconds;
	}

	int warmUpSeconds() {
		return 3 * this.seconds;
	}

}
