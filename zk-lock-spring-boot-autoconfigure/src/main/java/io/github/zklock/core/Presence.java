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

package io.github.zklock.core;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The time in which a thread runs under a lock, or several, as listeners see it. Each
 * listener that was told of its begin is told of its end, in the opposite order, wherever
 * the stack of the thread ends.
 */
final class Presence {

	// For what is done here, and by the usual listener.
	private static final int FRAMES = 128;

	private final List<Runnable> leaving = new ArrayList<>(0);

	private @Nullable LockListeners told;

	private Presence() {
	}

	/**
	 * The calling thread begins to run under a lock, or several.
	 * @param handle the lock
	 * @return its presence, which has to be ended
	 */
	static Presence begin(LockHandle handle) {
		Presence presence = new Presence();
		try {
			for (LockHandle each : handle.handles()) {
				if (each instanceof ObservedHandle observed) {
					// A stack that ended later would end between a listener and the note
					// of
					// it.
					requireStack(FRAMES);
					observed.entered(presence);
				}
			}
		}
		catch (Throwable ex) {
			// There is no stack or memory left to tell the others.
			presence.end();
			throw ex;
		}
		return presence;
	}

	void add(LockListeners listeners, @Nullable Runnable left) {
		if (left != null) {
			this.told = listeners;
			this.leaving.add(left);
		}
	}

	/**
	 * The thread leaves. Throws nothing.
	 */
	void end() {
		LockListeners listeners = this.told;
		for (int i = this.leaving.size() - 1; listeners != null && i >= 0; i--) {
			try {
				listeners.guard(this.leaving.get(i));
			}
			catch (Throwable ex) {
				// There is no stack or memory left to log it, but others are to be told.
			}
		}
	}

	private static int requireStack(int frames) {
		return (frames == 0) ? 0 : requireStack(frames - 1) + 1;
	}

}
