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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.StringUtils;

/**
 * As whom the client authenticates.
 *
 * @since 0.1.0
 */
public class ZkLockAuthProperties {

	@NestedConfigurationProperty
	private final Digest digest = new Digest();

	@NestedConfigurationProperty
	private final Sasl sasl = new Sasl();

	public Digest getDigest() {
		return this.digest;
	}

	public Sasl getSasl() {
		return this.sasl;
	}

	boolean isSet() {
		return this.digest.isSet() || this.sasl.isSet();
	}

	/**
	 * User and password of ZooKeeper's scheme digest.
	 *
	 * @since 0.1.0
	 */
	public static class Digest {

		/** User of the scheme digest. */
		private @Nullable String username;

		/** Password of that user. */
		private @Nullable String password;

		public @Nullable String getUsername() {
			return this.username;
		}

		public void setUsername(@Nullable String username) {
			this.username = username;
		}

		public @Nullable String getPassword() {
			return this.password;
		}

		public void setPassword(@Nullable String password) {
			this.password = password;
		}

		boolean isSet() {
			return StringUtils.hasText(this.username);
		}

	}

	/**
	 * How the client authenticates by SASL.
	 *
	 * @since 0.1.0
	 */
	public static class Sasl {

		static final String DIGEST_MODULE = "org.apache.zookeeper.server.auth.DigestLoginModule";

		private static final Set<String> MODULES = Set.of(DIGEST_MODULE, "com.sun.security.auth.module.Krb5LoginModule",
				"com.ibm.security.auth.module.Krb5LoginModule");

		/**
		 * Section of the JAAS configuration of the JVM that the client authenticates by.
		 */
		private @Nullable String jaasEntry;

		/** Login module that takes the options, when there is no JAAS configuration. */
		private String loginModule = DIGEST_MODULE;

		/**
		 * Whether the login module may be another one than the ones of ZooKeeper's digest
		 * and of Kerberos.
		 */
		private boolean anyLoginModule = false;

		/**
		 * Options of the login module, like username and password.
		 */
		private final Map<String, String> options = new LinkedHashMap<>();

		public @Nullable String getJaasEntry() {
			return this.jaasEntry;
		}

		public void setJaasEntry(@Nullable String jaasEntry) {
			this.jaasEntry = jaasEntry;
		}

		public String getLoginModule() {
			return this.loginModule;
		}

		public void setLoginModule(String loginModule) {
			this.loginModule = loginModule;
		}

		public boolean isAnyLoginModule() {
			return this.anyLoginModule;
		}

		public void setAnyLoginModule(boolean anyLoginModule) {
			this.anyLoginModule = anyLoginModule;
		}

		// A module like JndiLoginModule does what its options say, in this JVM.
		boolean isModuleAllowed() {
			return this.anyLoginModule || MODULES.contains(this.loginModule);
		}

		public Map<String, String> getOptions() {
			return this.options;
		}

		boolean isSet() {
			return StringUtils.hasText(this.jaasEntry) || !this.options.isEmpty();
		}

	}

}
