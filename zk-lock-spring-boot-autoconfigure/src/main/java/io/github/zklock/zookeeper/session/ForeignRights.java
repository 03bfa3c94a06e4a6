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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.zklock.zookeeper.node.ReplyCode;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether a node that exists lets other clients do what breaks locks, although
 * the ACL of the locks keeps them out. A client that came first, or an earlier deployment
 * without authentication, may have created it. The right to delete a node is a permission
 * on its parent.
 */
public final class ForeignRights {

	private static final Logger logger = LoggerFactory.getLogger(ForeignRights.class);

	/**
	 * Begins the names of nodes that are no keys, see
	 * {@link io.github.zklock.zookeeper.node.LockPaths}.
	 */
	public static final String PROBE = "~access";

	private static final int HARMFUL = Perms.CREATE | Perms.DELETE | Perms.WRITE | Perms.ADMIN;

	private static final String LETTERS = "rwcda";

	private final ACLProvider acls;

	private final Executor threads;

	// Always the same one, so that a later delete also removes what an earlier one left
	// when the connection was lost. No other client can know it.
	private final String probe;

	private volatile boolean left;

	private volatile @Nullable Set<Id> own;

	/**
	 * Create the search.
	 * @param root the full path of the node under which the keys live
	 * @param acls the ACL that each path is to have
	 * @param threads run the code of the application, and take the answers
	 */
	public ForeignRights(String root, ACLProvider acls, Executor threads) {
		this.acls = acls;
		this.threads = threads;
		this.probe = root + "/" + PROBE + "-" + UUID.randomUUID();
	}

	/**
	 * Return whether other clients are to be kept out at all.
	 */
	public boolean isWanted() {
		return !(this.acls instanceof DefaultACLProvider);
	}

	/**
	 * Ask for the ACL of a node. The first time, also find out whom ZooKeeper takes this
	 * client for, from the ACL of a node that the client creates for a moment.
	 * @param path the full path
	 * @param answer takes the answer, on a thread for code of the application
	 */
	public void find(ZooKeeper zooKeeper, String path, Consumer<Answer> answer) {
		if (this.left) {
			removeProbe(zooKeeper);
		}
		zooKeeper.getACL(
				path, new Stat(), (int rc, String asked, Object context, @Nullable List<ACL> found,
						@Nullable Stat stat) -> this.threads.execute(() -> compare(zooKeeper, path, rc, found, answer)),
				null);
	}

	private void compare(ZooKeeper zooKeeper, String path, int rc, @Nullable List<ACL> found, Consumer<Answer> answer) {
		List<ACL> wanted = wanted(path);
		if (ReplyCode.of(rc) == ReplyCode.NO_NODE || wanted == null) {
			answer.accept(Answer.HARMLESS);
		}
		else if (rc == Code.NOAUTH.intValue()) {
			answer.accept(new Answer(true, new Exposure(path, null, text(wanted))));
		}
		else if (found == null) {
			answer.accept(Answer.UNKNOWN);
		}
		else {
			compare(zooKeeper, path, beyond(found, ids(wanted)), wanted, answer);
		}
	}

	private void compare(ZooKeeper zooKeeper, String path, List<ACL> others, List<ACL> wanted,
			Consumer<Answer> answer) {
		boolean everybody = others.stream().anyMatch((acl) -> Ids.ANYONE_ID_UNSAFE.equals(acl.getId()));
		Set<Id> known = this.own;
		if (others.isEmpty()) {
			answer.accept(Answer.HARMLESS);
		}
		else if (everybody || known != null) {
			List<ACL> foreign = beyond(others, (known != null) ? known : Set.of());
			answer.accept(foreign.isEmpty() ? Answer.HARMLESS
					: new Answer(true, new Exposure(path, text(foreign), text(wanted))));
		}
		else {
			probe(zooKeeper, () -> {
				if (this.own != null) {
					compare(zooKeeper, path, others, wanted, answer);
				}
				else {
					answer.accept(Answer.UNKNOWN);
				}
			});
		}
	}

