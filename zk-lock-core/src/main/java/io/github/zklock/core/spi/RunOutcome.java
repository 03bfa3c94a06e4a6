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

package io.github.zklock.core.spi;

/**
 * How a run of a job ended.
 *
 * @since 0.1.0
 */
public enum RunOutcome {

	/** The work returned without a failure. */
	DONE,

	/** The work threw an exception. A run that has failed has taken place. */
	FAILED,

	/** The work was interrupted, as in a shutdown. */
	INTERRUPTED,

	/** The work never began, although its lock was acquired. It is not an attempt. */
	UNUSED;

	/**
	 * Return whether the work did not come to its end.
	 * @return whether another run may repeat it
	 */
	public boolean isUnfinished() {
		return this == INTERRUPTED || this == UNUSED;
	}

}
