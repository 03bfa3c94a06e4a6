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
 * Makes sure, before anything is changed, that the calling thread has room on its stack
 * for what follows. Who runs out of it half way leaves locks of the JDK and of
 * ZooKeeper's client locked for ever, which nobody can mend.
 */
public final class StackRoom {

	private static final int FEW = 128;

	private static final int COLD = 20_000;

	/** For a request, and what ZooKeeper's client and the timer need for it. */
	public static final int MANY = 1500;

	private static final int WARM_UP = 1000;

	private static int steps;

	private static volatile boolean prepared;

	private StackRoom() {
	}

	/**
	 * Have the frames compiled, so that a thread with a small stack has room for them,
	 * and this class initialized, while there is room for that.
	 */
	public static void prepare() {
		for (int i = 0; i < WARM_UP && !prepared; i++) {
			descend(FEW);
		}
		prepared = true;
	}

	/**
	 * Return how many frames are needed for steps that ask nobody: few once those are
	 * compiled.
	 */
	public static int few() {
		// Threads that get in each other's way here count less.
		if (steps < COLD) {
			steps++;
			return MANY;
		}
		return FEW;
	}

	/**
	 * Require room.
	 * @param frames for how many small frames
	 * @throws StackOverflowError if there is not enough
	 */
	public static void require(int frames) {
		descend(frames);
	}

	/**
	 * Return whether there is room.
	 * @param frames for how many small frames
	 */
	public static boolean isLeft(int frames) {
		try {
			descend(frames);
			return true;
		}
		catch (StackOverflowError ex) {
			return false;
		}
	}

	// Not a loop to the compiler, since something follows the call.
	private static int descend(int frames) {
		return (frames == 0) ? 0 : descend(frames - 1) + 1;
	}

}
