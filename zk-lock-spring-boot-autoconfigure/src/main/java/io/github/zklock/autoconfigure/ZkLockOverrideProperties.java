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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about the locks of one name.
 *
 * @since 0.1.0
 */
public class ZkLockOverrideProperties {

	/**
	 * Time to wait for the lock, instead of what the annotation says.
	 */
	private @Nullable Duration wait;

	/**
	 * Whether to take the lock. When disabled, its methods run without it.
	 */
	private boolean enabled = true;

	public @Nullable Duration getWait() {
		return this.wait;
	}

	public void setWait(@Nullable Duration wait) {
		this.wait = wait;
	}

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

}
