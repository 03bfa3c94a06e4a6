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

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.zklock.zookeeper.node.ForeignText;
import io.github.zklock.zookeeper.node.LockPaths;
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

	private static final int CHANGES = Perms.CREATE | Perms.DELETE | Perms.WRITE | Perms.ADMIN;

	private final String root;

	private final ACLProvider acls;

	private final Executor threads;

	// Always the same one, so that a later delete also removes what an earlier one left
	// when the connection was lost. No other client can know it.
	private final String probe;

	private volatile boolean left;

	private volatile @Nullable Map<Id, Integer> own;

	/**
	 * Create the search.
	 * @param root the full path of the node under which the keys live
	 * @param acls the ACL that each path is to have
	 * @param threads run the code of the application, and take the answers
	 */
	public ForeignRights(String root, ACLProvider acls, Executor threads) {
		this.root = root;
		this.acls = acls;
		this.threads = threads;
		this.probe = root + "/" + PROBE + "-" + UUID.randomUUID();
	}

	/**
	 * Return whether other clients are to be kept out at all.
	 * @return whether they are
	 */
	public boolean isWanted() {
		return !(this.acls instanceof DefaultACLProvider);
	}

	/**
	 * Ask for the ACL of a node. The first time, also find out whom ZooKeeper takes this
	 * client for, from the ACL of a node that the client creates for a moment.
	 * @param zooKeeper the handle to ask with
	 * @param path the full path
	 * @param answer takes the answer, on a thread for code of the application
	 */
	public void find(ZooKeeper zooKeeper, String path, Consumer<Answer> answer) {
		if (this.left) {
			removeProbe(zooKeeper);
		}
		zooKeeper.getACL(path, new Stat(), (int rc, String asked, Object context, @Nullable List<ACL> found,
				@Nullable Stat stat) -> this.threads.execute(() -> {
					List<ACL> wanted = wanted(path);
					if (ReplyCode.of(rc) == ReplyCode.NO_NODE || wanted == null) {
						answer.accept(Answer.HARMLESS);
					}
					else if (rc == Code.NOAUTH.intValue()) {
						answer.accept(Answer.of(Exposure.hidden(path)));
					}
					else if (found == null || stat == null) {
						answer.accept(Answer.UNKNOWN);
					}
					else if (stat.getEphemeralOwner() != 0) {
						answer.accept(Answer.of(Exposure.ephemeral(path)));
					}
					else if (stat.getNumChildren() > 0 && LockPaths.isJob(path)) {
						answer.accept(Answer.of(Exposure.parent(path)));
					}
					else {
						compare(zooKeeper, path, beyond(found, allowed(wanted), harmful(path)), wanted, answer);
					}
				}), null);
	}

	// Applications may share the root, if all of them may create nodes there. Below it,
	// a client that may read can find out the sessions of the holders, and end them.
	private int harmful(String path) {
		return path.equals(this.root) ? CHANGES & ~Perms.CREATE : CHANGES | Perms.READ;
	}

	private void compare(ZooKeeper zooKeeper, String path, List<ACL> others, List<ACL> wanted,
			Consumer<Answer> answer) {
		Map<Id, Integer> known = this.own;
		if (others.isEmpty()) {
			answer.accept(Answer.HARMLESS);
		}
		else if (known != null) {
			List<ACL> foreign = beyond(others, known, Perms.ALL);
			answer.accept(foreign.isEmpty() ? Answer.HARMLESS : Answer.of(Exposure.open(path, foreign, wanted)));
		}
		else {
			probe(zooKeeper, () -> {
				List<ACL> everybody = others.stream().filter(ForeignRights::isOfEverybody).toList();
				if (this.own != null) {
					compare(zooKeeper, path, others, wanted, answer);
				}
				else {
					answer.accept(
							everybody.isEmpty() ? Answer.UNKNOWN : Answer.of(Exposure.open(path, everybody, wanted)));
				}
			});
		}
	}

	private static boolean isOfEverybody(ACL acl) {
		return Ids.ANYONE_ID_UNSAFE.equals(acl.getId());
	}

	// Only a server knows how it writes the identities of a client into an ACL.
	private void probe(ZooKeeper zooKeeper, Runnable next) {
		zooKeeper.create(this.probe, new byte[0], Ids.CREATOR_ALL_ACL, CreateMode.EPHEMERAL,
				(int rc, String asked, Object context, @Nullable String created) -> {
				}, null);
		zooKeeper.getACL(this.probe, new Stat(),
				(int rc, String asked, Object context, @Nullable List<ACL> found, @Nullable Stat stat) -> {
					if (found != null) {
						this.own = allowed(found);
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
			int changes = harmful(path) & CHANGES;
			return (wanted == null || beyond(wanted, Map.of(), changes).stream().anyMatch(ForeignRights::isOfEverybody))
					? null : wanted;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The ACL of {} is not known", path, ex);
			return null;
		}
	}

	private static List<ACL> beyond(List<ACL> found, Map<Id, Integer> allowed, int harmful) {
		return found.stream()
			.filter((acl) -> (acl.getPerms() & harmful & ~allowed.getOrDefault(acl.getId(), 0)) != 0)
			.toList();
	}

	private static Map<Id, Integer> allowed(List<ACL> acls) {
		return acls.stream().collect(Collectors.toMap(ACL::getId, ACL::getPerms, (one, other) -> one | other));
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

		static Answer of(Exposure exposure) {
			return new Answer(true, exposure);
		}

	}

	/**
	 * A node that others may change or read, that belongs to another session, or whose
	 * ACL this client may not read.
	 *
	 * @param text what is wrong, as a sentence without its end
	 * @param remedy what to do, as a sentence without its end
	 */
	public record Exposure(String text, String remedy) {

		static Exposure open(String path, List<ACL> others, List<ACL> wanted) {
			boolean change = others.stream().anyMatch((acl) -> (acl.getPerms() & CHANGES) != 0);
			String what = change ? "Other clients may change the locks at "
					: "Other clients may read, and so end, the sessions of the locks at ";
			return new Exposure(what + path + ": " + ForeignText.acls(others), "Run 'setAcl -R " + path + " "
					+ ForeignText.wanted(wanted)
					+ "' in zkCli.sh, authenticated as this client, and look there for nodes that it has not created");
		}

		static Exposure hidden(String path) {
			return new Exposure(
					"It is not known who may change the locks at " + path + ": its ACL may not be read by this client",
					"Check the user and the password of this client first: with a wrong password it is another user");
		}

		static Exposure ephemeral(String path) {
			return new Exposure("Another client has created " + path + " as a node of its session",
					"Run 'delete " + path + "' in zkCli.sh: it is created again when it is needed");
		}

		static Exposure parent(String path) {
			return new Exposure("Runs of a job are refused at " + path + ": another client has created nodes below it",
					"Delete the nodes below it, or run 'deleteall " + path
							+ "' in zkCli.sh, which also ends its pause");
		}

	}

}
