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

package io.github.zklock.zookeeper;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock: a node that is first in its queue, in a session that lives.
 */
final class ZooKeeperLockHandle implements LockHandle, SessionMember {

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperLockHandle.class);

	private static final long RELEASE_WAIT_MS = 1000;

	// The client connects again, and learns of the end of its session, within two seconds
	// and a bit; before that nobody can tell whether the lock was lost.
	private static final long RECONNECT_WAIT_MS = 3000;

	private final LockEngine engine;

	private final LockRequest request;

	private final LockNode node;

	private final HeldLocks held;

	private final AtomicReference<@Nullable LockState> end = new AtomicReference<>();

	private final List<LossListener> listeners = new CopyOnWriteArrayList<>();

	ZooKeeperLockHandle(LockEngine engine, LockRequest request, LockNode node, HeldLocks held) {
		this.engine = engine;
		this.request = request;
		this.node = node;
		this.held = held;
	}

	void begin() {
		this.held.add(this);
		this.node.session().join(this);
	}

	@Override
	public String key() {
		return this.request.key();
	}

	@Override
	public LockMode mode() {
		return this.request.mode();
	}

	@Override
	public long fencingToken() {
		return this.node.fencingToken();
	}

	@Override
	public LockState state() {
		LockState ended = this.end.get();
		if (ended != null) {
			return ended;
		}
		LockState state = this.node.session().state();
		if (state == LockState.LOST) {
			sessionLost();
			return (this.end.get() == LockState.RELEASED) ? LockState.RELEASED : LockState.LOST;
		}
		return state;
	}

	@Override
	public void onLost(Consumer<? super LockHandle> listener) {
		LossListener once = new LossListener(listener, new AtomicBoolean());
		this.listeners.add(once);
		if (state() == LockState.LOST) {
			tell(once);
		}
	}

	@Override
	public void sessionLost() {
		if (this.end.compareAndSet(null, LockState.LOST)) {
			ended();
			this.listeners.forEach(this::tell);
			// A server that did not see the session end yet still keeps the node.
			removeLater();
		}
	}

	@Override
	public void release() {
		CompletableFuture<@Nullable Void> deleted = delete();
		if (ClientThreads.isEventThread(Thread.currentThread())) {
			return;
		}
		boolean interrupted = await(deleted, RELEASE_WAIT_MS);
		if (!this.node.session().isUsable()) {
			interrupted |= await(deleted, RECONNECT_WAIT_MS - RELEASE_WAIT_MS);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static boolean await(CompletableFuture<?> deleted, long millis) {
		boolean interrupted = false;
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		while (!deleted.isDone()) {
			try {
				deleted.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			catch (TimeoutException | ExecutionException ex) {
				break;
			}
		}
		return interrupted;
	}

	@Override
	public CompletableFuture<Void> releaseAsync() {
		CompletableFuture<Void> released = new CompletableFuture<>();
		delete().completeOnTimeout(null, RECONNECT_WAIT_MS, TimeUnit.MILLISECONDS)
			.whenComplete((ok, failure) -> this.engine.callBack(() -> released.complete(null)));
		return released;
	}

	/**
	 * Take the lock away from a holder that did not give it back in time.
	 */
	void revoke() {
		sessionLost();
	}

	private CompletableFuture<@Nullable Void> delete() {
		CompletableFuture<@Nullable Void> deleted = new CompletableFuture<>();
		if (state() == LockState.LOST || !this.end.compareAndSet(null, LockState.RELEASED)) {
			deleted.complete(null);
			return deleted;
		}
		ended();
		if (!this.node.session().isUsable()) {
			settle(deleted);
			return deleted;
		}
		this.node.session().zooKeeper().delete(this.node.path(), -1, (rc, asked, context) -> {
			switch (ReplyCode.of(rc)) {
				case OK -> {
					this.engine.names().forget(this.node.contender());
					deleted.complete(null);
				}
				case NO_NODE -> {
					this.engine.names().forget(this.node.contender());
					lose(deleted);
				}
				default -> settle(deleted);
			}
		}, null);
		return deleted;
	}

	// As long as the node was there nobody else had the lock, whatever became of the
	// session.
	private void settle(CompletableFuture<@Nullable Void> deleted) {
		removeLater().thenAccept((existed) -> {
			if (!existed && this.node.session().state() == LockState.LOST) {
				lose(deleted);
			}
			else {
				deleted.complete(null);
			}
		});
	}

	// The node was gone before this client deleted it, so others may have had the lock.
	private void lose(CompletableFuture<@Nullable Void> deleted) {
		this.end.set(LockState.LOST);
		this.listeners.forEach(this::tell);
		deleted.complete(null);
	}

	private CompletableFuture<Boolean> removeLater() {
		return this.engine.janitor().remove(this.node.directory(), this.node.contender(), this.node.path());
	}

	private void ended() {
		this.node.session().leave(this);
		this.held.remove(this);
	}

	private void tell(LossListener listener) {
		if (listener.told().compareAndSet(false, true)) {
			this.engine.callBack(() -> call(listener.listener()));
		}
	}

	private void call(Consumer<? super LockHandle> listener) {
		try {
			listener.accept(this);
		}
		catch (RuntimeException ex) {
			logger.warn("Listener {} of the lost lock '{}' failed", listener, key(), ex);
		}
	}

	@Override
	public String toString() {
		return "Lock '" + key() + "' (" + mode() + ") at " + this.node.path() + " " + state();
	}

	private record LossListener(Consumer<? super LockHandle> listener, AtomicBoolean told) {
	}

}
