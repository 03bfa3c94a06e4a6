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

package org.apache.zookeeper;

import io.github.zklock.simulation.Cable;

/**
 * Which server a client tries next, and how long it waits before that: as
 * {@code StaticHostProvider} and the client's sending thread do it.
 */
final class ServerChoice {

	/** What the client waits at most before it connects again, and after all servers. */
	private static final int PAUSE_MILLIS = 1000;

	private static final int SHORTEST_LOOK_MILLIS = 100;

	private static final int LONGEST_LOOK_MILLIS = 60_000;

	private final Cable cable;

	private int server = -1;

	/** The server it was connected to last, or tried first. */
	private int last = -1;

	private boolean primed;

	private boolean writerFound;

	private int lookMillis = SHORTEST_LOOK_MILLIS;

	private long lastLook;

	ServerChoice(Cable cable) {
		this.cable = cable;
	}

	int server() {
		return this.server;
	}

	/**
	 * Go to the next server.
	 * @return after how long, in milliseconds
	 */
	long next() {
		long pause = 0;
		if (this.writerFound) {
			this.writerFound = false;
		}
		else {
			this.server = (this.server + 1) % this.cable.size();
			pause = (this.server == this.last) ? PAUSE_MILLIS : 0;
			this.last = Math.max(this.last, 0);
		}
		return this.primed ? pause + this.cable.schedule().random().nextLong(PAUSE_MILLIS) : pause;
	}

	void opened() {
		this.primed = true;
	}

	void connected(long now) {
		this.last = this.server;
		this.lastLook = now;
	}

	/**
	 * Look from time to time for a server that writes.
	 * @return after how long to look again, in milliseconds; 0 when there is one
	 */
	long lookForWriter(long now) {
		if (now - this.lastLook >= this.lookMillis) {
			this.lastLook = now;
			this.lookMillis = Math.min(2 * this.lookMillis, LONGEST_LOOK_MILLIS);
			this.server = (this.server + 1) % this.cable.size();
			if (this.cable.isReadWrite(this.server)) {
				this.lookMillis = SHORTEST_LOOK_MILLIS;
				this.writerFound = true;
				return 0;
			}
		}
		return Math.max(1, this.lookMillis - (now - this.lastLook));
	}

}
