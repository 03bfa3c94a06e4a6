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

package io.github.zklock.sample.node;

import java.util.concurrent.CancellationException;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Lets the jobs of the node stand still, as all of its process would in a long pause.
 *
 * @since 0.1.0
 */
@Component
public class NodePause {

	private boolean paused;

	/**
	 * Let jobs stand still, or go on.
	 * @param paused whether they stand still
	 */
	public synchronized void set(boolean paused) {
		this.paused = paused;
		notifyAll();
	}

	/**
	 * Stand still as long as the node does.
	 * @throws CancellationException if the node is being stopped
	 */
	synchronized void pass() {
		try {
			while (this.paused) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancellationException("The node is being stopped");
		}
	}

	@EventListener(ContextClosedEvent.class)
	void end() {
		set(false);
	}

}
