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

package io.github.zklock.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;

/**
 * A client of the same servers that follows no rules: it uses the plain client of
 * ZooKeeper, and writes what it likes where the permissions let it. Its methods are the
 * attacks. All of them throw what ZooKeeper answers.
 */
public final class HostileClient implements AutoCloseable {

	/** The last millisecond of the year 9999. */
	public static final long YEAR_9999 = 253_402_300_799_000L;

	private static final int TIMEOUT_MS = 20_000;

	// From this, ZooKeeper computes the password of each session.
	private static final long SECRET = 0xB3415C00L;

	private final String connectString;

	private final ZooKeeper zooKeeper;

	private final List<ACL> acl;

	private HostileClient(String connectString, ZooKeeper zooKeeper, List<ACL> acl) {
		this.connectString = connectString;
		this.zooKeeper = zooKeeper;
		this.acl = acl;
	}

	/**
	 * Connect without any authentication.
	 * @param connectString where the servers are
	 * @return the client, connected
	 */
	public static HostileClient connect(String connectString) {
		return new HostileClient(connectString, open(connectString, 0, null), Ids.OPEN_ACL_UNSAFE);
	}

	/**
	 * Connect as a user of the digest scheme. What the client creates is its own.
	 * @param connectString where the servers are
	 * @param user the user, like {@code mallory:secret}
	 * @return the client, connected
	 */
	public static HostileClient connectAs(String connectString, String user) {
		ZooKeeper zooKeeper = open(connectString, 0, null);
		zooKeeper.addAuthInfo("digest", user.getBytes(StandardCharsets.UTF_8));
		return new HostileClient(connectString, zooKeeper, Ids.CREATOR_ALL_ACL);
	}

	private static ZooKeeper open(String connectString, long session, byte[] password) {
		CountDownLatch connected = new CountDownLatch(1);
		try {
			ZooKeeper zooKeeper = new ZooKeeper(connectString, TIMEOUT_MS, (event) -> {
				if (event.getState() == KeeperState.SyncConnected) {
					connected.countDown();
				}
			}, session, password);
			if (!connected.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException("No connection to " + connectString);
			}
			return zooKeeper;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the plain client.
	 * @return the client
	 */
	public ZooKeeper zooKeeper() {
		return this.zooKeeper;
	}

	/**
	 * Create a persistent node below the directory of a key, and the directory if it is
	 * missing.
	 * @param directory the path of the key
	 * @param name the name of the node, which no server numbers
	 */
	public void plant(String directory, String name) throws KeeperException, InterruptedException {
		plant(directory, name, new byte[0]);
	}

	/**
	 * Create a persistent node with data.
	 * @param directory the path of the key
	 * @param name the name of the node
	 * @param data the data
	 */
	public void plant(String directory, String name, byte[] data) throws KeeperException, InterruptedException {
		createDirectory(directory);
		this.zooKeeper.create(directory + "/" + name, data, this.acl, CreateMode.PERSISTENT);
	}

	/**
	 * Create a directory and all above it, with the permissions of this client.
	 * @param directory its path
	 */
	public void createDirectory(String directory) throws KeeperException, InterruptedException {
		for (int end = directory.indexOf('/', 1); end != directory.length(); end = directory.indexOf('/', end + 1)) {
			end = (end < 0) ? directory.length() : end;
			try {
				this.zooKeeper.create(directory.substring(0, end), new byte[0], this.acl, CreateMode.CONTAINER);
			}
			catch (KeeperException.NodeExistsException | KeeperException.NoAuthException ex) {
				// What is there is used.
			}
			if (end == directory.length()) {
				return;
			}
		}
	}

	/**
	 * Replace a node that another client creates again and again.
	 * @param path its path
	 * @param mode the mode of the new node
	 */
	public void replace(String path, CreateMode mode) {
		List<Op> replacing = List.of(Op.delete(path, -1), Op.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, mode));
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
			try {
				return this.zooKeeper.multi(replacing) != null;
			}
			catch (KeeperException.NoNodeException ex) {
				// The other client creates it with its next request.
				return false;
			}
		});
	}

	/**
	 * Create nodes whose names are so long that a listing does not fit into one answer.
	 * @param directory the path of the key
	 * @param nodes how many
	 * @param length the length of each name
	 */
	public void poison(String directory, int nodes, int length) throws KeeperException, InterruptedException {
		for (int i = 0; i < nodes; i++) {
			plant(directory, i + "x".repeat(length));
		}
	}

	/**
	 * Enter a queue as an honest client would, with a node that ends with the session.
	 * @param directory the path of the key
	 * @param contender the beginning of the name, such as that of the node of another
	 * client
	 * @param mode the mode
	 * @return the path of the node
	 */
	public String enter(String directory, String contender, LockMode mode)
			throws KeeperException, InterruptedException {
		createDirectory(directory);
		String infix = switch (mode) {
			case EXCLUSIVE -> "lock-";
			case READ -> "__READ__";
			case WRITE -> "__WRIT__";
		};
		return this.zooKeeper.create(directory + "/" + contender + infix, new byte[0], this.acl,
				CreateMode.EPHEMERAL_SEQUENTIAL);
	}

	/**
	 * Return the beginning of the name of a node of zk-lock, which is unique to one
	 * request.
	 * @param node the name of the node
	 * @return up to its second {@code -}
	 */
	public static String contender(String node) {
		return node.substring(0, node.indexOf('-', node.indexOf('-') + 1) + 1);
	}

	/**
	 * End the session of another client, whose password follows from its id.
	 * @param session the session
	 */
	public void endSession(long session) throws InterruptedException {
		byte[] password = new byte[16];
		new Random(session ^ SECRET).nextBytes(password);
		open(this.connectString, session, password).close();
	}

	@Override
	public void close() throws InterruptedException {
		this.zooKeeper.close();
	}

}
