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
 * All that the engine has created since its start, or since the last failure of a step.
 * Such a failure ends the generation: its locks are lost from then on, and no step of its
 * queues begins any more. The periodic check begins another one. So nothing has to be
 * repaired after it.
 */
public final class Generation {

	private final Runnable onEnd;

	private volatile boolean broken;

	/**
	 * Create a generation.
	 * @param onEnd runs when it ends, and may fail
	 */
	Generation(Runnable onEnd) {
		this.onEnd = onEnd;
	}

	/** Return whether a step has failed. */
	public boolean isBroken() {
		return this.broken;
	}

	/**
	 * Run a step on this thread, even after the end of this generation. Its failure ends
	 * this generation.
	 */
	public void run(Runnable step) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	/** End this generation. Called when a step has failed. */
	public void failed(Throwable cause) {
		if (this.broken) {
			return;
		}
		// First, since it takes neither memory nor stack.
		this.broken = true;
		EngineTasks.log("A step of the lock engine has failed, so the locks of this process are lost. New ones work "
				+ "within seconds", cause);
		this.onEnd.run();
	}

}