	// Only a server knows how it writes the identities of a client into an ACL.
	private void probe(ZooKeeper zooKeeper, Runnable next) {
		zooKeeper.create(this.probe, new byte[0], Ids.CREATOR_ALL_ACL, CreateMode.EPHEMERAL,
				(int rc, String asked, Object context, @Nullable String created) -> {
				}, null);
		zooKeeper.getACL(this.probe, new Stat(),
				(int rc, String asked, Object context, @Nullable List<ACL> found, @Nullable Stat stat) -> {
					if (found != null) {
						this.own = ids(found);
					}
					this.threads.execute(next);
				}, null);
		removeProbe(zooKeeper);
	}

	private void removeProbe(ZooKeeper zooKeeper) {
		this.left = true;
		zooKeeper.delete(this.probe, -1, (rc, asked, context) -> {
			ReplyCode reply = ReplyCode.of(rc);
			this.left = reply != ReplyCode.OK && reply != ReplyCode.NO_NODE;
		}, null);
	}

	// None if all clients are meant to have these permissions.
	private @Nullable List<ACL> wanted(String path) {
		try {
			List<ACL> wanted = this.acls.getAclForPath(path);
			return (wanted == null || !beyond(wanted, Set.of()).stream()
				.filter((acl) -> Ids.ANYONE_ID_UNSAFE.equals(acl.getId()))
				.toList()
				.isEmpty()) ? null : wanted;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The ACL of {} is not known", path, ex);
			return null;
		}
	}

	private static List<ACL> beyond(List<ACL> found, Set<Id> allowed) {
		List<ACL> beyond = new ArrayList<>();
		for (ACL acl : found) {
			if ((acl.getPerms() & HARMFUL) != 0 && !allowed.contains(acl.getId())) {
				beyond.add(acl);
			}
		}
		return beyond;
	}

	private static Set<Id> ids(List<ACL> acls) {
		Set<Id> ids = new HashSet<>();
		acls.forEach((acl) -> ids.add(acl.getId()));
		return ids;
	}

	private static String text(List<ACL> acls) {
		return acls.stream().map(ForeignRights::text).collect(Collectors.joining(","));
	}

	// As zkCli.sh has it, but without what a password could be guessed from.
	private static String text(ACL acl) {
		Id id = acl.getId();
		int hash = id.getScheme().equals("digest") ? id.getId().indexOf(':') : -1;
		StringBuilder text = new StringBuilder(id.getScheme()).append(':')
			.append((hash >= 0) ? id.getId().substring(0, hash) : id.getId())
			.append(':');
		for (int i = 0; i < LETTERS.length(); i++) {
			if ((acl.getPerms() & 1 << i) != 0) {
				text.append(LETTERS.charAt(i));
			}
		}
		return text.toString();
	}

	/**
	 * What is known of a node.
	 *
	 * @param known whether ZooKeeper has answered
	 * @param exposure what others may do, {@code null} if they may do no harm
	 */
	public record Answer(boolean known, @Nullable Exposure exposure) {

		static final Answer HARMLESS = new Answer(true, null);

		static final Answer UNKNOWN = new Answer(false, null);

	}

	/**
	 * A node that others may change, or whose ACL this client may not read.
	 *
	 * @param path the full path
	 * @param others who they are and what they may do, {@code null} if that is not known
	 * @param wanted the ACL that the node is to have
	 */
	public record Exposure(String path, @Nullable String others, String wanted) {

		/**
		 * Return a sentence without its end.
		 */
		public String text() {
			return (this.others != null) ? "Other clients may change the locks at " + this.path + ": " + this.others
					: "It is not known who may change the locks at " + this.path
							+ ": its ACL may not be read by this client";
		}

		/**
		 * Return what to do, as a sentence without its end.
		 */
		public String remedy() {
			return (this.others != null) ? "Run 'setAcl -R " + this.path + " " + this.wanted
					+ "' in zkCli.sh, authenticated as this client, and look there for nodes that it has not created"
					: "Check the user and the password of this client first: with a wrong password it is another user";
		}

	}

}
