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

package io.github.zklock.scheduling;

/**
 * What another library with its own locks on scheduled methods needs of a task.
 *
 * @since 0.1.0
 */
public interface ScheduledTaskNeed {

	/**
	 * Return whether the lock of a task needs its runs.
	 * @param task the text of the task
	 * @return whether it is
	 */
	boolean needsRun(String task);

	/**
	 * Return whether the library has to see the task itself, and would not recognise it
	 * inside another task. Then its runs are not passed to its thread.
	 * @param task the text of the task
	 * @return whether it has
	 */
	boolean needsTask(String task);

}
