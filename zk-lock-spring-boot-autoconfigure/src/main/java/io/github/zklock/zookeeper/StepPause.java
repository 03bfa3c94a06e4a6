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

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The time between a step of a contender that could not be taken, and the next one: a
 * moment, or until its session is usable again.
 */
final class StepPause {

	private static final long MILLIS = 50;

	private final LockEngine engine;

	private final LockSession session;

	private final QueueContender contender;

	private @Nullable Runnable waiting;

	StepPause(LockEngine engine, LockSession session, QueueContender contender) {
		this.engine = engine;
		this.session = session;
		this.contender = contender;
	}

	/**
	 * Go on, with this step, when a request can be sent again.
	 */
	void before(Runnable next) {
		Runnable resume = () -> this.contender.locked(() -> {
			this.waiting = null;
			next.run();
		});
		if (this.session.isUsable()) {
			try {
				this.engine.schedule(resume, MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				this.contender.abandon();
			}
		}
		else if (this.waiting == null) {
			this.waiting = resume;
			this.engine.tracker().whenUsable(resume);
		}
	}

	void end() {
		if (this.waiting != null) {
			this.engine.tracker().forget(this.waiting);
		}
	}

}
