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

import io.github.zklock.core.LockRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.DurationFormat.Unit;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * What the configuration says about the locks of one name.
 *
 * @since 0.1.0
 */
public class ZkLockOverrideProperties {

	/**
	 * Time to wait for the lock, instead of what the annotation says: a duration, or
	 * 'forever'.
	 */
	private @Nullable String wait;

	/**
	 * Whether to take the lock. When disabled, it is granted at once and excludes nobody.
	 */
	private boolean enabled = true;

	/**
	 * Whether the process may keep the lock for its next call, until others ask for it.
	 */
	private @Nullable Boolean cache;

	/**
	 * Whether a scheduled method runs once per tick in the whole cluster, instead of what
	 * '@OncePerTick' says, or the default.
	 */
	private @Nullable Boolean oncePerTick;

	public @Nullable String getWait() {
		return this.wait;
	}

	public void setWait(@Nullable String wait) {
		this.wait = wait;
	}

	/**
	 * Read the time to wait.
	 * @return the time, or {@code null} if there is none
	 * @throws IllegalArgumentException if the text is no duration
	 */
	@Nullable Duration waitTime() {
		String text = (this.wait != null) ? this.wait.strip() : "";
		if (text.isEmpty()) {
			return null;
		}
		if (text.equalsIgnoreCase("forever")) {
			return LockRequest.FOREVER;
		}
		try {
			return DurationFormatterUtils.detectAndParse(text, Unit.MILLIS);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"'" + text
							+ "' is not a duration: use a text like 5s, PT5S or 500ms, 0 for a single try, or forever",
					ex);
		}
	}

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable Boolean getCache() {
		return this.cache;
	}

	public void setCache(@Nullable Boolean cache) {
		this.cache = cache;
	}

	public @Nullable Boolean getOncePerTick() {
		return this.oncePerTick;
	}

	public void setOncePerTick(@Nullable Boolean oncePerTick) {
		this.oncePerTick = oncePerTick;
	}

}
