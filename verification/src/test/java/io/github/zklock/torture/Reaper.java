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

package io.github.zklock.torture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * The judge's own client: deletes the nodes of keys that nobody uses, as the servers do
 * from time to time, and looks for what was left behind.
 */
final class Reaper implements AutoCloseable {

	private static final String ROOT = "/locks";

	private static final String SESSIONS = "~sessions";

	private static final int ATTEMPTS = 5;

	private final ZooKeeper zooKeeper;

	private int reaped;

	Reaper(String connectString) {
		try {
			this.zooKeeper = new ZooKeeper(connectString, 30_000, (event) -> {
			});
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Delete what can be deleted, again and again.
	 */
	void reap(long millis) {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		while (System.nanoTime() - end < 0) {
			for (String key : TortureKeys.ALL) {
				this.reaped += remove(ROOT + "/" + key) ? 1 : 0;
			}
			TortureBlows.pause(1);
		}
	}

	int reaped() {
		return this.reaped;
	}

	/**
	 * Return the nodes of contenders that there are.
	 */
	List<String> contenders() {
		List<String> contenders = new ArrayList<>();
		for (String key : children(ROOT)) {
			if (!key.equals(SESSIONS)) {
				children(ROOT + "/" + key).forEach((child) -> contenders.add(key + "/" + child));
			}
		}
		return contenders;
	}

	/**
	 * Delete the nodes of all keys. A worker may delete its own ones at the same time,
	 * and the connection may be lost meanwhile.
	 * @return those that are left
	 */
	List<String> reapAll() {
		List<String> left = keys();
		for (int i = 0; i < ATTEMPTS && !left.isEmpty(); i++) {
			left.forEach((key) -> remove(ROOT + "/" + key));
			left = keys();
		}
		return left;
	}

	private List<String> keys() {
		return children(ROOT).stream().filter((key) -> !key.equals(SESSIONS)).toList();
	}

	private List<String> children(String path) {
		try {
			return this.zooKeeper.getChildren(path, false);
		}
		catch (KeeperException.NoNodeException ex) {
			return List.of();
		}
		catch (KeeperException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private boolean remove(String path) {
		try {
			this.zooKeeper.delete(path, -1);
			return true;
		}
		catch (KeeperException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.zooKeeper.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
