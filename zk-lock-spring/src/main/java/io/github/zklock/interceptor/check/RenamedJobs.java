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

package io.github.zklock.interceptor.check;

import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.internal.Failures;
import io.github.zklock.interceptor.ScheduledJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once of jobs that may have run under an earlier name, when the backend can be
 * asked.
 */
final class RenamedJobs {

	private static final Logger logger = LoggerFactory.getLogger(RenamedJobs.class);

	private final ScheduledJobs jobs;

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	RenamedJobs(ScheduledJobs jobs) {
		this.jobs = jobs;
	}

	/**
	 * Look for them on a thread of its own, unless that was done.
	 */
	void look() {
		if (this.state.compareAndSet(State.OPEN, State.LOOKING)) {
			Throwable failure = Failures.thrownBy(() -> {
				Thread thread = new Thread(null, this::lookNow, "zk-lock-renamed-jobs", 0, false);
				thread.setDaemon(true);
				thread.start();
			});
			if (failure != null) {
				this.state.set(State.OPEN);
				logger.debug("There is no thread to look for renamed jobs", failure);
			}
		}
	}

	private void lookNow() {
		State next = State.OPEN;
		try {
			this.jobs.warnOfRenamed();
			next = State.DONE;
		}
		catch (LockAccessException ex) {
			next = State.DONE;
			logger.info("Whether jobs have run under an earlier name is not looked for: {}", ex.getMessage());
		}
		catch (RuntimeException ex) {
			logger.debug("Whether jobs have run under an earlier name is not known", ex);
		}
		finally {
			this.state.set(next);
		}
	}

	private enum State {

		OPEN, LOOKING, DONE

	}

}
