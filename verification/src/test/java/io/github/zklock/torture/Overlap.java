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

package io.github.zklock.torture;

/**
 * Two tenures at once that exclude each other.
 *
 * @param stale the one whose time should have been over: that with the smaller token, or,
 * without tokens, the one that began first
 * @param rightful the other
 */
record Overlap(Grant stale, Grant rightful) {

	static Overlap of(Grant first, Grant second) {
		return first.isAfter(second) ? new Overlap(second, first) : new Overlap(first, second);
	}

	/**
	 * Return for how long both were there, as far as it is over.
	 */
	long millis() {
		long end = Math.min(this.stale.exited, this.rightful.exited);
		return (end - Math.max(this.stale.entered, this.rightful.entered)) / 1_000_000;
	}

}
