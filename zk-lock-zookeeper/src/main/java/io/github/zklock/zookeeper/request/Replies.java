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

package io.github.zklock.zookeeper.request;

import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;

/**
 * Callbacks for ZooKeeper's client, which would keep their failures to itself.
 */
public final class Replies {

	private final EngineTasks tasks;

	private final CutListings cuts;

	Replies(EngineTasks tasks, CutListings cuts) {
		this.tasks = tasks;
		this.cuts = cuts;
	}

	public VoidCallback done(VoidCallback callback) {
		return (rc, path, context) -> this.tasks.run(() -> {
			this.cuts.replied(rc);
			callback.processResult(rc, path, context);
		});
	}

	public StatCallback stat(StatCallback callback) {
		return (rc, path, context, stat) -> this.tasks.run(() -> {
			this.cuts.replied(rc);
			callback.processResult(rc, path, context, stat);
		});
	}

	public DataCallback data(DataCallback callback) {
		return (rc, path, context, data, stat) -> this.tasks.run(() -> {
			this.cuts.replied(rc);
			callback.processResult(rc, path, context, data, stat);
		});
	}

	/**
	 * Return the callback for a read whose answer may be too long for this client, such
	 * as a listing.
	 */
	public DataCallback read(String node, DataCallback callback) {
		return (rc, path, context, data, stat) -> this.tasks.run(() -> {
			this.cuts.listed(node, rc);
			callback.processResult(rc, path, context, data, stat);
		});
	}

	/**
	 * Return the callback for several such reads.
	 */
	public MultiCallback reads(String node, MultiCallback callback) {
		return (rc, path, context, results) -> this.tasks.run(() -> {
			this.cuts.listed(node, rc);
			callback.processResult(rc, path, context, results);
		});
	}

	public ChildrenCallback children(ChildrenCallback callback) {
		return (rc, path, context, children) -> this.tasks.run(() -> {
			this.cuts.listed(path, rc);
			callback.processResult(rc, path, context, children);
		});
	}

	public Create2Callback created(Create2Callback callback) {
		return (rc, path, context, name, stat) -> this.tasks.run(() -> {
			this.cuts.replied(rc);
			callback.processResult(rc, path, context, name, stat);
		});
	}

	public MultiCallback multi(MultiCallback callback) {
		return (rc, path, context, results) -> this.tasks.run(() -> callback.processResult(rc, path, context, results));
	}

}
