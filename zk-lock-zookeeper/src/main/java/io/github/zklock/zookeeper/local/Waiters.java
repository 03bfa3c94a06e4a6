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

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Those that wait in a local queue, in the order of their arrival. The queue adds them
 * and answers those that get no lock; the hand-over removes those that get it. Guarded by
 * the lock of the queue.
 *
 * @param <W> what waits, in one queue only
 */
final class Waiters<W extends Waiters.Waiter<W>> {

	private @Nullable W first;

	private @Nullable W last;

	private int size;

	boolean isEmpty() {
		return this.first == null;
	}

	int size() {
		return this.size;
	}

	boolean contains(W waiter) {
		return waiter.ahead != null || waiter == this.first;
	}

	/** Return what has waited for longest, if anything waits. */
	@Nullable W first() {
		return this.first;
	}

	void add(W waiter) {
		waiter.ahead = this.last;
		if (this.last != null) {
			this.last.behind = waiter;
		}
		else {
			this.first = waiter;
		}
		this.last = waiter;
		this.size++;
	}

	void remove(W waiter) {
		if (!contains(waiter)) {
			return;
		}
		W ahead = waiter.ahead;
		W behind = waiter.behind;
		if (ahead != null) {
			ahead.behind = behind;
		}
		else {
			this.first = behind;
		}
		if (behind != null) {
			behind.ahead = ahead;
		}
		else {
			this.last = ahead;
		}
		waiter.ahead = null;
		waiter.behind = null;
		this.size--;
	}

	/** Answer one of them, which still waits if that fails. */
	void answer(W waiter, Consumer<W> action) {
		action.accept(waiter);
		remove(waiter);
	}

	/** Answer those that fulfil a condition. */
	void answerAll(Predicate<W> condition, Consumer<W> action) {
		List<W> found = new ArrayList<>(0);
		forEach((waiter) -> {
			if (condition.test(waiter)) {
				found.add(waiter);
			}
		});
		found.forEach((waiter) -> answer(waiter, action));
	}

	void forEach(Consumer<W> action) {
		for (W waiter = this.first; waiter != null; waiter = waiter.behind) {
			action.accept(waiter);
		}
	}

	/**
	 * What waits. It has the links of the list itself, so it takes no other memory.
	 *
	 * @param <W> its type
	 */
	abstract static class Waiter<W> {

		@Nullable W ahead;

		@Nullable W behind;

	}

}
