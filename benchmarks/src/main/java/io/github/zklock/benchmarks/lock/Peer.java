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

package io.github.zklock.benchmarks.lock;

import java.util.function.Function;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;

/**
 * Who takes part.
 *
 * @since 0.1.0
 */
public enum Peer {

	/**
	 * This project.
	 */
	ZK_LOCK("zk-lock", ZkLockVariant.DEFAULT),

	/**
	 * This project, with a release that does not wait.
	 */
	ASYNC_RELEASE("zk-lock, `await-release=false`", ZkLockVariant.ASYNC_RELEASE),

	/**
	 * This project, with locks that are kept until another process wants them.
	 */
	CACHED("zk-lock, `cache=true`", ZkLockVariant.CACHED),

	/**
	 * This project, first come, first served.
	 */
	STRICT("zk-lock, `fairness=strict`", ZkLockVariant.STRICT),

	/**
	 * Curator's mutex as its documentation shows it: an instance for each use.
	 */
	MUTEX_FRESH("Curator `InterProcessMutex`, fresh",
			(client) -> new CuratorContender((key) -> new InterProcessMutex(client, key))),

	/**
	 * Curator's mutex, one instance for each key.
	 */
	MUTEX_SHARED("Curator `InterProcessMutex`, shared",
			(client) -> new CuratorContender(CuratorContender.shared((key) -> new InterProcessMutex(client, key)))),

	/**
	 * Curator's read-write lock.
	 */
	READ_WRITE("Curator `InterProcessReadWriteLock`", ReadWriteContender::new),

	/**
	 * Curator's mutex that is not re-entrant.
	 */
	SEMAPHORE_MUTEX("Curator `InterProcessSemaphoreMutex`",
			(client) -> new CuratorContender((key) -> new InterProcessSemaphoreMutex(client, key))),

	/**
	 * Spring Integration's registry.
	 */
	SPRING_INTEGRATION("Spring Integration `ZookeeperLockRegistry`", SpringIntegrationContender::new),

	/**
	 * ShedLock, asked again every millisecond while another process holds the lock.
	 */
	SHEDLOCK("ShedLock", ShedLockContender::new),

	/**
	 * No lock at all, but what one cannot do without: the limit.
	 */
	RAW("create + delete of the raw client", RawContender::new);

	private final String label;

	private final Function<CuratorFramework, Contender> factory;

	private final boolean ours;

	Peer(String label, Function<CuratorFramework, Contender> factory) {
		this.label = label;
		this.factory = factory;
		this.ours = false;
	}

	Peer(String label, ZkLockVariant variant) {
		this.label = label;
		this.factory = (client) -> new ZkLockContender(client, variant);
		this.ours = true;
	}

	/**
	 * Return whether it is to stand out.
	 * @return {@code true} for this project
	 */
	boolean isOurs() {
		return this.ours;
	}

	/**
	 * Return the name for people.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

	Contender on(CuratorFramework client) {
		return this.factory.apply(client);
	}

}
