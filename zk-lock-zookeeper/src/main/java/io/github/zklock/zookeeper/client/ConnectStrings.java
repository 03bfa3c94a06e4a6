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

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Checks a connect string before the client uses it. ZooKeeper itself reports a wrong one
 * late, in the log of a background thread, or as a bare {@code NumberFormatException}.
 *
 * @since 0.1.0
 */
public final class ConnectStrings {

	private static final int HIGHEST_PORT = 65535;

	private static final Pattern LOOPBACK = Pattern.compile("\\s*(localhost|127(\\.\\d+){3}|\\[::1])(:\\d+)?\\s*");

	private ConnectStrings() {
	}

	/**
	 * Check the form of a connect string.
	 * @param connectString the connect string
	 * @return the connect string
	 * @throws ZooKeeperStartupException if it is not valid
	 */
	public static String check(String connectString) {
		if (connectString.isBlank()) {
			throw ZooKeeperStartupException.invalidConnectString(connectString, "it is empty");
		}
		if (connectString.contains("://")) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"it is a URL, not a list of host:port pairs");
		}
		int slash = connectString.indexOf('/');
		String servers = (slash < 0) ? connectString : connectString.substring(0, slash);
		if (servers.contains(";")) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"it has a semicolon where a comma separates two servers");
		}
		for (String server : servers.split(",", -1)) {
			checkServer(connectString, server.trim());
		}
		if (slash >= 0 && slash < connectString.length() - 1) {
			checkChroot(connectString, connectString.substring(slash));
		}
		return connectString;
	}

	/**
	 * Return whether all servers are on the loopback address, as they are for a
	 * developer.
	 * @param connectString the connect string
	 * @return whether they are
	 */
	public static boolean areLoopback(String connectString) {
		String servers = connectString.split("/", 2)[0];
		return Arrays.stream(servers.split(",")).allMatch(LOOPBACK.asMatchPredicate());
	}

	private static void checkServer(String connectString, String server) {
		int bracket = server.lastIndexOf(']');
		int colon = server.indexOf(':', bracket + 1);
		String host = (colon < 0) ? server : server.substring(0, colon);
		if (server.isEmpty()) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"it has an empty entry between its commas");
		}
		if (host.isEmpty()) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"the host of '" + server + "' is empty");
		}
		if (host.chars().anyMatch(Character::isWhitespace)) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"the host of '" + server + "' contains a space");
		}
		if (server.indexOf(':', colon + 1) > colon && colon >= 0) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"'" + server + "' has more than one colon; an IPv6 address is written in brackets");
		}
		if (colon >= 0 && !isPort(server.substring(colon + 1))) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"the port of '" + server + "' is not a number from 1 to " + HIGHEST_PORT);
		}
	}

	private static void checkChroot(String connectString, String chroot) {
		if (chroot.endsWith("/") || chroot.contains("//")) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"its chroot path '" + chroot + "' ends with '/' or contains '//'");
		}
		if (chroot.contains(",") || chroot.contains(":")) {
			throw ZooKeeperStartupException.invalidConnectString(connectString,
					"a chroot path stands once, after the last server, but there is '" + chroot + "'");
		}
	}

	private static boolean isPort(String text) {
		if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch((c) -> c >= '0' && c <= '9')) {
			return false;
		}
		int port = Integer.parseInt(text);
		return port > 0 && port <= HIGHEST_PORT;
	}

}
