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

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.zookeeper.session.ForeignRights.Answer;
import io.github.zklock.zookeeper.session.ForeignRights.Exposure;
import io.github.zklock.zookeeper.tasks.RetryingTasks;
import io.github.zklock.zookeeper.tasks.RetryingTasks.Retry;
import org.apache.curator.framework.api.ACLProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that other clients may change although the ACL of the locks keeps them out.
 * The root is looked at once a minute. Directories of keys that this client did not
 * create are looked at when they are first used.
 */
public final class ExposedNodes {

	private static final Logger logger = LoggerFactory.getLogger(ExposedNodes.class);

	private static final long INTERVAL = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST = 100;

	private final ForeignRights rights;

	private final String root;

	private final RetryingTasks tasks;

	private final String label;

	private final Map<String, Exposure> exposed = new ConcurrentHashMap<>();

	private final Queue<Runnable> looks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waiting = new AtomicInteger();

	// Created early, because the thread that counts the first look must begin.
	private final Retry begin;

	private long lookedAt;

	/**
	 * Create the nodes, none of them known.
	 * @param root the full path of the node under which the keys live
	 * @param acls the ACL that each path is to have
	 * @param label the name of the client for messages
	 */
	public ExposedNodes(String root, ACLProvider acls, RetryingTasks tasks, String label) {
		this.rights = new ForeignRights(root, acls, this::oneAtATime);
		this.root = root;
		this.tasks = tasks;
		this.label = label;
		this.lookedAt = tasks.nanoTime() - INTERVAL;
		this.begin = tasks.retried(() -> tasks.callBack(this::lookAtAll));
	}

	/**
	 * Look at a node that was there before this client wanted to create it.
	 */
	public void found(LockSession session, String path) {
		if (this.rights.isWanted()) {
			this.rights.find(session.zooKeeper(), path, (answer) -> take(path, answer));
		}
	}

	/**
	 * Look at the root, and at nodes whose ACL was to be mended. Called by the periodic
	 * check only.
	 */
	public void lookAgain(LockSession session) {
		if (this.rights.isWanted() && this.tasks.nanoTime() - this.lookedAt >= INTERVAL) {
			this.lookedAt = this.tasks.nanoTime();
			found(session, this.root);
			this.exposed.keySet()
				.stream()
				.filter((path) -> !path.equals(this.root))
				.forEach((path) -> found(session, path));
		}
	}

	// The ACL provider may block, which must cost no more than one thread for callbacks.
	// A node that is not looked at is no fault of the locks.
	private void oneAtATime(Runnable look) {
		if (this.waiting.get() <= MOST) {
			this.looks.add(look);
			if (this.waiting.getAndIncrement() == 0) {
				this.begin.run();
			}
		}
	}

	private void lookAtAll() {
		do {
			try {
				Objects.requireNonNull(this.looks.poll(), "Each one is counted").run();
			}
			catch (Throwable ex) {
				RetryingTasks.log("The ACL of a node could not be compared", ex);
			}
		}
		while (this.waiting.decrementAndGet() > 0);
	}

	private void take(String path, Answer answer) {
		Exposure exposure = answer.exposure();
		if (exposure != null) {
			if (this.exposed.size() < MOST && this.exposed.put(path, exposure) == null) {
				logger.error("{}{}. {}", exposure.text(), this.label, exposure.remedy());
			}
		}
		else if (answer.known() && this.exposed.remove(path) != null) {
			logger.info("The locks at {} are protected from other clients again{}", path, this.label);
		}
	}

	/**
	 * Return a sentence, without its end, about each node that is known to be exposed.
	 */
	public List<String> texts() {
		return this.exposed.values().stream().map(Exposure::text).sorted().toList();
	}

}
