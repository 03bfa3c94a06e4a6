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

import java.io.File;

import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper server inside of the application, for development.
 *
 * @since 0.1.0
 */
public class ZkLockEmbeddedProperties {

	/**
	 * Whether to start a ZooKeeper server inside of the application and take locks there.
	 * For development only.
	 */
	private boolean enabled = false;

	/**
	 * Port of the embedded server on the loopback address; 0 is any free one. When the
	 * port is taken, the server that listens there is used.
	 */
	private int port = 0;

	/**
	 * Directory that keeps the data of the embedded server, so that fencing tokens go on
	 * growing after a restart. By default a temporary one that is deleted at the end.
	 */
	private @Nullable File dataDir;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public int getPort() {
		return this.port;
	}

	public void setPort(int port) {
		this.port = port;
	}

	public @Nullable File getDataDir() {
		return this.dataDir;
	}

	public void setDataDir(@Nullable File dataDir) {
		this.dataDir = dataDir;
	}

}
