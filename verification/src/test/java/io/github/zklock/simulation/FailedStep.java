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

package io.github.zklock.simulation;

import io.github.zklock.core.LockException;
import org.apache.zookeeper.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What ends a step of the engine halfway, as a lack of memory or of stack does.
 */
public final class FailedStep extends Error {

	private static final long serialVersionUID = 1L;

	FailedStep() {
		super("injected", null, false, false);
	}

	/**
	 * Return whether this is why something has failed.
	 */
	static boolean isCauseOf(@Nullable Throwable failure) {
		return failure instanceof FailedStep || (failure != null && failure.getCause() instanceof FailedStep);
	}

	/**
	 * Return whether something else is behind the failure of a request.
	 */
	static boolean isHidden(Throwable failure) {
		return failure instanceof LockException && failure.getCause() != null && !isCauseOf(failure);
	}

	/**
	 * Where a step of a process ends like that: at one of its next requests.
	 */
	public static final class Place {

		private final Trace trace;

		private int left;

		private boolean sent;

		public Place(Trace trace) {
			this.trace = trace;
		}

		/**
		 * Let the step end that sends a request.
		 * @param after how many others go before
		 * @param sent whether the request is sent nevertheless
		 */
		public void arm(int after, boolean sent) {
			this.left = after + 1;
			this.sent = sent;
		}

		/**
		 * A request is about to be sent.
		 * @param type its type
		 * @return whether its step ends once it is sent
		 */
		public boolean isAfter(int type) {
			if (this.left == 0 || --this.left > 0) {
				return false;
			}
			this.trace.note(() -> "a step ends " + (this.sent ? "after " : "instead of ") + Request.op2String(type));
			if (!this.sent) {
				throw new FailedStep();
			}
			return true;
		}

		/**
		 * End the step.
		 */
		public void end() {
			throw new FailedStep();
		}

	}

}
