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

package io.github.zklock.zookeeper.queue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.zookeeper.node.AtLeastStamp;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.NodeJanitor;
import io.github.zklock.zookeeper.tasks.MendedTasks;

/**
 * The times for which keys are kept: by stamps, which everybody sees, and by the locks of
 * this process.
 */
public final class AtLeastTimes {

	private final MendedTasks tasks;

	private final ContenderNames names;

	private final NodeJanitor janitor;

	private final StampMemory stamps;

	private final Set<AtLeastTime> running = ConcurrentHashMap.newKeySet();

	public AtLeastTimes(MendedTasks tasks, ContenderNames names, NodeJanitor janitor) {
		this.tasks = tasks;
		this.names = names;
		this.janitor = janitor;
		this.stamps = new StampMemory(tasks::nanoTime);
	}

	public StampMemory stamps() {
		return this.stamps;
	}

	/**
	 * Return the time of a lock.
	 * @param grantedAt when it was granted, by the clock of the engine
	 */
	AtLeastTime of(LockNode node, AtLeastStamp stamp, long grantedAt) {
		return new AtLeastTime(this.tasks, this, this.janitor, node, stamp, grantedAt);
	}

	/**
	 * Delete a stamp, which may be gone already. It is not forgotten before, or its time
	 * would begin again.
	 */
	void remove(String directory, AtLeastStamp stamp) {
		this.names.remember(stamp.name());
		this.janitor.remove(directory, stamp.name(), directory + "/" + stamp.name())
			.thenAccept((existed) -> this.stamps.forget(stamp.name()));
	}

	void begun(AtLeastTime time) {
		this.running.add(time);
	}

	void over(AtLeastTime time) {
		this.running.remove(time);
	}

	/**
	 * This process ends, so only the stamps keep the keys.
	 */
	public void leave() {
		this.running.forEach(AtLeastTime::leave);
	}

}
