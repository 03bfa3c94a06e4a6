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

package io.github.zklock.zookeeper.client;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.zookeeper.client.ForeignRights.Answer;
import io.github.zklock.zookeeper.client.ForeignRights.Exposure;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.curator.framework.api.ACLProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that other clients may change although the ACL of the locks keeps them out.
 * The root and the directory of the heartbeats are looked at once a minute. Directories
 * of keys that this client did not create, and jobs, are looked at when they are first
 * used.
 */
public final class ExposedNodes {

	private static final Logger logger = LoggerFactory.getLogger(ExposedNodes.class);

	private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST = 100;

	private static final int MOST_COUNTED = 10_000;

	private final ForeignRights rights;

	private final LockPaths paths;

	private final EngineTasks tasks;

	private final String label;

	private final Map<String, Exposure> exposed = new ConcurrentHashMap<>();

	// Those beyond the first ones, which are counted.
	private final Set<String> more = ConcurrentHashMap.newKeySet();

	private final Queue<Runnable> looks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waiting = new AtomicInteger();

	private long lookedAt;

	private @Nullable Long countedAt;

	/**
	 * Create the nodes, none of them known.
	 * @param paths contain the paths that are looked at once a minute
	 * @param acls the ACL that each path is to have
	 * @param tasks run what comes later
	 * @param label the name of the client for messages
	 */
	public ExposedNodes(LockPaths paths, ACLProvider acls, EngineTasks tasks, String label) {
		this.rights = new ForeignRights(paths.root(), acls, this::oneAtATime);
		this.paths = paths;
		this.tasks = tasks;
		this.label = label;
		this.lookedAt = tasks.nanoTime() - INTERVAL;
	}

	/**
	 * Look at a node that was there before this client wanted to create it.
	 * @param session the session to ask with
	 * @param path the full path of the node
	 */
	public void found(LockSession session, String path) {
		if (this.rights.isWanted()) {
			this.rights.find(session.zooKeeper(), path, (answer) -> take(path, answer));
		}
	}

	/**
	 * Look at the root, and at nodes whose ACL was to be fixed. Called by the periodic
	 * check only.
	 * @param session the session to ask with
	 */
	public void lookAgain(LockSession session) {
		if (this.rights.isWanted() && this.tasks.nanoTime() - this.lookedAt >= INTERVAL) {
			this.lookedAt = this.tasks.nanoTime();
			Set<String> again = new LinkedHashSet<>(List.of(this.paths.root(), this.paths.sessions()));
			again.addAll(this.exposed.keySet());
			this.more.stream().limit(MOST - Math.min(this.exposed.size(), MOST)).forEach(again::add);
			again.forEach((path) -> found(session, path));
		}
	}

	// The ACL provider may block, which must cost no more than one thread for callbacks.
	// A node that is not looked at is no fault of the locks.
	private void oneAtATime(Runnable look) {
		if (this.waiting.get() <= MOST_COUNTED) {
			this.looks.add(look);
			if (this.waiting.getAndIncrement() == 0) {
				this.tasks.callBack(this::lookAtAll);
			}
		}
	}

	private void lookAtAll() {
		do {
			try {
				Objects.requireNonNull(this.looks.poll(), "Each one is counted").run();
			}
			catch (Throwable ex) {
				EngineTasks.log("The ACL of a node could not be compared", ex);
			}
		}
		while (this.waiting.decrementAndGet() > 0);
	}

	private void take(String path, Answer answer) {
		Exposure exposure = answer.exposure();
		if (exposure != null && (this.exposed.size() < MOST || this.exposed.containsKey(path))) {
			this.more.remove(path);
			if (this.exposed.put(path, exposure) == null) {
				logger.error("{}{}. {}", exposure.text(), this.label, exposure.remedy());
			}
		}
		else if (exposure != null) {
			count(path, exposure);
		}
		else if (answer.known() && (this.exposed.remove(path) != null || this.more.remove(path))) {
			logger.info("The locks at {} are protected from other clients again{}", path, this.label);
		}
	}

	private void count(String path, Exposure exposure) {
		long now = this.tasks.nanoTime();
		Long before = this.countedAt;
		if (this.more.size() < MOST_COUNTED && this.more.add(path) && (before == null || now - before >= INTERVAL)) {
			this.countedAt = now;
			logger.error(
					"{}{}. {}. {} nodes like this are known already, so at most one a minute is logged from now on",
					exposure.text(), this.label, exposure.remedy(), this.exposed.size() + this.more.size() - 1);
		}
	}

	/**
	 * Return a sentence, without its end, about each node that is known to be exposed.
	 * The last one is the number of those beyond the first 100.
	 * @return the sentences
	 */
	public List<String> texts() {
		List<String> texts = new ArrayList<>(this.exposed.values().stream().map(Exposure::text).sorted().toList());
		if (!this.more.isEmpty()) {
			texts.add("and " + this.more.size() + " more");
		}
		return texts;
	}

}
