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

import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.common.PathUtils;

/**
 * Where locks live: {@code /<namespace>/<root>/<encoded key>}. Beside them, sessions that
 * hold a lock for long write to {@code /<namespace>/<root>/~sessions}.
 */
public final class LockPaths {

	// No name of a key contains '~' unless it ends in a digest.
	public static final String SESSIONS = "~sessions";

	private final String root;

	private final String prefix;

	/**
	 * Create the paths.
	 * @param namespace the namespace of the client, or empty
	 * @param root the root below it, like {@code /locks}
	 * @throws IllegalArgumentException if the root is not a path below {@code /}
	 */
	public LockPaths(String namespace, String root) {
		if (!root.startsWith("/") || root.length() < 2) {
			throw new IllegalArgumentException(
					"Lock root '" + root + "' is not allowed: give a path below '/', like '/locks'");
		}
		PathUtils.validatePath(root);
		this.root = root;
		this.prefix = (namespace.isEmpty() ? "" : "/" + namespace) + root;
	}

	/**
	 * Return the full path of a key's directory.
	 */
	public String directory(String key) {
		return this.prefix + "/" + KeyEncoding.encode(key);
	}

	/**
	 * Return the path of a key's directory as the client with its namespace sees it.
	 */
	public String directoryInNamespace(String key) {
		return this.root + "/" + KeyEncoding.encode(key);
	}

	/**
	 * Return the full path of the directory of the sessions.
	 */
	public String sessions() {
		return this.prefix + "/" + SESSIONS;
	}

	/**
	 * Return the full paths above every directory, the topmost first.
	 */
	public List<String> ancestors() {
		List<String> ancestors = new ArrayList<>();
		for (int end = this.prefix.indexOf('/', 1); end > 0; end = this.prefix.indexOf('/', end + 1)) {
			ancestors.add(this.prefix.substring(0, end));
		}
		ancestors.add(this.prefix);
		return ancestors;
	}

}
