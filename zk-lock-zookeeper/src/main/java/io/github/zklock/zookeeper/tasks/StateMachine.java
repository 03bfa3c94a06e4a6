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

package io.github.zklock.zookeeper.tasks;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;

/**
 * A state that allows only certain changes. Any other change is a bug of this library,
 * and a failure of the step that makes it.
 *
 * @param <S> the states
 */
public final class StateMachine<S extends Enum<S>> {

	private final BiPredicate<S, S> steps;

	private final AtomicReference<S> state;

	public StateMachine(S first, BiPredicate<S, S> steps) {
		this.state = new AtomicReference<>(first);
		this.steps = steps;
	}

	public S get() {
		return this.state.get();
	}

	public boolean is(S other) {
		return get() == other;
	}

	/**
	 * Change the state, unless it is that state already.
	 * @return whether the state has changed
	 * @throws IllegalStateException if the state must not change like that
	 */
	public boolean to(S next) {
		boolean changed = toIfPossible(next);
		S current = get();
		if (!changed && current != next) {
			throw new IllegalStateException(next.getDeclaringClass().getName() + " " + current + " must not become "
					+ next + ". This is a bug of zk-lock, please report it");
		}
		return changed;
	}

	/**
	 * Change the state if it leads there. It may not any more, if another thread was
	 * faster.
	 * @return whether the state has changed
	 */
	public boolean toIfPossible(S next) {
		while (true) {
			S current = get();
			if (current == next || !this.steps.test(current, next)) {
				return false;
			}
			if (this.state.compareAndSet(current, next)) {
				return true;
			}
		}
	}

}
