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

import java.time.Duration;
import java.util.List;

import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck.Denial;
import org.jspecify.annotations.Nullable;

/**
 * The configuration or the ensemble does not let the application start, with what to do
 * about it.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public final class ZooKeeperStartupException extends IllegalStateException {

	private final String description;

	private final String action;

	private ZooKeeperStartupException(String message, String description, String action) {
		super(message);
		this.description = description;
		this.action = action;
	}

	/**
	 * Return what is wrong.
	 * @return the description
	 */
	public String getDescription() {
		return this.description;
	}

	/**
	 * Return what to do about it.
	 * @return the action
	 */
	public String getAction() {
		return this.action;
	}

	/**
	 * Return the failure of a list of servers that ZooKeeper does not understand.
	 */
	static ZooKeeperStartupException invalidConnectString(String connectString, String problem) {
		return new ZooKeeperStartupException(
				"Connect string '" + connectString + "' of ZooKeeper is not valid: " + problem,
				"The connect string '" + connectString + "' of ZooKeeper is not valid: " + problem + ".",
				"Review the value of the property 'zk-lock.connect-string', or the ZkLockConnectionDetails bean if "
						+ "there is one. It lists host:port pairs separated by commas, optionally followed by a "
						+ "chroot path, like 'zk1:2181,zk2:2181,zk3:2181/app'.");
	}

	/**
	 * Return the failure of an embedded server without its libraries.
	 * @param libraries the missing ones, as {@code group:artifact:version}
	 * @return the failure
	 */
	public static ZooKeeperStartupException missingLibraries(List<String> libraries) {
		String missing = String.join(" and ", libraries);
		return new ZooKeeperStartupException("The embedded ZooKeeper server needs " + missing + " on the class path",
				"'zk-lock.embedded.enabled' is true, but the ZooKeeper server cannot run: it needs libraries that the "
						+ "client does not need, and the starter does not bring.",
				"Add " + missing + " to the dependencies of the application, or set 'zk-lock.embedded.enabled' to "
						+ "false and 'zk-lock.connect-string' to the address of a running server.");
	}

	/**
	 * Return the failure of a property that names an SSL bundle that does not exist.
	 * @param bundle the name of the bundle
	 * @return the failure
	 */
	public static ZooKeeperStartupException unknownBundle(String bundle) {
		String text = "The property 'zk-lock.ssl.bundle' names the SSL bundle '" + bundle + "', which does not exist";
		return new ZooKeeperStartupException(text, text + ".",
				"Correct the name, or define the bundle below 'spring.ssl.bundle.pem." + bundle
						+ "' or 'spring.ssl.bundle.jks." + bundle + "'.");
	}

	/**
	 * Return the failure of an application that fails fast without ZooKeeper.
	 */
	static ZooKeeperStartupException unreachable(String connectString, Duration waited, @Nullable String problem) {
		String text = "ZooKeeper at '" + connectString + "' could not be reached within " + waited.toMillis() + "ms";
		String reason = (problem != null) ? ": " + problem : "";
		return new ZooKeeperStartupException(text + ", and zk-lock.fail-fast is enabled" + reason,
				text + ", and 'zk-lock.fail-fast' is enabled" + reason + ".",
				((problem != null) ? "Correct the SSL bundle, 'zk-lock.ssl.*' or the certificates" : "Start ZooKeeper")
						+ ", or correct the property 'zk-lock.connect-string'. If ZooKeeper only needs longer, raise "
						+ "'zk-lock.startup-timeout'. If the application is to start without ZooKeeper and connect "
						+ "later, set 'zk-lock.fail-fast' to false.");
	}

	/**
	 * Return the failure of an application that fails fast where it may not lock.
	 */
	static ZooKeeperStartupException denied(Denial denial) {
		return new ZooKeeperStartupException(denial.text() + ", and zk-lock.fail-fast is enabled",
				denial.text() + ", and 'zk-lock.fail-fast' is enabled.",
				remedy(denial) + ". If the application is to start nevertheless, set 'zk-lock.fail-fast' to false.");
	}

	/**
	 * Return what to do.
	 * @param denial why the client cannot lock
	 * @return sentences, the last without its end
	 */
	static String remedy(Denial denial) {
		String detail = denial.detail();
		return switch (denial.reason()) {
			case CHROOT -> "Create the node '" + detail + "' (zkCli.sh create " + detail
					+ "), or correct the path at the end of 'zk-lock.connect-string', or use '"
					+ "zk-lock.namespace' instead of it, whose nodes are created as needed";
			case PERMISSION -> "Give the client CREATE, READ and DELETE there (new nodes belong to the client that "
					+ "creates them if zk-lock.auth"
					+ " is set, else to every client, unless an ACLProvider bean decides), or "
					+ "let it authenticate as a user that has them (zk-lock.auth.*"
					+ "; with a wrong password it is another user of the same name), or set '"
					+ "zk-lock.root' to a node where it may";
			case EXPOSED -> String.valueOf(detail);
			case NOT_AUTHENTICATED -> "Correct zk-lock.auth.sasl.*, or with client certificates "
					+ "zk-lock.ssl.bundle and ssl.clientAuth of the servers"
					+ "; the log of org.apache.zookeeper shows why the login has failed";
			case REFUSED_AUTHENTICATION -> "Correct user and password of zk-lock.auth.*";
		};
	}

}
