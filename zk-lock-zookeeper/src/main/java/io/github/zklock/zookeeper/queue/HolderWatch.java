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
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.QueueHolders;
import io.github.zklock.zookeeper.node.QueueNode;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.session.LockSession;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Watches what keeps a planned run from taking place, without a place in the queue. It is
 * the node of the holder of a key: one listing and one read. Or it is the node of a job
 * that is paused: one read. It is over when the holder is gone, or the job is not paused.
 */
public final class HolderWatch implements Watcher {

	private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

	private final SessionTracker tracker;

	private final EngineTasks tasks;

	// The directory of the key, or the node of the job.
	private final String path;

	private final boolean ofPause;

	private final CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();

	private volatile @Nullable LockSession session;

	private HolderWatch(Services services, String path, boolean ofPause) {
		this.tracker = services.tracker();
		this.tasks = services.tasks();
		this.path = path;
		this.ofPause = ofPause;
	}

	public static CompletableFuture<@Nullable Void> ofHolder(Services services, String key) {
		return new HolderWatch(services, services.paths().directory(key), false).start();
	}

	/**
	 * Watch a job that is paused.
	 * @param job the path of its node
	 */
	public static CompletableFuture<@Nullable Void> ofPause(Services services, String job) {
		return new HolderWatch(services, job, true).start();
	}

	private CompletableFuture<@Nullable Void> start() {
		return this.tasks.onPlatformThread(() -> {
			find();
			return this.gone;
		});
	}

	private void find() {
		this.tracker.whenUsable(this::findNow);
	}

	private void findNow() {
		LockSession usable = this.tracker.usable();
		if (usable == null || usable.requests().cuts().pause(this.path) > 0) {
			findLater();
		}
		else if (this.ofPause) {
			watchFirst(usable, this.path);
		}
		else {
			list(usable);
		}
	}

	private void list(LockSession usable) {
		usable.requests()
			.send(CombinableRequest.listing(this.path,
					usable.replies()
						.children((int rc, String asked, Object context,
								@Nullable List<String> children) -> listed(usable, rc, children))));
	}

	private void listed(LockSession in, int rc, @Nullable List<String> children) {
		List<QueueNode> queue = (children != null) ? QueueHolders.of(children).nodes() : List.of();
		if (!queue.isEmpty()) {
			watchFirst(in, this.path + "/" + queue.get(0).name());
		}
		else {
			findLaterUnlessGone(rc);
		}
	}

	private void watchFirst(LockSession in, String node) {
		this.session = in;
		in.watches().count(node);
		watch(in, node);
	}

	// Does not use exists, which would leave a watch behind on a node that is gone.
	private void watch(LockSession in, String node) {
		DataCallback callback = (int rc, String asked, Object context, byte @Nullable [] data,
				@Nullable Stat stat) -> watched(rc, in, node, data);
		if (this.ofPause) {
			in.requests().guard(node);
		}
		in.zooKeeper()
			.getData(node, this, this.ofPause ? in.replies().read(node, callback) : in.replies().data(callback), null);
	}

	private void watched(int rc, LockSession in, String node, byte @Nullable [] data) {
		if (this.session != in) {
			return;
		}
		if (ReplyCode.of(rc) != ReplyCode.OK) {
			this.session = null;
			in.watches().uncount(node);
			findLaterUnlessGone(rc);
		}
		else if (this.ofPause && !isPaused(data)) {
			this.session = null;
			in.watches().remove(node, this);
			over();
		}
	}

	private static boolean isPaused(byte @Nullable [] data) {
		JobRecord record = JobRecord.parse(data);
		return record != null && record.paused() != null;
	}

	private void findLaterUnlessGone(int rc) {
		ReplyCode reply = ReplyCode.of(rc);
		if (reply == ReplyCode.OK || reply == ReplyCode.NO_NODE) {
			over();
		}
		else {
			findLater();
		}
	}

	private void findLater() {
		this.tasks.later(this::find, PAUSE);
	}

	@Override
	public void process(WatchedEvent event) {
		this.tasks.run(() -> changed(event));
	}

	private void changed(WatchedEvent event) {
		LockSession in = this.session;
		if (in == null) {
			return;
		}
		switch (event.getType()) {
			case NodeDeleted -> {
				this.session = null;
				in.watches().uncount(event.getPath());
				over();
			}
			// A contender of this client has removed all watches of the node.
			case NodeDataChanged, DataWatchRemoved -> watch(in, event.getPath());
			case None -> {
				if (event.getState() == Event.KeeperState.Expired || event.getState() == Event.KeeperState.Closed) {
					this.session = null;
					find();
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
