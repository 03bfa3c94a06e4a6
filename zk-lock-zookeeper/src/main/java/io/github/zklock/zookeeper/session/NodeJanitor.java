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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.ContenderNames;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes nodes that are not needed any more. A delete is repeated, in any session, until
 * ZooKeeper has confirmed it. Names of nodes are unique, so that is harmless.
 */
public final class NodeJanitor {

	private static final Logger logger = LoggerFactory.getLogger(NodeJanitor.class);

	private static final long TIME_TO_STOP = TimeUnit.MILLISECONDS.toNanos(50);

	private static final long TIME_BETWEEN_WARNINGS = TimeUnit.MINUTES.toNanos(1);

	private final ContenderNames names;

	private final EngineTasks tasks;

	private final KeyDirectories directories;

	private final Sweeper sweeper;

	private volatile @Nullable Long warned;

	public NodeJanitor(SessionTracker tracker, ContenderNames names, EngineTasks tasks, KeyDirectories directories) {
		this.sweeper = new Sweeper(tracker, tasks);
		this.names = names;
		this.tasks = tasks;
		this.directories = directories;
	}

	/**
	 * Delete a node by its path.
	 * @return whether the node was still there, once it is gone
	 */
	public CompletableFuture<Boolean> remove(String directory, String contender, String path) {
		return new Removal(directory, contender, path, 0).start();
	}

	/**
	 * Delete the node of a contender.
	 * @return whether the node was still there, once it is gone
	 */
	public CompletableFuture<Boolean> remove(LockNode node) {
		return remove(node.directory(), node.contender(), node.path());
	}

	/**
	 * Delete the node of a released lock. If it was gone before, the lock was lost.
	 * @param onLoss runs in that case
	 * @return a future that ends when the node is gone
	 */
	public CompletableFuture<@Nullable Void> release(LockNode node, Runnable onLoss) {
		CompletableFuture<Boolean> held = new CompletableFuture<>();
		LockSession session = node.session();
		if (session.isUsable()) {
			VoidCallback released = session.replies().done((rc, asked, context) -> {
				switch (ReplyCode.of(rc)) {
					case OK, NO_NODE -> {
						this.names.forget(node.contender());
						this.sweeper.allowed(node.directory());
						held.complete(ReplyCode.of(rc) == ReplyCode.OK);
					}
					default -> removeInDoubt(node, held);
				}
			});
			session.requests().send(CombinableRequest.removal(node.directory(), node.path(), released));
		}
		else {
			removeInDoubt(node, held);
		}
		return afterRelease(held, onLoss);
	}

	/**
	 * Delete the node of a released lock that an earlier request may have deleted.
	 * @param onLoss runs if the lock was lost
	 * @return a future that ends when the node is gone
	 */
	public CompletableFuture<@Nullable Void> releaseInDoubt(LockNode node, Runnable onLoss) {
		CompletableFuture<Boolean> held = new CompletableFuture<>();
		removeInDoubt(node, held);
		return afterRelease(held, onLoss);
	}

	private static CompletableFuture<@Nullable Void> afterRelease(CompletableFuture<Boolean> held, Runnable onLoss) {
		return held.thenApply((wasHeld) -> {
			if (!wasHeld) {
				onLoss.run();
			}
			return null;
		});
	}

	// While the node existed no other client had the lock, even if the session has ended.
	// After the end of the lease a missing node says nothing about the time before.
	private void removeInDoubt(LockNode node, CompletableFuture<Boolean> held) {
		LockSession session = node.session();
		remove(node).thenAccept((existed) -> held.complete(existed || !session.hasEnded() || session.lease().isOver()));
	}

	/**
	 * Delete the node of a lost lock after a moment, in which its holder can stop before
	 * the next one comes.
	 */
	public void removeSoon(LockNode node) {
		Runnable removal = () -> remove(node);
		this.tasks.later(removal, TIME_TO_STOP, removal);
	}

	/**
	 * Find and delete the node of a contender when its creation was never confirmed. It
	 * lives in the given session.
	 */
	public void removeByName(LockSession session, String directory, String contender) {
		new Removal(directory, contender, null, session.id()).start();
	}

	/**
	 * Send all deletes again, and delete the nodes of earlier generations. Called after a
	 * failed step. The holders of their locks have a moment in which they can stop.
	 */
	public void renew() {
		this.tasks.later(() -> {
			this.sweeper.renew();
			removeBroken();
		}, TIME_TO_STOP);
	}

	/** Delete the nodes of earlier generations by their names. */
	public void removeBroken() {
		this.names.takeBroken(this.tasks.generation(),
				(name, origin) -> new Removal(origin.directory(), name, null, origin.session()).start());
	}

	/**
	 * Return how many nodes are not yet known to be gone.
	 */
	public int pending() {
		return this.sweeper.size();
	}

