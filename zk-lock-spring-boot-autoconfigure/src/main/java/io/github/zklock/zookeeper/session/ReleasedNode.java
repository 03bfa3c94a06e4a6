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

import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockState;
import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.CombinableRequest;
import org.jspecify.annotations.Nullable;

/**
 * The node of a lock that is released: it is deleted, and if it turns out to have been
 * gone before, the lock was lost.
 */
public final class ReleasedNode {

	private final NodeJanitor janitor;

	private final ContenderNames names;

	private final LockNode node;

	private final Runnable onLoss;

	private final CompletableFuture<@Nullable Void> deleted = new CompletableFuture<>();

	public ReleasedNode(NodeJanitor janitor, ContenderNames names, LockNode node, Runnable onLoss) {
		this.janitor = janitor;
		this.names = names;
		this.node = node;
		this.onLoss = onLoss;
	}

	/**
	 * Return what is done when the node is gone.
	 */
	public CompletableFuture<@Nullable Void> deleted() {
		return this.deleted;
	}

	/**
	 * Delete the node.
	 */
	public void delete() {
		LockSession session = this.node.session();
		if (!session.isUsable()) {
			settle();
			return;
		}
		CombinableRequest removal = CombinableRequest.removal(this.node.directory(), this.node.path(),
				(rc, asked, context) -> replied(ReplyCode.of(rc)));
		session.requests().send(removal);
	}

	private void replied(ReplyCode code) {
		switch (code) {
			case OK -> {
				this.names.forget(this.node.contender());
				this.deleted.complete(null);
			}
			case NO_NODE -> {
				this.names.forget(this.node.contender());
				lose();
			}
			default -> settle();
		}
	}

	// As long as the node was there nobody else had the lock, whatever became of the
	// session. After the end of the lease its absence says nothing about the time before.
	private void settle() {
		this.janitor.remove(this.node.directory(), this.node.contender(), this.node.path()).thenAccept((existed) -> {
			LockSession session = this.node.session();
			if (!existed && session.state() == LockState.LOST && !session.lease().isOver()) {
				lose();
			}
			else {
				this.deleted.complete(null);
			}
		});
	}

	// It was gone before this client deleted it, so others may have had the lock.
	private void lose() {
		this.onLoss.run();
		this.deleted.complete(null);
	}

}
