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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * What has happened, one line for each step and note. Only the last lines are kept; the
 * {@linkplain #hash() hash} is of all.
 */
public final class Trace {

	private static final int LINES = 4000;

	private final Deque<String> lines = new ArrayDeque<>();

	private long hash = 17;

	private boolean kept;

	/**
	 * Keep the lines too, which takes time.
	 */
	public void keep() {
		this.kept = true;
	}

	void add(long step, long now, String lane, String what) {
		this.hash = 31 * (31 * this.hash + now) + what.hashCode() + 7L * lane.hashCode();
		if (this.kept) {
			keep(String.format("%6d %12.3f ms  %-14s %s", step, now / 1e6, lane, what));
		}
	}

	/**
	 * Say what a step has done.
	 */
	public void note(String what) {
		this.hash = 31 * this.hash + what.hashCode();
		if (this.kept) {
			keep("                           " + what);
		}
	}

	/**
	 * Say what a step has done, if the lines are kept; it is not part of the hash.
	 */
	public void note(Supplier<String> what) {
		if (this.kept) {
			keep("                           " + what.get());
		}
	}

	private void keep(String line) {
		if (this.lines.size() == LINES) {
			this.lines.removeFirst();
		}
		this.lines.add(line);
	}

	public List<String> lines() {
		return List.copyOf(this.lines);
	}

	public long hash() {
		return this.hash;
	}

}
