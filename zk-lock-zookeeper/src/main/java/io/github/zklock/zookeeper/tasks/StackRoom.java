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
 * Checks, before anything is changed, that the calling thread has enough stack space for
 * what follows. A stack overflow half way would leave locks of the JDK and of ZooKeeper's
 * client locked for ever.
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
	 * Have the frames compiled, so that they fit into a small stack, and this class
	 * initialized while there is enough stack for that.
	 */
	public static void prepare() {
		for (int i = 0; i < WARM_UP && !prepared; i++) {
			descend(FEW);
		}
		prepared = true;
	}

	/**
	 * Return how many frames are needed for steps without a request: few once they are
	 * compiled.
	 */
	public static int framesWithoutRequest() {
		// Racing threads may lose counts, which does no harm.
		if (steps < COLD) {
			steps++;
			return MANY;
		}
		return FEW;
	}

	/**
	 * Require space for small frames.
	 * @throws StackOverflowError if there is not enough
	 */
	public static void require(int frames) {
		descend(frames);
	}

	public static boolean isLeft(int frames) {
		try {
			descend(frames);
			return true;
		}
		catch (StackOverflowError ex) {
			return false;
		}
	}

	// The addition after the call keeps the compiler from making this a loop.
	private static int descend(int frames) {
		return (frames == 0) ? 0 : descend(frames - 1) + 1;
	}

}
