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

package io.github.zklock.zookeeper.inspect.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException.Reason;
import io.github.zklock.zookeeper.node.OwnerData;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.LockSession;
import org.apache.zookeeper.AsyncCallback.ChildrenCallback;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What an inspection reads from ZooKeeper, bounded in time and in bytes. Answers are only
 * received on the event thread, which heartbeats of locks need as well: they are used on
 * the thread that asks.
 */
final class BoundedReads {

	private static final int AT_ONCE = 200;

	// Its owner keeps others from reading it, which must not hide the queue.
	private static final Stat HIDDEN = new Stat(-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

	private static final int LONGEST_HEAD = 1024;

	private final LockSession session;

	private final ZooKeeper zooKeeper;

	private final Duration bound;

	private final long start;

	private long namesLeft;

	private Duration waited = Duration.ZERO;

	/**
	 * Create the reads of one inspection.
	 * @param start the time from which the bound counts
	 */
	BoundedReads(LockSession session, Duration bound, long start) {
		this.session = session;
		this.zooKeeper = session.zooKeeper();
		this.bound = bound;
		this.start = start;
		// The keys of a page, and what is in their queues.
		this.namesLeft = 2L * room();
	}

	/** Other inspections are over, for which this one has waited. */
	void begins() {
		this.waited = Duration.ofNanos(this.session.nanoTime() - this.start);
	}

	private int room() {
		return this.zooKeeper.getClientConfig()
			.getInt(ZKClientConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
	}

	/**
	 * Read the names of the children of nodes, unless a reply might be longer than this
	 * client accepts, which would end its connection.
	 * @param longest how many bytes a name takes at most
	 * @return the names for each path, none if there is no such node
	 */
	List<List<String>> children(List<String> paths, int longest) {
		paths.forEach(this::checkCuts);
		List<Stat> stats = all(paths, (path) -> stat(path, null));
		for (int i = 0; i < paths.size(); i++) {
			checkRoom(paths.get(i), stats.get(i).getNumChildren(), longest);
		}
		return all(paths, this::names);
	}

	private void checkCuts(String path) {
		if (this.session.requests().cuts().pause(path) > 0) {
			throw new ZooKeeperInspectionException("the connection was lost at least twice right after the nodes in "
					+ path + " were listed, so their names are probably longer than this client reads "
					+ "(jute.maxbuffer): delete the nodes that do not belong there, and ask again some minutes later");
		}
	}

	/**
	 * Return how long a reply is at most.
	 */
	static long bytes(int nodes, int longest) {
		return (long) nodes * (longest + Integer.BYTES) + LONGEST_HEAD;
	}

	private void checkRoom(String path, int nodes, int longest) {
		long bytes = bytes(nodes, longest);
		this.namesLeft -= bytes;
		if (bytes > room() || this.namesLeft < 0) {
			throw new ZooKeeperInspectionException(
					"there are " + nodes + " nodes at " + path + ", whose names may exceed the " + room()
							+ " bytes that this client accepts in one reply (jute.maxbuffer), which would end its "
							+ "connection: raise that limit of the client, or ask for fewer keys");
		}
	}

	/**
	 * Read contenders.
	 * @return each of them, of transaction 0 if there is no such node
	 */
	List<Content> contents(List<String> paths) {
		return contents(paths, OwnerData.MAX_LENGTH);
	}

	/**
	 * Read nodes.
	 * @param most data that are longer are not read
	 * @return each of them, of transaction 0 if there is no such node
	 */
	List<Content> contents(List<String> paths, int most) {
		List<Stat> stats = all(paths, (path) -> stat(path, HIDDEN));
		List<String> wanted = new ArrayList<>();
		for (int i = 0; i < paths.size(); i++) {
			if (isReadable(stats.get(i), most)) {
				wanted.add(paths.get(i));
			}
		}
		List<Content> read = all(wanted, this::content);
		List<Content> contents = new ArrayList<>(paths.size());
		int next = 0;
		for (Stat stat : stats) {
			contents.add(isReadable(stat, most) ? read.get(next++) : new Content(null, stat));
		}
		return contents;
	}

	// Longer data might cut the connection.
	private static boolean isReadable(Stat stat, int most) {
		return stat.getDataLength() > 0 && stat.getDataLength() <= most;
	}

	/**
	 * Write a node, or create it if it was not there, unless it has changed.
	 * @param read the node as it was read
	 * @param acl its ACL, if it is created
	 * @return whether it was written
	 */
	boolean write(String path, Content read, byte[] data, List<ACL> acl) {
		if (!read.exists()) {
			return create(path, data, acl) == Code.OK;
		}
		return ask((CompletableFuture<Code> answer) -> this.zooKeeper.setData(path, data, read.stat().getVersion(),
				(rc, asked, context, stat) -> complete(answer, rc, path), null)) == Code.OK;
	}

	/**
	 * Create a node.
	 * @return {@code OK}, {@code NONODE} if its parent is not there, or
	 * {@code NODEEXISTS}
	 */
	Code create(String path, byte[] data, List<ACL> acl) {
		return ask((CompletableFuture<Code> answer) -> this.zooKeeper.create(path, data, acl, CreateMode.PERSISTENT,
				(rc, asked, context, name) -> complete(answer, rc, path), null));
	}

	private static void complete(CompletableFuture<Code> answer, int rc, String path) {
		Code code = Code.get(rc);
		if (code == Code.NONODE || code == Code.NODEEXISTS || code == Code.BADVERSION) {
			answer.complete(code);
		}
		else {
			complete(answer, rc, path, Code.OK, null);
		}
	}

	/**
	 * Delete a node, unless it has changed or is gone.
	 * @param transaction the transaction that has created it
	 * @return whether it was deleted
	 */
	boolean delete(String path, long transaction) {
		Stat stat = await(this.session.send(() -> stat(path, null)));
		if (stat.getCzxid() != transaction) {
			return false;
		}
		return ask((CompletableFuture<Boolean> answer) -> this.zooKeeper.delete(path, stat.getVersion(),
				(rc, asked, context) -> {
					boolean changed = rc == Code.BADVERSION.intValue();
					complete(answer, changed ? 0 : rc, path, false, !changed);
				}, null));
	}

	private <T> T ask(Consumer<CompletableFuture<T>> request) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		this.session.send(() -> {
			request.accept(answer);
			return answer;
		});
		return await(answer);
	}

	// Not all of them wait for their answers at the same time, which would need memory.
	private <T> List<T> all(List<String> paths, Function<String, CompletableFuture<T>> read) {
		List<T> all = new ArrayList<>(paths.size());
		for (int from = 0; from < paths.size(); from += AT_ONCE) {
			checkTime("The inspection");
			List<String> some = paths.subList(from, Math.min(from + AT_ONCE, paths.size()));
			List<CompletableFuture<T>> answers = this.session.send(() -> some.stream().map(read).toList());
			answers.forEach((answer) -> all.add(await(answer)));
		}
		return all;
	}

	private CompletableFuture<Stat> stat(String path, @Nullable Stat refused) {
		CompletableFuture<Stat> answer = new CompletableFuture<>();
		StatCallback callback = (int rc, String asked, Object context, @Nullable Stat stat) -> {
			boolean hidden = refused != null && rc == Code.NOAUTH.intValue();
			complete(answer, hidden ? 0 : rc, path, new Stat(), hidden ? refused : stat);
		};
		this.zooKeeper.exists(path, false, this.session.replies().stat(callback), null);
		return answer;
	}

	/**
	 * Return whether several clients may create children of a node, by their names. They
	 * can then make the list of its children too long for this client.
	 * @return {@code false} as well if every client may
	 */
	boolean isShared(String path) {
		CompletableFuture<List<ACL>> answer = new CompletableFuture<>();
		this.zooKeeper.getACL(path, new Stat(), (int rc, String asked, Object context, @Nullable List<ACL> found,
				@Nullable Stat stat) -> complete(answer, rc, path, List.of(), found), null);
		return await(answer).stream()
			.filter((acl) -> (acl.getPerms() & Perms.CREATE) != 0)
			.map(ACL::getId)
			.distinct()
			.count() > 1;
	}

	private CompletableFuture<List<String>> names(String path) {
		CompletableFuture<List<String>> answer = new CompletableFuture<>();
		ChildrenCallback callback = (int rc, String asked, Object context,
				@Nullable List<String> children) -> complete(answer, rc, path, List.of(), children);
		this.session.requests().guard(path);
		this.zooKeeper.getChildren(path, false, this.session.replies().children(callback), null);
		return answer;
	}

	private CompletableFuture<Content> content(String path) {
		CompletableFuture<Content> answer = new CompletableFuture<>();
		DataCallback callback = (int rc, String asked, Object context, byte @Nullable [] data,
				@Nullable Stat stat) -> complete(answer, rc, path, new Content(null, new Stat()),
						(stat != null) ? new Content(data, stat) : null);
		this.zooKeeper.getData(path, false, callback, null);
		return answer;
	}

	private static <T> void complete(CompletableFuture<T> answer, int rc, String path, T none, @Nullable T found) {
		switch (ReplyCode.of(rc)) {
			case OK -> answer.complete((found != null) ? found : none);
			case NO_NODE -> answer.complete(none);
			case REFUSED -> answer.completeExceptionally(refused(rc, path));
			default -> answer.completeExceptionally(
					new ZooKeeperInspectionException("ZooKeeper answered " + ReplyCode.text(rc) + " at " + path));
		}
	}

	private static ZooKeeperInspectionException refused(int rc, String path) {
		return new ZooKeeperInspectionException("ZooKeeper answered " + ReplyCode.text(rc) + " at " + path,
				Reason.REFUSED);
	}

	private <T> T await(CompletableFuture<T> answer) {
		try {
			return answer.get(Math.max(remaining(), 0), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			long waited = this.waited.toMillis();
			throw new ZooKeeperInspectionException("ZooKeeper has not answered within " + this.bound.toMillis() + "ms"
					+ ((waited > 0) ? ", of which other inspections took " + waited + "ms" : ""));
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
	 * Check that the bound is not over, in a task that takes long without waiting.
	 * @param what the task, for the message
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

	/**
	 * A node.
	 *
	 * @param data its data, {@code null} for none, or too many to be read
	 * @param stat what ZooKeeper knows of it, of transaction 0 if there is no such node
	 */
	record Content(byte @Nullable [] data, Stat stat) {

		boolean exists() {
			return this.stat.getCzxid() != 0;
		}

	}

}
