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

package io.github.zklock.support;

import java.util.concurrent.Future;

import io.github.zklock.zookeeper.tasks.Tasks;

/**
 * The tasks of an engine, of which a test changes some.
 */
public class DelegatingTasks implements Tasks {

	private final Tasks tasks;

	/**
	 * Create the tasks.
	 * @param tasks what does all that is not changed
	 */
	public DelegatingTasks(Tasks tasks) {
		this.tasks = tasks;
	}

	@Override
	public long nanoTime() {
		return this.tasks.nanoTime();
	}

	@Override
	public Future<?> schedule(Runnable action, long delay) {
		return this.tasks.schedule(action, delay);
	}

	@Override
	public void repeat(Runnable action, long pause) {
		this.tasks.repeat(action, pause);
	}

	@Override
	public void callBack(Runnable code) {
		this.tasks.callBack(code);
	}

	@Override
	public void notice(Runnable code) {
		this.tasks.notice(code);
	}

	@Override
	public void onStepThread(Runnable step) {
		this.tasks.onStepThread(step);
	}

	@Override
	public boolean isReplyThread() {
		return this.tasks.isReplyThread();
	}

	@Override
	public void stop() {
		this.tasks.stop();
	}

	@Override
	public boolean isStopped() {
		return this.tasks.isStopped();
	}

}
