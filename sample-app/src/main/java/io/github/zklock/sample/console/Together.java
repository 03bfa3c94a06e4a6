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

import io.github.zklock.core.LockMode;

/**
 * Counts who is in the body of one lock at the same time.
 */
class Together {

	private String key = "";

	private int readers;

	private int writers;

	private int mostReaders;

	private int clashes;

	synchronized void watch(String key) {
		this.key = key;
		this.readers = 0;
		this.writers = 0;
		this.mostReaders = 0;
		this.clashes = 0;
	}

	synchronized Runnable enter(String key, LockMode mode) {
		if (!key.equals(this.key)) {
			return () -> {
			};
		}
		if (mode == LockMode.READ) {
			this.readers++;
			this.mostReaders = Math.max(this.mostReaders, this.readers);
		}
		else {
			this.writers++;
		}
		if (this.writers > 1 || (this.writers == 1 && this.readers > 0)) {
			this.clashes++;
		}
		return () -> leave(key, mode);
	}

	private synchronized void leave(String key, LockMode mode) {
		if (mode == LockMode.READ) {
			this.readers--;
		}
		else {
			this.writers--;
		}
	}

	synchronized int mostReaders() {
		return this.mostReaders;
	}

	synchronized int clashes() {
		return this.clashes;
	}

}
