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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Secrets;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * A client of the same servers, by what the ACL of the locks lets it do. The rows of the
 * table in {@code docs/internals/threat-model.md}.
 */
enum HostileStranger {

	/** Nothing has authentication: every client has all permissions. */
	ON_OPEN_NODES(Perms.ALL, Perms.ALL),

	/** The nodes are closed to it, and it has no authentication. */
	WITHOUT_PERMISSION(0, 0),

	/** It may read what is in the directories of keys. */
	MAY_READ(Perms.READ, Perms.READ),

	/** It may create nodes in the directories of keys. */
	MAY_CREATE(Perms.READ, Perms.READ | Perms.CREATE),

	/** It may delete them as well. */
	MAY_CREATE_AND_DELETE(Perms.READ, Perms.READ | Perms.CREATE | Perms.DELETE),

	/** It may create the directories of keys that do not exist. */
	MAY_CREATE_KEYS(Perms.READ | Perms.CREATE, Perms.READ),

	/** It may delete nodes of jobs, and directories of keys that are empty. */
	MAY_DELETE_KEYS(Perms.READ | Perms.DELETE, Perms.READ),

	/** It may change the data of all nodes below the root. */
	MAY_WRITE(Perms.READ, Perms.READ | Perms.WRITE);

	private static final String APPLICATION = "app:" + Secrets.password();

	private static final String STRANGER = "stranger:" + Secrets.password();

	private final int onRoot;

	private final int onKeys;

	HostileStranger(int onRoot, int onKeys) {
		this.onRoot = onRoot;
		this.onKeys = onKeys;
	}

	boolean isOnOpenNodes() {
		return this == ON_OPEN_NODES;
	}

	/**
	 * Return whether the stranger has the permissions that an attack needs.
	 */
	boolean may(HostileAttack attack) {
		return (this.onRoot & attack.onRoot()) == attack.onRoot() && (this.onKeys & attack.onKeys()) == attack.onKeys();
	}

	/**
	 * Return the stranger with the fewest permissions among those that may attack.
	 */
	static HostileStranger weakest(HostileAttack attack) {
		return Arrays.stream(values())
			.filter((stranger) -> !stranger.isOnOpenNodes() && stranger.may(attack))
			.findFirst()
			.orElseThrow();
	}

	HostileClient connect(String connectString) {
		return (isOnOpenNodes() || this == WITHOUT_PERMISSION) ? HostileClient.connect(connectString)
				: HostileClient.connectAs(connectString, STRANGER);
	}

	/**
	 * Connect the application whose locks the stranger attacks.
	 */
	LockClient<ZooKeeperLockProvider> application(String connectString, String root, Duration session) {
		if (isOnOpenNodes()) {
			return LockClient.connect(connectString, session,
					(curator) -> ZooKeeperLockProvider.builder(curator).root(root).build());
		}
		return LockClient.connectAs(connectString, session, APPLICATION,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.root(root)
					.aclProvider(new Shared(root, acl(this.onRoot), acl(this.onKeys)))
					.build());
	}

	private static List<ACL> acl(int permissions) {
		ACL all = new ACL(Perms.ALL, digest(APPLICATION));
		return (permissions != 0) ? List.of(all, new ACL(permissions, digest(STRANGER))) : List.of(all);
	}

	private static Id digest(String user) {
		try {
			return new Id("digest", DigestAuthenticationProvider.generateDigest(user));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * One ACL for the root, and one for all that is below it.
	 */
	private record Shared(String root, List<ACL> above, List<ACL> below) implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return this.above;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return path.equals(this.root) ? this.above : this.below;
		}

	}

}
