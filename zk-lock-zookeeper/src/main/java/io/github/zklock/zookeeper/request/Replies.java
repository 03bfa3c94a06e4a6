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

import java.util.function.IntConsumer;

import io.github.zklock.zookeeper.tasks.RetryingTasks;
import io.github.zklock.zookeeper.tasks.RetryingTasks.Retry;
import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Callbacks for ZooKeeper's client of which none is lost. If one fails, for whatever
 * reason, it is called again later with the code of a lost connection, until it succeeds.
 * What that takes is created before the request is sent, since there may be no memory
 * when the reply comes.
 */
public final class Replies {

	private final RetryingTasks tasks;

	private final CutListings cuts;

	Replies(RetryingTasks tasks, CutListings cuts) {
		this.tasks = tasks;
		this.cuts = cuts;
	}

	public VoidCallback done(VoidCallback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null));
		return (rc, path, context) -> {
			try {
				this.cuts.replied(rc);
				taken.processResult(rc, path, context);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	public StatCallback stat(StatCallback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null, null));
		return (rc, path, context, stat) -> {
			try {
				this.cuts.replied(rc);
				taken.processResult(rc, path, context, stat);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	public DataCallback data(DataCallback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null, null, null));
		return (rc, path, context, data, stat) -> {
			try {
				this.cuts.replied(rc);
				taken.processResult(rc, path, context, data, stat);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	/**
	 * Return the callback for a read whose answer may be too long for this client, such
	 * as a listing.
	 */
	public DataCallback read(String node, DataCallback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null, null, null));
		return (rc, path, context, data, stat) -> {
			try {
				this.cuts.listed(node, rc);
				taken.processResult(rc, path, context, data, stat);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	/**
	 * Return the callback for several such reads.
	 */
	public MultiCallback reads(String node, MultiCallback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null, null));
		return (rc, path, context, results) -> {
			try {
				this.cuts.listed(node, rc);
				taken.processResult(rc, path, context, results);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	public ChildrenCallback children(ChildrenCallback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null, null));
		return (rc, path, context, children) -> {
			try {
				this.cuts.listed(path, rc);
				taken.processResult(rc, path, context, children);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	public Create2Callback created(Create2Callback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null, null, null));
		return (rc, path, context, name, stat) -> {
			try {
				this.cuts.replied(rc);
				taken.processResult(rc, path, context, name, stat);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	public MultiCallback multi(MultiCallback taken) {
		Retry lost = lost((rc) -> taken.processResult(rc, "", null, null));
		return (rc, path, context, results) -> {
			try {
				taken.processResult(rc, path, context, results);
			}
			catch (Throwable ex) {
				lost.failed(ex);
			}
		};
	}

	private Retry lost(IntConsumer taken) {
		return this.tasks.retried(() -> taken.accept(Code.CONNECTIONLOSS.intValue()));
	}

}
