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

import org.jspecify.annotations.Nullable;

/**
 * TLS between the client and ZooKeeper.
 *
 * @since 0.1.0
 */
public class ZkLockSslProperties {

	/**
	 * Name of the SSL bundle by which the client speaks TLS. Without one it does not.
	 */
	private @Nullable String bundle;

	/**
	 * Whether the certificate of a server must be for the host of the connect string.
	 */
	private boolean verifyHostname = true;

	public @Nullable String getBundle() {
		return this.bundle;
	}

	public void setBundle(@Nullable String bundle) {
		this.bundle = bundle;
	}

	public boolean isVerifyHostname() {
		return this.verifyHostname;
	}

	public void setVerifyHostname(boolean verifyHostname) {
		this.verifyHostname = verifyHostname;
	}

}
