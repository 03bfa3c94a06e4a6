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

package io.github.zklock.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.spi.LockSettings;
import org.jspecify.annotations.Nullable;

/**
 * Completes requests with what the configuration says for the names of their locks.
 */
final class ConfiguredRequests {

	// Names are few. A caller that makes them up must not fill the memory.
	private static final int MAX_NAMES = 1000;

	private final LockSettings settings;

	private final Map<String, Configured> known = new ConcurrentHashMap<>();

	ConfiguredRequests(LockSettings settings) {
		this.settings = settings;
	}

	/**
	 * Return the requests for locks that are taken.
	 */
	Collection<LockRequest> complete(Collection<LockRequest> requests) {
		List<LockRequest> complete = new ArrayList<>(requests.size());
		for (LockRequest request : requests) {
			Configured configured = configured(request.name());
			if (!configured.unguarded()) {
				complete.add(request.withDefaults(configured.waitTime(), configured.cache()));
			}
		}
		return complete;
	}

	private Configured configured(String name) {
		Configured found = this.known.get(name);
		if (found == null) {
			Duration wait = this.settings.wait(name);
			found = new Configured(this.settings.isUnguarded(name), (wait != null) ? wait : this.settings.defaultWait(),
					this.settings.cache(name));
			if (this.known.size() < MAX_NAMES) {
				this.known.put(name, found);
			}
		}
		return found;
	}

	private record Configured(boolean unguarded, Duration waitTime, @Nullable Boolean cache) {
	}

}
