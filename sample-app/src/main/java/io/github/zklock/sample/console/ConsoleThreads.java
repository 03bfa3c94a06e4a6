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

package io.github.zklock.sample.console;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The threads of the actions, which hold up no end of the application.
 */
class ConsoleThreads implements Executor, ApplicationListener<ContextClosedEvent> {

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "console-action");
		thread.setDaemon(true);
		return thread;
	});

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

	boolean isEnding() {
		return this.threads.isShutdown();
	}

	// Nodes that are closed say so to their parent, too.
	@Override
	public void onApplicationEvent(ContextClosedEvent closed) {
		if (closed.getApplicationContext().getParent() == null) {
			this.threads.shutdownNow();
		}
	}

}
