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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.OncePerTick;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the configuration says instead of an annotation.
 */
final class LockOverrides {

	private static final Logger logger = LoggerFactory.getLogger(LockOverrides.class);

	private final Supplier<? extends LockSettings> settings;

	private final Set<String> disabled = ConcurrentHashMap.newKeySet();

	LockOverrides(Supplier<? extends LockSettings> settings) {
		this.settings = settings;
	}

	LockSettings settings() {
		return this.settings.get();
	}

	/**
	 * Return how long to wait for a lock.
	 * @param target the method, for messages
	 * @param name the name of the lock
	 * @param declared what the annotation says, if anything
	 * @param scheduled whether the method is one of a schedule
	 * @return the time to wait
	 */
	Duration waitTime(LockTarget target, String name, @Nullable Duration declared, boolean scheduled) {
		LockSettings settings = this.settings.get();
		Duration configured = override(target, name, () -> settings.wait(name));
		if (configured != null && configured.isNegative()) {
			throw target.invalid(
					"has the negative wait " + configured + " by the property zk-lock.locks." + name + ".wait",
					"Set the property to 0 or more, or remove it.");
		}
		if (configured != null) {
			return configured;
		}
		if (declared != null) {
			return declared;
		}
		return scheduled ? Duration.ZERO : settings.defaultWait();
	}

	/**
	 * Return whether the process may keep a lock for the next call.
	 * @param target the method, for messages
	 * @param name the name of the lock
	 * @param declared what the annotation says
	 * @param permits how many may hold the key at once, 0 if each call has its own number
	 * @param atLeast how long the key stays taken at least
	 * @return whether it may
	 */
	boolean isCached(LockTarget target, String name, boolean declared, int permits, Duration atLeast) {
		Boolean configured = override(target, name, () -> this.settings.get().cache(name));
		boolean cached = (configured != null) ? configured : declared;
		if (cached && (permits != 1 || !atLeast.isZero())) {
			throw target.invalid("has "
					+ ((configured != null) ? "the property zk-lock.locks." + name + ".cache = true" : "cache = true")
					+ " and " + ((permits != 1) ? "permits" : "an atLeast") + ", which cannot be combined",
					"Remove one of them: only a lock that one process holds, and only as long as it needs it, can "
							+ "be kept for its next call.");
		}
		return cached;
	}

	/**
	 * Return whether the run of a scheduled task is a tick of the locks of its method.
	 * They are acquired together, so there is one answer for all.
	 * @param target the method, for messages
	 * @param locks the locks
	 * @param saysAtLeast whether an annotation says how long to keep a lock at least
	 * @return whether it is
	 */
	OncePerTick oncePerTick(LockTarget target, List<LockSpecification> locks, boolean saysAtLeast) {
		Map<Boolean, String> configured = new HashMap<>();
		for (LockSpecification lock : locks) {
			String name = lock.name();
			Boolean value = override(target, name, () -> this.settings.get().oncePerTick(name));
			if (value != null) {
				configured.put(value, "the property zk-lock.locks." + name + ".once-per-tick = " + value);
			}
		}
		if (configured.size() > 1) {
			throw target.invalid("has " + String.join(" and ", configured.values()),
					"All locks of a method are acquired or none, so set it once, or to the same value.");
		}
		String obstacle = locks.stream().map(OncePerTick::obstacle).filter(Objects::nonNull).findFirst().orElse(null);
		if (configured.containsKey(true) && obstacle != null) {
			throw target.invalid("has " + configured.get(true) + " and " + obstacle + ", which cannot be combined",
					"Remove one of them: a tick is run by one node, which alone holds the lock and gives it back.");
		}
		if (!configured.isEmpty()) {
			return configured.containsKey(true) ? OncePerTick.YES : OncePerTick.NO;
		}
		return (obstacle == null && !saysAtLeast) ? OncePerTick.BY_DEFAULT : OncePerTick.NO;
	}

	/**
	 * Return the client whose lock it is.
	 * @param target the method, for messages
	 * @param name the name of the lock
	 * @param declared what the annotation says, blank if nothing
	 * @return the name of the client
	 */
	String client(LockTarget target, String name, String declared) {
		LockSettings settings = this.settings.get();
		String configured = override(target, name, () -> settings.client(name));
		String client = ((configured != null) ? configured : declared).strip();
		if (client.isEmpty() || client.equals(LockRequest.DEFAULT_CLIENT)) {
			return LockRequest.DEFAULT_CLIENT;
		}
		if (!settings.clients().contains(client)) {
			Set<String> known = new TreeSet<>(settings.clients());
			known.add(LockRequest.DEFAULT_CLIENT);
			throw target.invalid(
					"has " + ((configured != null) ? "the property zk-lock.locks." + name + ".client = " : "client = ")
							+ client + ", but there is no such client: the clients are " + known,
					"Name one of them, or configure the client by zk-lock.clients." + client + ".connect-string.");
		}
		return client;
	}

	boolean isEnabled(LockTarget target, String name) {
		boolean enabled = override(target, name, () -> this.settings.get().isEnabled(name));
		// A method is read once for each way in which it is called.
		if (!enabled && this.disabled.add(name + " " + target)) {
			logger.warn("Lock '{}' is disabled by configuration: {} runs without it", name, target);
		}
		return enabled;
	}

	private static <T extends @Nullable Object> T override(LockTarget target, String name, Supplier<T> setting) {
		try {
			return setting.get();
		}
		catch (RuntimeException ex) {
			throw target.invalid("has an override that cannot be read: " + ex.getMessage(),
					"Correct or remove the properties zk-lock.locks." + name + ".*.", ex);
		}
	}

}
