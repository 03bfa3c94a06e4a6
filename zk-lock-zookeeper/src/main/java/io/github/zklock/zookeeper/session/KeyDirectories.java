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

package io.github.zklock.zookeeper.session;

import java.util.ArrayList;
import java.util.List;

import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.GetDataResult;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the keys: which of them exist, and the end of those that this
 * process does not use any more.
 */
public final class KeyDirectories {

	/** The number of directories that are remembered. */
	public static final int MOST = 1 << 14;

	private final SessionTracker tracker;

	private final KnownDirectories known;

	public KeyDirectories(SessionTracker tracker, EngineTasks tasks) {
		this.tracker = tracker;
		this.known = new KnownDirectories(tasks::nanoTime);
	}

	/**
	 * Return whether a directory was used so recently that it still exists.
	 */
	public boolean isKnown(String directory) {
		return this.known.contains(directory);
	}

	/**
	 * Remember a directory, and delete forgotten ones that this process has created.
	 * @param created whether this process has created it just now
	 */
	public void used(String directory, boolean created) {
		removeEmpty(this.known.add(directory, created));
	}

	/**
	 * Forget a directory, which does not exist.
	 */
	public void gone(String directory) {
		this.known.remove(directory);
	}

	/**
	 * Delete the empty ones of these directories. The others, and those in which a node
	 * is created meanwhile, are left to the servers.
	 */
	public void removeEmpty(List<String> directories) {
		LockSession session = this.tracker.usable();
		if (session != null && !directories.isEmpty()) {
			session.zooKeeper()
				.multi(directories.stream().map(Op::getData).toList(), (int rc, String asked, Object context,
						@Nullable List<OpResult> results) -> removeFound(session, directories, results), null);
		}
	}

	private static void removeFound(LockSession session, List<String> directories, @Nullable List<OpResult> results) {
		List<Op> deletes = new ArrayList<>();
		for (int i = 0; results != null && i < results.size(); i++) {
			if (results.get(i) instanceof GetDataResult found && found.getStat().getNumChildren() == 0) {
				deletes.add(Op.delete(directories.get(i), -1));
			}
		}
		if (!deletes.isEmpty()) {
			session.zooKeeper().multi(deletes, (rc, asked, context, deleted) -> {
			}, null);
		}
	}

}
