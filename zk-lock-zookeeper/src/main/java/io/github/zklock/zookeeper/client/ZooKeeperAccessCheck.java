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

package io.github.zklock.zookeeper.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.node.ForeignText;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.node.ReplyCode;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.session.CuratorConnection;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a client can do what a lock needs, before the first lock does. All of
 * it is requested in one transaction that cannot succeed, so nothing is created, not even
 * for a moment. The check has one thread, on which it asks the application for ACLs and
 * completes its results. So no other thread waits for code of the application.
 *
 * @since 0.1.0
 */
public final class ZooKeeperAccessCheck {

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperAccessCheck.class);

	// Not a name of a key, see LockPaths.
	private static final String DIRECTORY = "/" + ForeignRights.PROBE;

	private static final byte[] NOTHING = new byte[0];

	private static final int IDLE_SECONDS = 1;

	private final Executor thread = thread();

	private final Connection connection;

	private final ACLProvider aclProvider;

	private final @Nullable String scheme;

	private final List<String> ancestors;

	private final String root;

	private final String directory;

	private final String newNodes;

	/**
	 * Create the check.
	 * @param client the client
	 * @param root the node under which the keys live, like {@code /locks}
	 * @param aclProvider the ACL of each path
	 * @param scheme the scheme with which the client must have authenticated, like
	 * {@code sasl}, if there is one
	 * @throws IllegalArgumentException if the root is not a valid path below {@code /}
	 */
	public ZooKeeperAccessCheck(CuratorFramework client, String root, ACLProvider aclProvider,
			@Nullable String scheme) {
		this.connection = new CuratorConnection(client);
		this.scheme = scheme;
		this.aclProvider = aclProvider;
		LockPaths paths = new LockPaths(this.connection.namespace(), root, aclProvider);
		this.ancestors = paths.ancestors();
		this.root = paths.root();
		this.directory = paths.root() + DIRECTORY;
		this.newNodes = "new nodes below " + paths.root();
	}

	/**
	 * Ask ZooKeeper, to which the client should be connected. Returns at once.
	 * @return why the client cannot lock; empty if it can, or it could not be found out
	 */
	public CompletableFuture<Optional<Denial>> findDenial() {
		CompletableFuture<Optional<Denial>> denial = new CompletableFuture<>();
		runOrEnd(denial, () -> {
			ZooKeeper zooKeeper = this.connection.handle();
			ask(Objects.requireNonNull(zooKeeper, "The client is not connected"), 0, denial);
		});
		return denial;
	}

	private void runOrEnd(CompletableFuture<Optional<Denial>> denial, Runnable step) {
		this.thread.execute(() -> {
			try {
				step.run();
			}
			catch (RuntimeException | LinkageError ex) {
				logger.debug("The permissions of the client could not be read", ex);
				denial.complete(Optional.empty());
			}
		});
	}

	// Code of the application may block it. So may a request for the identity of the
	// client, which ends with the reply or the connection.
	private static Executor thread() {
		ThreadPoolExecutor thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (task) -> DaemonThreads.create("zk-lock-access-check", task));
		thread.allowCoreThreadTimeOut(true);
		return thread;
	}

	/**
	 * Ask ZooKeeper whether others may change the root although the ACL of the locks
	 * keeps them out.
	 * @return what they may do; empty if they may not, or it could not be found out
	 */
	public CompletableFuture<Optional<Denial>> findExposure() {
		CompletableFuture<Optional<Denial>> answer = new CompletableFuture<>();
		ForeignRights rights = new ForeignRights(this.root, this.aclProvider, this.thread);
		ZooKeeper zooKeeper = this.connection.handle();
		if (zooKeeper == null || !rights.isWanted()) {
			answer.complete(Optional.empty());
			return answer;
		}
		rights.find(zooKeeper, this.root, (found) -> answer.complete(Optional.ofNullable(found.exposure())
			.map((exposure) -> new Denial(Reason.EXPOSED, exposure.text(), exposure.remedy()))));
		return answer;
	}

	private void ask(ZooKeeper zooKeeper, int missing, CompletableFuture<Optional<Denial>> denial) {
		List<Step> steps = steps(missing);
		zooKeeper.multi(steps.stream().map(Step::operation).toList(),
				(int rc, String path, Object context, @Nullable List<OpResult> results) -> runOrEnd(denial, () -> {
					int failed = firstFailure(results);
					ReplyCode reply = ReplyCode.of(rc);
					if (reply == ReplyCode.NO_NODE && failed == 0 && missing < this.ancestors.size()) {
						ask(zooKeeper, missing + 1, denial);
					}
					else if (reply == ReplyCode.NO_NODE) {
						denial.complete((failed == 0) ? noChroot() : notAuthenticated(zooKeeper));
					}
					else if (reply == ReplyCode.REFUSED) {
						denial.complete(Optional.of(refused(zooKeeper, rc, steps, failed)));
					}
					else {
						denial.complete(Optional.empty());
					}
				}), null);
	}

	// Of a node just below it, only the chroot can be the parent that is not there.
	private Optional<Denial> noChroot() {
		String connectString = this.connection.servers();
		int slash = connectString.indexOf('/');
		if (slash < 0) {
			return Optional.empty();
		}
		String chroot = connectString.substring(slash);
		return Optional.of(new Denial(Reason.CHROOT, "ZooKeeper at '" + connectString.substring(0, slash)
				+ "' has no node '" + chroot + "', which is the chroot of the client", chroot));
	}

	// The server applies the permissions of the world to a client that has not
	// authenticated.
	private Optional<Denial> notAuthenticated(ZooKeeper zooKeeper) {
		if (this.scheme == null) {
			return Optional.empty();
		}
		return identities(zooKeeper)
			.filter((known) -> known.stream().noneMatch((identity) -> identity.startsWith(this.scheme + ":")))
			.map((known) -> new Denial(Reason.NOT_AUTHENTICATED, "ZooKeeper knows this client as " + known
					+ ", but not with the scheme " + this.scheme + ", with which it had to authenticate", null));
	}

	private Denial refused(ZooKeeper zooKeeper, int rc, List<Step> steps, int failed) {
		if (rc == Code.AUTHFAILED.intValue()) {
			return new Denial(Reason.REFUSED_AUTHENTICATION, "ZooKeeper has refused the authentication of this client",
					null);
		}
		String missing = (failed >= 0)
				? ": the permission " + steps.get(failed).permission() + " is missing at " + steps.get(failed).where()
				: "";
		return notAuthenticated(zooKeeper).orElseGet(() -> new Denial(Reason.PERMISSION,
				"ZooKeeper answered " + ReplyCode.text(rc) + missing + " for this client, which is known there as "
						+ identities(zooKeeper).map(List::toString).orElse("unknown"),
				null));
	}

	private List<Step> steps(int missing) {
		List<Step> steps = new ArrayList<>();
		for (String path : this.ancestors.subList(this.ancestors.size() - missing, this.ancestors.size())) {
			steps.add(creation(path, CreateMode.PERSISTENT, parent(path)));
		}
		steps.add(creation(this.directory, CreateMode.CONTAINER, parent(this.directory)));
		steps.add(creation(this.directory + "/node", CreateMode.EPHEMERAL, this.newNodes));
		steps.add(new Step(Op.check(this.directory, -1), "READ", this.newNodes));
		// The node of a job has the ACL of a directory, and each run and pause writes it.
		steps.add(new Step(Op.setData(this.directory, NOTHING, -1), "WRITE", this.newNodes));
		steps.add(new Step(Op.delete(this.directory + "/node", -1), "DELETE", this.newNodes));
		// There is no such node, which undoes all that was allowed.
		steps.add(new Step(Op.check(this.directory + "/none", -1), "READ", this.newNodes));
		return steps;
	}

	private Step creation(String path, CreateMode mode, String where) {
		return new Step(Op.create(path, NOTHING, this.aclProvider.getAclForPath(path), mode), "CREATE", where);
	}

	private static String parent(String path) {
		return path.substring(0, Math.max(path.lastIndexOf('/'), 1));
	}

	// Empty if the connection ends before the reply, and for a server before 3.7.
	private static Optional<List<String>> identities(ZooKeeper zooKeeper) {
		try {
			return Optional.of(zooKeeper.whoAmI()
				.stream()
				.map((identity) -> ForeignText.identity(identity.getAuthScheme(), identity.getUser()))
				.toList());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
		catch (RuntimeException ex) {
			logger.debug("ZooKeeper did not return the identity of the client", ex);
			return Optional.empty();
		}
	}

	private static int firstFailure(@Nullable List<OpResult> results) {
		for (int i = 0; results != null && i < results.size(); i++) {
			if (results.get(i) instanceof ErrorResult error && error.getErr() != 0) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * Why a client cannot lock.
	 *
	 * @param reason the kind of reason
	 * @param text a sentence without its end
	 * @param detail the chroot of the client, if that is what does not exist, or what
	 * mends an ACL
	 * @since 0.1.0
	 */
	public record Denial(Reason reason, String text, @Nullable String detail) {

	}

	/**
	 * The kinds of reasons.
	 *
	 * @since 0.1.0
	 */
	public enum Reason {

		/** The client may not do what a lock needs. */
		PERMISSION,

		/** The chroot of the client does not exist. */
		CHROOT,

		/** Others may change the nodes of the locks. */
		EXPOSED,

		/** The client has not authenticated as it was to. */
		NOT_AUTHENTICATED,

		/** The servers have refused the authentication of the client. */
		REFUSED_AUTHENTICATION

	}

	/**
	 * One operation of the transaction.
	 *
	 * @param operation the operation
	 * @param permission the permission that it needs
	 * @param where where it needs that, as messages say it
	 */
	private record Step(Op operation, String permission, String where) {

	}

}
