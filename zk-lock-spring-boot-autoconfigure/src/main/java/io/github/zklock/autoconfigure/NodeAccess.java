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

package io.github.zklock.autoconfigure;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/**
 * The permissions of the nodes of the locks: the ACL of the application, else only its
 * own user if it has one, else everyone.
 *
 * @param acls the ACL of each path
 * @param chosen whether the ACL was configured
 * @param scheme the scheme with which the client must have authenticated, if there is one
 */
record NodeAccess(ACLProvider acls, boolean chosen, @Nullable String scheme) {

	private static final Logger logger = LoggerFactory.getLogger(NodeAccess.class);

	private static final String X509 = "x509";

	private static final Pattern LOOPBACK = Pattern.compile("\\s*(localhost|127(\\.\\d+){3}|\\[::1])(:\\d+)?\\s*");

	/**
	 * Return the permissions that apply.
	 * @param own the ACL of the application, if it has one
	 * @param properties the properties, which apply to our client
	 * @param bundles the SSL bundles, of which one may have a certificate for the client
	 * @param ourClient whether the client is ours, and not one of the application
	 */
	static NodeAccess of(@Nullable ACLProvider own, ZkLockProperties properties, Supplier<SslBundles> bundles,
			boolean ourClient) {
		boolean authenticates = properties.auth().isSet();
		String scheme = ourClient ? scheme(properties, bundles) : null;
		if (own != null) {
			return new NodeAccess(own, true, (scheme == X509) ? null : scheme);
		}
		return (ourClient && (authenticates || scheme != null)) ? new NodeAccess(new CreatorAll(), true, scheme)
				: new NodeAccess(new DefaultACLProvider(), false, null);
	}

	// A user and a password are not looked for: the servers know no wrong ones.
	private static @Nullable String scheme(ZkLockProperties properties, Supplier<SslBundles> bundles) {
		if (properties.auth().isSet()) {
			return properties.auth().sasl().isSet() ? "sasl" : null;
		}
		String bundle = properties.ssl().bundle();
		return (StringUtils.hasText(bundle) && hasKey(ClientSecurity.bundle(bundles.get(), bundle))) ? X509 : null;
	}

	private static boolean hasKey(SslBundle bundle) {
		KeyStore keys = bundle.getStores().getKeyStore();
		try {
			for (String alias : (keys != null) ? Collections.list(keys.aliases()) : List.<String>of()) {
				if (keys.isKeyEntry(alias)) {
					return true;
				}
			}
			return false;
		}
		catch (KeyStoreException ex) {
			throw new IllegalStateException("The key store of the SSL bundle cannot be read", ex);
		}
	}

	/**
	 * Warn if every host in the network may take or delete locks. Servers on the loopback
	 * address belong to a developer.
	 * @param servers the servers, as in the connect string
	 */
	void warnIfOpen(String servers) {
		if (!this.chosen && !Arrays.stream(servers.split(",")).allMatch(LOOPBACK.asMatchPredicate())) {
			logger.warn("Any client that reaches ZooKeeper at '{}' may change or delete the nodes of the locks: set "
					+ "zk-lock.auth.digest.* or zk-lock.auth.sasl.*, or a client certificate in "
					+ "zk-lock.ssl.bundle, to keep them to this application, or declare an ACLProvider bean (a "
					+ "DefaultACLProvider, if that is meant)", servers);
		}
	}

	/**
	 * All permissions for the identities of the client, and none for others.
	 */
	private static final class CreatorAll implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.CREATOR_ALL_ACL;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			return Ids.CREATOR_ALL_ACL;
		}

	}

}
