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

package io.github.zklock.zookeeper;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Something that happens in a moment, once for all who want it until then.
 */
final class SoonOnce {

	private final Runnable action;

	private final Consumer<Runnable> soon;

	private final AtomicBoolean planned = new AtomicBoolean();

	/**
	 * Create an instance.
	 * @param soon runs something in a moment, unless everything is over
	 */
	SoonOnce(Runnable action, Consumer<Runnable> soon) {
		this.action = action;
		this.soon = soon;
	}

	void plan() {
		if (this.planned.compareAndSet(false, true)) {
			try {
				this.soon.accept(this::happen);
			}
			catch (Throwable ex) {
				happen();
			}
		}
	}

	private void happen() {
		this.planned.set(false);
		this.action.run();
	}

}