	/**
	 * Return why nodes of this client are left in a directory, as the end of a sentence,
	 * if ZooKeeper refuses to delete them.
	 */
	public @Nullable String refusal(String directory) {
		Sweeper.Refusal refusal = this.sweeper.refusal(directory);
		return (refusal != null) ? refusal.code() + " at " + directory + ", so a node of an earlier request is left "
				+ "there: give this client the permission " + refusal.permission()
				+ " on that path, the parent of its nodes" : null;
	}

	private final class Removal extends Sweeper.Work {

		private final String directory;

		private final String contender;

		private final @Nullable String path;

		private final long owner;

		private final CompletableFuture<Boolean> existed = new CompletableFuture<>();

		Removal(String directory, String contender, @Nullable String path, long owner) {
			super(NodeJanitor.this.sweeper, directory);
			this.directory = directory;
			this.contender = contender;
			this.path = path;
			this.owner = owner;
		}

		CompletableFuture<Boolean> start() {
			return NodeJanitor.this.tasks.onPlatformThread(() -> {
				NodeJanitor.this.sweeper.add(this);
				return this.existed;
			});
		}

		@Override
		void send(LockSession session) {
			long pause = (this.path != null) ? 0 : session.requests().cuts().pause(this.directory);
			if (this.path != null) {
				delete(session, this.path);
			}
			else if (pause > 0) {
				// Meanwhile another listing may find that the directory is harmless.
				NodeJanitor.this.sweeper.again(this,
						Math.min(pause, TimeUnit.MILLISECONDS.toNanos(session.zooKeeper().getSessionTimeout())));
			}
			else {
				// Another server may not have seen the node yet that this client created.
				session.afterEarlierWrites(this.directory, this.contender, (rc) -> {
					if (ReplyCode.of(rc) == ReplyCode.OK) {
						find(session);
					}
					else {
						retry(rc, "DELETE");
					}
				});
			}
		}

		private void find(LockSession session) {
			ChildrenCallback found = session.replies().children((rc, listed, context, children) -> {
				switch (ReplyCode.of(rc)) {
					case OK -> deleteFound(session, children);
					case NO_NODE -> done(false);
					default -> retry(rc, "READ");
				}
			});
			session.requests().guard(this.directory);
			session.zooKeeper().getChildren(this.directory, false, found, null);
		}

		private void deleteFound(LockSession session, List<String> children) {
			// The servers do not delete a directory that never had a node.
			NodeJanitor.this.directories.removeEmpty(children.isEmpty() ? List.of(this.directory) : List.of());
			deleteOwn(session,
					children.stream()
						.filter((child) -> child.startsWith(this.contender))
						.map((child) -> this.directory + "/" + child)
						.toList());
		}

		// Another client may have created nodes with the same beginning.
		private void deleteOwn(LockSession session, List<String> nodes) {
			if (nodes.isEmpty()) {
				done(false);
				return;
			}
			List<String> others = nodes.subList(1, nodes.size());
			session.zooKeeper()
				.exists(nodes.get(0), false,
						session.replies().stat((int rc, String asked, Object context, @Nullable Stat stat) -> {
							if (stat != null && stat.getEphemeralOwner() == this.owner) {
								delete(session, nodes.get(0));
							}
							else if (stat != null || ReplyCode.of(rc) == ReplyCode.NO_NODE) {
								deleteOwn(session, others);
							}
							else {
								retry(rc, "READ");
							}
						}), null);
		}

		private void delete(LockSession session, String node) {
			session.zooKeeper().delete(node, -1, session.replies().done((rc, deleted, context) -> {
				ReplyCode reply = ReplyCode.of(rc);
				if (reply == ReplyCode.OK || reply == ReplyCode.NO_NODE) {
					done(reply == ReplyCode.OK);
				}
				else if (rc == Code.NOTEMPTY.intValue()) {
					reportNodesBelow(node);
					done(false);
				}
				else {
					retry(rc, "DELETE");
				}
			}), null);
		}

		// The engine creates nothing below its nodes.
		private void reportNodesBelow(String node) {
			long now = NodeJanitor.this.tasks.nanoTime();
			Long before = NodeJanitor.this.warned;
			if (before == null || now - before > TIME_BETWEEN_WARNINGS) {
				NodeJanitor.this.warned = now;
				logger.warn("The node {} cannot be deleted, since another client has created nodes below it: delete "
						+ "them", node);
			}
			this.existed.completeExceptionally(new IllegalStateException("There are nodes below " + node));
		}

		private void done(boolean found) {
			NodeJanitor.this.names.forget(this.contender);
			NodeJanitor.this.sweeper.remove(this);
			this.existed.complete(found);
		}

		private void retry(int rc, String permission) {
			logger.debug("Node {}... in {} is not deleted yet: {}", this.contender, this.directory, ReplyCode.text(rc));
			if (rc == Code.NOAUTH.intValue()) {
				NodeJanitor.this.sweeper.refused(this, ReplyCode.text(rc), permission);
			}
			else {
				NodeJanitor.this.sweeper.again(this);
			}
		}

	}

}
