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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.QueueHolders;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.MendedTasks;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Watches the node of the holder of a key without a place in its queue: one listing and
 * one read. It is over when that node is gone.
 */
public final class HolderWatch implements Watcher {

	private static final long PAUSE_MS = 1000;

	private final SessionTracker tracker;

	private final MendedTasks tasks;

	private final String directory;

	private final CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();

	private volatile @Nullable LockSession session;

	private HolderWatch(SessionTracker tracker, MendedTasks tasks, String directory) {
		this.tracker = tracker;
		this.tasks = tasks;
		this.directory = directory;
	}

	public static CompletableFuture<@Nullable Void> begin(Services shared, String key) {
		HolderWatch watch = new HolderWatch(shared.tracker(), shared.tasks(), shared.paths().directory(key));
		watch.look();
		return watch.gone;
	}

	private void look() {
		this.tracker.whenUsable(this::list);
	}

	private void list() {
		LockSession usable = this.tracker.usable();
		if (usable == null || usable.requests().cuts().pause(this.directory) > 0) {
			lookLater();
			return;
		}
		usable.requests()
			.send(CombinableRequest.listing(this.directory,
					usable.replies()
						.children((int rc, String asked, Object context,
								@Nullable List<String> children) -> listed(usable, rc, children))));
	}

	private void listed(LockSession in, int rc, @Nullable List<String> children) {
		List<QueueNode> queue = (children != null) ? QueueHolders.of(children).nodes() : List.of();
		if (!queue.isEmpty()) {
			this.session = in;
			String holder = this.directory + "/" + queue.get(0).name();
			in.watches().begin(holder);
			watch(in, holder);
		}
		else {
			lookLaterUnlessGone(rc);
		}
	}

	// Does not use exists, which would leave a watch behind on a node that is gone.
	private void watch(LockSession in, String holder) {
		in.zooKeeper()
			.getData(holder, this,
					in.replies()
						.data((int rc, String asked, Object context, byte @Nullable [] data,
								@Nullable Stat stat) -> watched(rc, in, holder)),
					null);
	}

	private void watched(int rc, LockSession in, String holder) {
		if (ReplyCode.of(rc) != ReplyCode.OK && this.session == in) {
			this.session = null;
			in.watches().end(holder);
			lookLaterUnlessGone(rc);
		}
	}

	private void lookLaterUnlessGone(int rc) {
		ReplyCode reply = ReplyCode.of(rc);
		if (reply == ReplyCode.OK || reply == ReplyCode.NO_NODE) {
			over();
		}
		else {
			lookLater();
		}
	}

	private void lookLater() {
		try {
			this.tasks.schedule(this::look, PAUSE_MS, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			// The engine has ended, and nothing will run.
		}
	}

	@Override
	public void process(WatchedEvent event) {
		LockSession in = this.session;
		if (in == null) {
			return;
		}
		switch (event.getType()) {
			case NodeDeleted -> {
				this.session = null;
				in.watches().end(event.getPath());
				over();
			}
			// A contender of this client has removed all watches of the node.
			case NodeDataChanged, DataWatchRemoved -> watch(in, event.getPath());
			case None -> {
				if (event.getState() == Event.KeeperState.Expired || event.getState() == Event.KeeperState.Closed) {
					this.session = null;
					look();
				}
			}
			default -> {
			}
		}
	}

	private void over() {
		this.tasks.callBack(() -> this.gone.complete(null));
	}

}
