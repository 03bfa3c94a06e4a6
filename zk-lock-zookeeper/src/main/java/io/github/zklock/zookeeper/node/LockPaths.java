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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import io.github.zklock.core.LockTick;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths of locks, {@code /<namespace>/<root>/<encoded key>}, and their ACLs. Beside
 * them, sessions that hold a lock for long write to
 * {@code /<namespace>/<root>/~sessions}, and runs of jobs to
 * {@code /<namespace>/<root>/~job~<job>}. The jobs have no directory of their own, since
 * that would belong to its first user alone.
 * <p>
 * In an encoded key, every character but letters, digits and {@code _-:@+=,.} is
 * percent-escaped as UTF-8. So different keys have different names, and no key nests in
 * another. A name that would exceed {@value #MAX_NAME_LENGTH} bytes is cut and ends in
 * {@code ~} and the SHA-256 digest of the key.
 */
public final class LockPaths {

	// No name of a key contains '~' unless it ends in a digest.
	private static final String SESSIONS = "~sessions";

	private static final String JOB = "~job~";

	private static final Logger logger = LoggerFactory.getLogger(LockPaths.class);

	public static final int MAX_NAME_LENGTH = 200;

	// Stands for all nodes in a directory when their ACL is asked for.
	private static final String NODE = "/-lock-";

	private static final long TIME_BETWEEN_ERRORS = TimeUnit.MINUTES.toNanos(1);

	private static final int KEPT_LENGTH = 120;

	private static final int DIGEST_BYTES = 16;

	private static final String PERIODIC = "n";

	private static final String KEPT_PUNCTUATION = "_-:@+=,.";

	private static final HexFormat HEX = HexFormat.of().withUpperCase();

	private final String below;

	private final String root;

	private final ACLProvider aclProvider;

	private final UnaryOperator<String> shownKey;

	private final LongSupplier clock;

	private final List<String> aboveKeys;

	private volatile @Nullable Long logged;

	// Of the nodes above all keys, as they were when a request asked for them first.
	private final Map<String, List<ACL>> acls = new ConcurrentHashMap<>();

	/**
	 * Create the paths.
	 * @param namespace the namespace of the client, or empty
	 * @param below the path below it, like {@code /locks}
	 * @param aclProvider the ACL of each path
	 * @throws IllegalArgumentException if that is not a path below {@code /}
	 */
	public LockPaths(String namespace, String below, ACLProvider aclProvider) {
		this(namespace, below, aclProvider, UnaryOperator.identity(), () -> 0);
	}

	/**
	 * Create the paths.
	 * @param shownKey returns what ZooKeeper is given in the place of a key
	 * @param clock the clock of the engine
	 */
	public LockPaths(String namespace, String below, ACLProvider aclProvider, UnaryOperator<String> shownKey,
			LongSupplier clock) {
		this.clock = clock;
		if (!below.startsWith("/") || below.length() < 2) {
			throw new IllegalArgumentException(
					"Lock root '" + below + "' is not allowed: give a path below '/', like '/locks'");
		}
		PathUtils.validatePath(below);
		this.below = below;
		this.root = (namespace.isEmpty() ? "" : "/" + namespace) + below;
		this.aclProvider = aclProvider;
		this.shownKey = shownKey;
		List<String> above = new ArrayList<>(ancestors());
		above.addAll(List.of(sessions(), session(0)));
		this.aboveKeys = List.copyOf(above);
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
		return this.root + "/" + encode(shown(key));
	}

	/**
	 * Return the path of a key's directory as the client with its namespace sees it.
	 */
	public String directoryInNamespace(String key) {
		return this.below + "/" + encode(shown(key));
	}

	/**
	 * Return what ZooKeeper is given in the place of a key.
	 */
	public String shown(String key) {
		return this.shownKey.apply(key);
	}

	/**
	 * Return the full path of the directory of the sessions.
	 */
	public String sessions() {
		return this.root + "/" + SESSIONS;
	}

	/**
	 * Return the full path of the node of a job: its schedule, and the digest of the key.
	 * Ticks and periodic runs of one schedule are different jobs.
	 */
	public String job(LockTick tick, String key) {
		return job(tick.schedule(), tick.isPeriodic(), key);
	}

	/**
	 * Return the full path of the node of a job.
	 */
	public String job(String schedule, boolean periodic, String key) {
		byte[] digest = sha256(shown(key).getBytes(StandardCharsets.UTF_8));
		return this.root + "/" + JOB + encode(schedule) + "~" + (periodic ? PERIODIC : "")
				+ HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
	}

	/**
	 * Return whether a path is of the node of a job.
	 */
	public static boolean isJob(String path) {
		return path.startsWith(JOB, path.lastIndexOf('/') + 1);
	}

	/**
	 * Return the schedule in the name of a job's node, encoded like a key.
	 * @param name the name of a node below the root
	 * @param key the key of the job
	 * @return the schedule, or {@code null} if the node does not belong to a job with
	 * that key
	 */
	public @Nullable String encodedSchedule(String name, String key) {
		String ticks = job("", false, key).substring(this.root.length() + 1 + JOB.length());
		String periodic = job("", true, key).substring(this.root.length() + 1 + JOB.length());
		int end = name.lastIndexOf('~');
		// Another client may have left out the schedule.
		return (name.startsWith(JOB) && end > JOB.length() && (name.endsWith(ticks) || name.endsWith(periodic)))
				? name.substring(JOB.length(), end) : null;
	}

	/**
	 * Return the full path of the node to which a session writes its heartbeats.
	 */
	public String session(long id) {
		return sessions() + "/" + Long.toHexString(id);
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
	 * Return the path of a key, and ask the application for the ACLs there. Ask for the
	 * ACLs of the nodes above all keys as well, unless they are known. It may block or
	 * throw, so only the thread of a caller asks, before it takes a lock of the engine.
	 */
	public NodeAcls askForAcls(String key) {
		for (String above : this.aboveKeys) {
			askOnce(above);
		}
		String directory = directory(key);
		return new NodeAcls(directory, ask(directory), ask(directory + NODE));
	}

	private void askOnce(String path) {
		if (!this.acls.containsKey(path)) {
			try {
				List<ACL> acl = ask(path);
				if (!acl.isEmpty()) {
					this.acls.put(path, acl);
				}
			}
			catch (Throwable ex) {
				// As a rule that node exists, so the next request asks again.
				logOnceAMinute(path, ex);
			}
		}
	}

	private void logOnceAMinute(String path, Throwable failure) {
		Long before = this.logged;
		long now = this.clock.getAsLong();
		if (before == null || now - before >= TIME_BETWEEN_ERRORS) {
			this.logged = now;
			logger.error("The ACL provider {} has failed for {}", this.aclProvider, path, failure);
		}
	}

	// The server refuses an empty ACL, and nothing is left half done.
	private List<ACL> ask(String path) {
		List<ACL> acl = this.aclProvider.getAclForPath(path);
		return (acl != null) ? acl : List.of();
	}

	/**
	 * Return the known ACL of a node above all keys.
	 */
	public List<ACL> acl(String path) {
		return this.acls.getOrDefault(path, List.of());
	}

	/**
	 * Return the known ACL of the nodes of heartbeats.
	 */
	public List<ACL> aclOfSessions() {
		return acl(session(0));
	}

	public static String encode(String key) {
		if (isName(key)) {
			return key;
		}
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

	/**
	 * Return whether a node below the root can belong to a key, not to the library.
	 */
	public static boolean isOfKey(String name) {
		return !name.startsWith("~");
	}

	static boolean isCut(String name) {
		return name.indexOf('~') >= 0;
	}

	// Nearly all keys are their own names.
	private static boolean isName(String key) {
		for (int i = 0; i < key.length(); i++) {
			if (!isKept(key.charAt(i))) {
				return false;
			}
		}
		return key.length() <= MAX_NAME_LENGTH && !key.equals(".") && !key.equals("..");
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
