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

package io.github.zklock.health;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Session;
import org.jspecify.annotations.Nullable;

/**
 * Reports whether locks can be acquired, as far as that is known without a request to
 * ZooKeeper.
 *
 * @since 0.1.0
 */
public final class LockHealth {

	private static final String UNKNOWN = "UNKNOWN";

	private final boolean enabled;

	private final @Nullable LockProvider provider;

	private final List<String> unguarded;

	private final Supplier<Map<String, String>> roles;

	/**
	 * Create the health.
	 * @param enabled whether locks are turned on
	 * @param provider where the locks come from, {@code null} if that is not one place
	 */
	public LockHealth(boolean enabled, @Nullable LockProvider provider) {
		this(enabled, provider, List.of(), Map::of);
	}

	/**
	 * Create the health.
	 * @param enabled whether locks are turned on
	 * @param provider where the locks come from, {@code null} if that is not one place
	 * @param unguarded the names of locks without which methods run
	 * @param roles returns the states of the roles on this node
	 */
	public LockHealth(boolean enabled, @Nullable LockProvider provider, Collection<String> unguarded,
			Supplier<Map<String, String>> roles) {
		this.enabled = enabled;
		this.provider = provider;
		this.unguarded = List.copyOf(unguarded);
		this.roles = roles;
	}

	/**
	 * Return what is known at this moment, without any request and without blocking.
	 * @return the report
	 */
	public Report report() {
		if (!this.enabled) {
			return new Report(UNKNOWN, Map.of("locks", "turned off by zk-lock.enabled=false"));
		}
		if (this.provider instanceof ZooKeeperLockProvider zooKeeper) {
			ZooKeeperLockStatus status = zooKeeper.status();
			return new Report(code(status), withMore(details(status)));
		}
		return new Report(UNKNOWN,
				withMore(Map.of("provider", (this.provider != null) ? this.provider.getClass().getName() : "several")));
	}

	private Map<String, Object> withMore(Map<String, Object> details) {
		Map<String, String> known = this.roles.get();
		Map<String, Object> all = new LinkedHashMap<>(details);
		if (!this.unguarded.isEmpty()) {
			all.put("unguarded", this.unguarded);
		}
		if (!known.isEmpty()) {
			all.put("roles", known);
		}
		return all;
	}

	private static String code(ZooKeeperLockStatus status) {
		return switch (status.connection()) {
			case CONNECTED -> (status.problem() == null) ? "UP" : "DOWN";
			case CONNECTING -> UNKNOWN;
			case DISCONNECTED, CLOSED -> "DOWN";
		};
	}

	private static Map<String, Object> details(ZooKeeperLockStatus status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("connection", status.connection().name().toLowerCase(Locale.ROOT));
		switch (status.connection()) {
			case DISCONNECTED ->
				details.put("problem", Objects.requireNonNullElse(status.problem(), "ZooKeeper cannot be reached"));
			case CLOSED -> details.put("problem", "the lock provider or its ZooKeeper client is closed");
			case CONNECTED -> {
				if (status.problem() != null) {
					details.put("problem", status.problem());
				}
				else if (status.refused() != null) {
					details.put("refused", status.refused());
				}
			}
			case CONNECTING -> {
			}
		}
		if (status.server() != null) {
			details.put("server", status.server());
		}
		Session session = status.session();
		if (session != null) {
			details.put("session", session.mark());
			details.put("sessionTimeout", DurationText.of(session.timeout()));
			details.put("sessionState", session.state().name().toLowerCase(Locale.ROOT));
			if (session.leaseLeft() != null) {
				details.put("leaseLeft", DurationText.of(session.leaseLeft()));
			}
		}
		details.put("heldLocks", status.heldLocks());
		details.put("pendingDeletes", status.pendingDeletes());
		if (!status.exposed().isEmpty()) {
			details.put("exposed", status.exposed());
		}
		return details;
	}

	/**
	 * What is known of the locks at one moment.
	 *
	 * @param status {@code UP}, {@code DOWN} or {@code UNKNOWN}
	 * @param details the details
	 */
	public record Report(String status, Map<String, Object> details) {

	}

}
