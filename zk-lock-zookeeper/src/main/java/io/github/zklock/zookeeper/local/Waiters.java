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

import org.jspecify.annotations.Nullable;

/**
 * Those that wait in a local queue, in the order of their arrival. The queue adds them
 * and decides about those that get no lock; the hand-off removes those that get it.
 * Guarded by the mutex of the queue.
 *
 * @param <W> what waits
 */
final class Waiters<W> {

	private final Set<W> all = new LinkedHashSet<>(2);

	boolean isEmpty() {
		return this.all.isEmpty();
	}

	int size() {
		return this.all.size();
	}

	boolean contains(W waiter) {
		return this.all.contains(waiter);
	}

	/** Return what has waited for longest, if anything waits. */
	@Nullable W first() {
		return this.all.isEmpty() ? null : this.all.iterator().next();
	}

	void add(W waiter) {
		this.all.add(waiter);
	}

	void remove(W waiter) {
		this.all.remove(waiter);
	}

	/** Decide about one of them. */
	void decide(W waiter, Consumer<W> action) {
		action.accept(waiter);
		remove(waiter);
	}

	/** Decide about those that fulfil a condition. */
	void decideAll(Predicate<W> condition, Consumer<W> action) {
		this.all.stream().filter(condition).toList().forEach((waiter) -> decide(waiter, action));
	}

	void forEach(Consumer<W> action) {
		this.all.forEach(action);
	}

}
