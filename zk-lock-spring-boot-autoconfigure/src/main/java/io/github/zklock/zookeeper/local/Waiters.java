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

package io.github.zklock.zookeeper.local;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Those who wait in a local queue, in their order. Guarded by the lock of the queue.
 */
final class Waiters {

	private final Set<LockAttempt> attempts = new LinkedHashSet<>();

	void add(LockAttempt attempt) {
		this.attempts.add(attempt);
	}

	void remove(LockAttempt attempt) {
		this.attempts.remove(attempt);
	}

	/**
	 * Answer those that meet a condition, and remove them.
	 */
	void answer(Predicate<LockAttempt> condition, Consumer<LockAttempt> action) {
		for (LockAttempt attempt : this.attempts.stream().filter(condition).toList()) {
			answer(attempt, action);
		}
	}

	/**
	 * Answer one and remove it. Whoever could not be answered still waits.
	 */
	void answer(LockAttempt attempt, Consumer<LockAttempt> action) {
		action.accept(attempt);
		this.attempts.remove(attempt);
	}

	boolean contains(LockAttempt attempt) {
		return this.attempts.contains(attempt);
	}

	void forEach(Consumer<LockAttempt> action) {
		this.attempts.forEach(action);
	}

	boolean isEmpty() {
		return this.attempts.isEmpty();
	}

	int size() {
		return this.attempts.size();
	}

	LockAttempt first() {
		return this.attempts.iterator().next();
	}

}
