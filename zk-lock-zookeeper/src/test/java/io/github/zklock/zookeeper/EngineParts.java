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

package io.github.zklock.zookeeper;

import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.local.HeldLocks;
import io.github.zklock.zookeeper.local.LocalQueues;
import io.github.zklock.zookeeper.local.LockCache;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.queue.Services;
import io.github.zklock.zookeeper.queue.StampMemory;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.apache.curator.framework.CuratorFramework;

/**
 * The parts of an engine, for the tests of the rooms below the provider.
 */
public final class EngineParts {

	private final LockEngine engine;

	private EngineParts(LockEngine engine) {
		this.engine = engine;
	}

	/**
	 * Return the parts of a provider.
	 */
	public static EngineParts of(ZooKeeperLockProvider provider) {
		return new EngineParts(provider.engine);
	}

	/**
	 * Start an engine without a provider, with the tick of the servers of these tests.
	 */
	public static EngineParts start(CuratorFramework client, String root) {
		EngineParts parts = new EngineParts(new LockEngine(
				ZooKeeperLockProvider.builder(client).serverTick(ZooKeeperServerFixture.TICK).root(root)));
		parts.tracker().start();
		return parts;
	}

	/**
	 * Return an engine that is not started.
	 */
	public static EngineParts of(Connection connection, Tasks tasks) {
		return new EngineParts(new LockEngine(
				new ZooKeeperLockProviderBuilder(connection).processNumber((session) -> 1).tasks(tasks)));
	}

	public SessionTracker tracker() {
		return this.engine.tracker;
	}

	public EngineTasks tasks() {
		return this.engine.tasks;
	}

	public LockPaths paths() {
		return this.engine.paths;
	}

	public LockCache cache() {
		return this.engine.cache;
	}

	public Services services() {
		return this.engine.services;
	}

	public StampMemory stamps() {
		return this.engine.holds.stamps();
	}

	public HeldLocks held() {
		return this.engine.held;
	}

	public LocalQueues queues() {
		return this.engine.queues;
	}

	public void recheck() {
		this.engine.periodicCheck();
	}

	public void shutdown() {
		this.engine.stop();
	}

}
