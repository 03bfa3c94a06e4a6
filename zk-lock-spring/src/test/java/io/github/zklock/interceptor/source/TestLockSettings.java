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

package io.github.zklock.interceptor.source;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.github.zklock.core.spi.LockSettings;
import org.jspecify.annotations.Nullable;

/**
 * Settings that a test can change.
 */
public class TestLockSettings implements LockSettings {

	public static final Duration DEFAULT_WAIT = Duration.ofSeconds(7);

	public final Map<String, Duration> waits = new HashMap<>();

	public final Set<String> unguarded = new HashSet<>();

	public final Map<String, Boolean> caches = new HashMap<>();

	@Override
	public Duration defaultWait() {
		return DEFAULT_WAIT;
	}

	@Override
	public @Nullable Duration wait(String name) {
		return this.waits.get(name);
	}

	@Override
	public boolean isUnguarded(String name) {
		return this.unguarded.contains(name);
	}

	@Override
	public @Nullable Boolean cache(String name) {
		return this.caches.get(name);
	}

}
