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

/**
 * How many listings fit into one packet, as far as the ones that were seen tell. A client
 * gives up its connection when an answer is larger than it takes.
 */
final class ListingSizes {

	private static final int ROOM = 512 * 1024;

	private static final int LEAST = 5 * 1024;

	private static final int FADING = 1024;

	private int widest = LEAST;

	int together() {
		return Math.max(ROOM / this.widest, 1);
	}

	void seen(int bytes) {
		int faded = this.widest - this.widest / FADING;
		this.widest = Math.max(LEAST, Math.max(bytes, faded));
	}

	/**
	 * Several at once were not answered, perhaps because they did not fit.
	 */
	void lost() {
		this.widest = Math.min(this.widest * 2, ROOM);
	}

}
