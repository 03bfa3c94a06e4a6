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

/**
 * Whether something that was so each time is likely to be so the next time. A guess that
 * turns out wrong has its price, so after each of them it takes longer until the next
 * one.
 */
public final class AdaptiveGuess {

	private static final int MOST_PATIENT = 64;

	private static final int MORE_PATIENT = 4;

	private int inARow;

	private int patience = 1;

	// Since the last wrong guess.
	private boolean wasLikely;

	public synchronized boolean isLikely() {
		return this.inARow >= this.patience;
	}

	/**
	 * It was so once more, or it was not.
	 */
	public synchronized void add(boolean was) {
		this.inARow = was ? this.inARow + 1 : 0;
		this.wasLikely |= isLikely();
	}

	/**
	 * A guess was wrong, perhaps one of several at the same time.
	 */
	public synchronized void disappoint() {
		this.inARow = 0;
		if (this.wasLikely) {
			this.wasLikely = false;
			this.patience = Math.min(this.patience * MORE_PATIENT, MOST_PATIENT);
		}
	}

}
