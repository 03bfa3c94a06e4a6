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

package io.github.zklock.zookeeper.node;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths of locks, {@code /<namespace>/<root>/<encoded key>}, and their ACLs. Beside
 * them, sessions that hold a lock for long write to
 * {@code /<namespace>/<root>/~sessions}.
 * <p>
 * In an encoded key every character but letters, digits and {@code _-:@+=,.} is
 * percent-escaped as UTF-8, so different keys have different names and no key nests in
 * another. A name that would exceed {@value #MAX_NAME_LENGTH} bytes is cut and ends in
 * {@code ~} and the SHA-256 digest of the key.
 */
public final class LockPaths {

	// No name of a key contains '~' unless it ends in a digest.
	public static final String SESSIONS = "~sessions";

	private static final Logger logger = LoggerFactory.getLogger(LockPaths.class);

	public static final int MAX_NAME_LENGTH = 200;

	private static final int KEPT_LENGTH = 120;

	private static final String KEPT_PUNCTUATION = "_-:@+=,.";

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	private final String below;

	private final String root;

	private final ACLProvider aclProvider;

	/**
	 * Create the paths.
	 * @param namespace the namespace of the client, or empty
	 * @param below the path below it, like {@code /locks}
	 * @param aclProvider the ACL of each path
	 * @throws IllegalArgumentException if that is not a path below {@code /}
	 */
	public LockPaths(String namespace, String below, ACLProvider aclProvider) {
		if (!below.startsWith("/") || below.length() < 2) {
			throw new IllegalArgumentException(
					"Lock root '" + below + "' is not allowed: give a path below '/', like '/locks'");
		}
		PathUtils.validatePath(below);
		this.below = below;
		this.root = (namespace.isEmpty() ? "" : "/" + namespace) + below;
		this.aclProvider = aclProvider;
	}

	/**
	 * Return the full path of the parent of all directories.
	 */
	public String root() {
		return this.root;
	}

	/**
	 * Return the full path of a key's directory.
	 */
	public String directory(String key) {
		return this.root + "/" + encode(key);
	}

	/**
	 * Return the path of a key's directory as the client with its namespace sees it.
	 */
	public String directoryInNamespace(String key) {
		return this.below + "/" + encode(key);
	}

	/**
	 * Return the full path of the directory of the sessions.
	 */
	public String sessions() {
		return this.root + "/" + SESSIONS;
	}

	/**
	 * Return the full paths above every directory, the topmost first.
	 */
	public List<String> ancestors() {
		List<String> ancestors = new ArrayList<>();
		for (int end = this.root.indexOf('/', 1); end > 0; end = this.root.indexOf('/', end + 1)) {
			ancestors.add(this.root.substring(0, end));
		}
		ancestors.add(this.root);
		return ancestors;
	}

	/**
	 * Return the ACL of a path, empty if the application gives none: the server refuses
	 * that, and nothing is left half done.
	 */
	public List<ACL> acl(String path) {
		try {
			List<ACL> acl = this.aclProvider.getAclForPath(path);
			return (acl != null) ? acl : List.of();
		}
		catch (Throwable ex) {
			logger.error("The ACL provider {} has failed, so the lock at {} is refused", this.aclProvider, path, ex);
			return List.of();
		}
	}

	public static String encode(String key) {
		StringBuilder name = new StringBuilder(Math.min(key.length() * 2, MAX_NAME_LENGTH * 2));
		int kept = 0;
		boolean dots = key.equals(".") || key.equals("..");
		byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
		for (byte b : bytes) {
			if (isKept((char) (b & 0xFF)) && !dots) {
				name.append((char) b);
			}
			else {
				name.append('%').append(HEX.toHexDigits(b));
			}
			if (name.length() <= KEPT_LENGTH) {
				kept = name.length();
			}
			if (name.length() > MAX_NAME_LENGTH) {
				return name.substring(0, kept) + "~" + HexFormat.of().formatHex(sha256(bytes));
			}
		}
		return name.toString();
	}

	/**
	 * Return the key of a name.
	 * @param name a name that {@link #encode} returned
	 * @return the key, or the name itself if it was cut
	 */
	public static String decode(String name) {
		if (isCut(name)) {
			return name;
		}
		byte[] bytes = new byte[name.length()];
		int length = 0;
		for (int i = 0; i < name.length(); i++) {
			if (name.charAt(i) == '%') {
				bytes[length++] = (byte) HexFormat.fromHexDigits(name, i + 1, i + 3);
				i += 2;
			}
			else {
				bytes[length++] = (byte) name.charAt(i);
			}
		}
		return new String(bytes, 0, length, StandardCharsets.UTF_8);
	}

	static boolean isCut(String name) {
		return name.indexOf('~') >= 0;
	}

	private static boolean isKept(char c) {
		return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')
				|| KEPT_PUNCTUATION.indexOf(c) >= 0;
	}

	static byte[] sha256(byte[] bytes) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(bytes);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
