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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes in one session, all within one bound.
 */
final class NodeReads {

	private static final int LONGEST_HEAD = 1024;

	private final LockSession session;

	private final ZooKeeper zooKeeper;

	private final Duration bound;

	private final long start;

	NodeReads(LockSession session, Duration bound) {
		this.session = session;
		this.zooKeeper = session.zooKeeper();
		this.start = session.nanoTime();
		this.bound = bound;
	}

	/**
	 * Read the names of the children of a node, unless the reply might be longer than
	 * this client accepts, which would end its connection.
	 * @param path the path of the node
	 * @param longest how many bytes a name takes at most
	 * @return the names, none if there is no such node
	 */
	CompletableFuture<List<String>> children(String path, int longest) {
		return stat(path).thenCompose((stat) -> {
			int room = this.zooKeeper.getClientConfig()
				.getInt(ZKClientConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
			long nodes = stat.getNumChildren();
			return (nodes * (longest + Integer.BYTES) + LONGEST_HEAD <= room) ? children(path)
					: CompletableFuture.failedFuture(new ZooKeeperInspectionException("there are " + nodes
							+ " nodes at " + path + ", whose names may exceed the " + room
							+ " bytes that this client accepts in one reply (jute.maxbuffer), which would end its "
							+ "connection: give the client more room"));
		});
	}

	private CompletableFuture<List<String>> children(String path) {
		CompletableFuture<List<String>> answer = new CompletableFuture<>();
		this.zooKeeper.getChildren(path, false, (int rc, String asked, Object context,
				@Nullable List<String> children) -> complete(answer, rc, path, List::of, children), null);
		return answer;
	}

	/**
	 * Read what ZooKeeper knows of a node, an empty one if there is no such node.
	 */
	CompletableFuture<Stat> stat(String path) {
		CompletableFuture<Stat> answer = new CompletableFuture<>();
		this.zooKeeper.exists(path, false, (int rc, String asked, Object context,
				@Nullable Stat stat) -> complete(answer, rc, path, Stat::new, stat), null);
		return answer;
	}

	/**
	 * Read a node, an empty one if there is no such node.
	 */
	CompletableFuture<Content> content(String path) {
		CompletableFuture<Content> answer = new CompletableFuture<>();
		this.zooKeeper.getData(path, false,
				(int rc, String asked, Object context, byte @Nullable [] data, @Nullable Stat stat) -> complete(answer,
						rc, path, () -> new Content(null, new Stat()), (stat != null) ? new Content(data, stat) : null),
				null);
		return answer;
	}

	/**
	 * Delete a node, unless it has changed or is gone.
	 * @return whether it was deleted
	 */
	CompletableFuture<Boolean> delete(String path, int version) {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.zooKeeper.delete(path, version, (rc, asked, context) -> {
			boolean changed = ReplyCode.text(rc).equals("BADVERSION");
			complete(answer, changed ? 0 : rc, path, () -> false, !changed);
		}, null);
		return answer;
	}

	/**
	 * Wait for an answer as long as the bound allows.
	 * @throws ZooKeeperInspectionException if there is none
	 */
	<T> T await(CompletableFuture<T> answer) {
		try {
			return answer.get(Math.max(remaining(), 0), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw new ZooKeeperInspectionException("ZooKeeper has not answered within " + this.bound.toMillis() + "ms");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperInspectionException("interrupted while waiting for ZooKeeper");
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof ZooKeeperInspectionException refused) {
				throw refused;
			}
			throw new IllegalStateException("The answer of ZooKeeper could not be read", ex.getCause());
		}
	}

	/**
	 * Check that the bound is not over, in what takes long without waiting.
	 * @param what what takes long
	 * @throws ZooKeeperInspectionException if it is
	 */
	void checkTime(String what) {
		if (remaining() <= 0) {
			throw new ZooKeeperInspectionException(what + " took longer than " + this.bound.toMillis() + "ms");
		}
	}

	private long remaining() {
		return this.bound.toNanos() - (this.session.nanoTime() - this.start);
	}

	private static <T> void complete(CompletableFuture<T> answer, int rc, String path, Supplier<T> none,
			@Nullable T found) {
		switch (ReplyCode.of(rc)) {
			case OK -> answer.complete((found != null) ? found : none.get());
			case NO_NODE -> answer.complete(none.get());
			default -> answer.completeExceptionally(
					new ZooKeeperInspectionException("ZooKeeper answered " + ReplyCode.text(rc) + " at " + path));
		}
	}

	/**
	 * A node.
	 *
	 * @param data its data, {@code null} for none
	 * @param stat what ZooKeeper knows of it, of transaction 0 if there is no such node
	 */
	record Content(byte @Nullable [] data, Stat stat) {

		boolean exists() {
			return this.stat.getCzxid() != 0;
		}

	}

}
