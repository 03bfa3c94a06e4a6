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

package io.github.zklock.leader.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Supplier;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.ProviderGauges;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.Leadership;
import io.github.zklock.leader.LeadershipRevoked.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * The roles of this application. It finds their beans at the start, and registers a
 * lifecycle for each role.
 *
 * @since 0.1.0
 */
public final class ElectedRoles
		implements LeaderRoles, SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent>, DisposableBean {

	// Longer than requests of nodes that start together are apart.
	private static final Duration DELAY_FOR_EACH_ROLE = Duration.ofMillis(500);

	private static final Duration FIRST_REQUESTS_APART = Duration.ofMillis(100);

	private static final Duration WAIT_FOR_HOLDER = Duration.ofMillis(500);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Supplier<LockProvider> providers;

	private final Supplier<LeaderSettings> settings;

	private final ApplicationEventPublisher events;

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, ElectedRoles::timerThread);

	private final Map<String, RoleRace> races = new TreeMap<>();

	private volatile @Nullable LockProvider provider;

	private volatile boolean ready;

	/**
	 * Create them.
	 * @param beanFactory the beans of the application
	 * @param providers returns where the locks come from. Called when a bean has a role,
	 * or the leader of a role is asked for
	 * @param settings returns what the configuration says
	 * @param events where the events are published
	 */
	public ElectedRoles(ConfigurableListableBeanFactory beanFactory, Supplier<LockProvider> providers,
			Supplier<LeaderSettings> settings, ApplicationEventPublisher events) {
		this.beanFactory = beanFactory;
		this.providers = providers;
		this.settings = settings;
		this.events = events;
		this.timer.setRemoveOnCancelPolicy(true);
	}

	private static Thread timerThread(Runnable task) {
		Thread thread = new Thread(null, task, "zk-lock-leader", 0, false);
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, RoleBeans> found = new RoleFinder(this.beanFactory).find();
		LeaderSettings known = this.settings.get();
		refuseUnknown(known, found.keySet());
		this.ready = !known.isReadinessFollowed();
		if (found.isEmpty()) {
			return;
		}
		provider();
		// Nodes that start together do not all ask for the same role first.
		List<String> order = new ArrayList<>(found.keySet());
		Collections.shuffle(order);
		for (int i = 0; i < order.size(); i++) {
			String role = order.get(i);
			RoleRace race = new RoleRace(this, role, Objects.requireNonNull(found.get(role)), known.isEnabled(role),
					FIRST_REQUESTS_APART.multipliedBy(i));
			this.races.put(role, race);
			this.beanFactory.registerSingleton("zkLockLeaderRole:" + role, race);
		}
	}

	// Spring starts what a bean that it starts depends on, in any phase.
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext().getAutowireCapableBeanFactory() == this.beanFactory) {
			this.races.values().forEach(RoleRace::requireStopped);
		}
	}

	private static void refuseUnknown(LeaderSettings settings, Set<String> roles) {
		Collection<String> unmatched = settings.unmatched(roles);
		if (!unmatched.isEmpty()) {
			throw new InvalidLockUsageException(
					"No bean has the role of these properties: " + String.join(", ", unmatched) + ".",
					roles.isEmpty() ? "Remove them: no bean of the application has @LeaderRole."
							: "Correct or remove them. The roles are " + String.join(", ", roles) + ".");
		}
	}

	@Override
	public Set<String> roles() {
		return Collections.unmodifiableSet(this.races.keySet());
	}

	@Override
	public boolean isLeader(String role) {
		return race(role).status().state().isLeader();
	}

	// The refusal of a request names the holder, unless this node has just begun to ask
	// for the role. Then a short wait is enough.
	@Override
	public Optional<LockHolder> leader(String role) {
		LockNotAcquiredException refusal = refusal(role, Duration.ZERO);
		if (refusal != null && refusal.getHolder() == null) {
			refusal = refusal(role, WAIT_FOR_HOLDER);
		}
		return Optional.ofNullable((refusal != null) ? refusal.getHolder() : null);
	}

	private @Nullable LockNotAcquiredException refusal(String role, Duration wait) {
		try {
			UnusedRelease.of(provider().acquire(RoleFinder.request(role).withWait(wait).withOwner(new Object())));
			return null;
		}
		catch (LockNotAcquiredException ex) {
			return ex;
		}
	}

	@Override
	public Optional<Leadership> current(String role) {
		return Optional.ofNullable(race(role).status().leadership());
	}

	@Override
	public boolean yield(String role) {
		return race(role).yield();
	}

	private RoleRace race(String role) {
		RoleRace race = this.races.get(role);
		if (race == null) {
			throw new IllegalArgumentException("No bean has @LeaderRole(\"" + role + "\"): the roles are " + roles());
		}
		return race;
	}

	/**
	 * Return what is known of each role on this node.
	 * @return the states, sorted by role
	 */
	public List<LeaderStatus> status() {
		return this.races.values().stream().map(RoleRace::status).toList();
	}

	/**
	 * Follow the readiness of the application, if the configuration says so.
	 * @param accepting whether the application accepts traffic
	 */
	public void readiness(boolean accepting) {
		if (!this.settings.get().isReadinessFollowed()) {
			return;
		}
		this.ready = accepting;
		if (accepting) {
			this.races.values().forEach(RoleRace::signal);
		}
		else {
			this.races.values().forEach((race) -> race.withdraw(Reason.NOT_READY));
		}
	}

	@Nullable ClassLoader classLoader() {
		return this.beanFactory.getBeanClassLoader();
	}

	boolean isReady() {
		return this.ready;
	}

	LockProvider provider() {
		LockProvider known = this.provider;
		if (known == null) {
			known = this.providers.get();
			this.provider = known;
		}
		return known;
	}

	HeldRole held(String role, LockHandle handle, Thread thread, Runnable overrun) {
		Supplier<@Nullable Duration> lease = (provider() instanceof ProviderGauges gauges) ? gauges::leaseLeft
				: () -> null;
		return new HeldRole(role, handle, lease, this.timer, thread, overrun);
	}

	ApplicationEventPublisher events() {
		return this.events;
	}

	/**
	 * Let other nodes ask first for the other roles.
	 */
	void granted(RoleRace race) {
		this.races.values().stream().filter((other) -> other != race).forEach((other) -> other.postpone(delay()));
	}

	/**
	 * Return how much later than a node without a role this node asks for one.
	 */
	Duration delay() {
		return DELAY_FOR_EACH_ROLE.multipliedBy(this.races.values().stream().filter(RoleRace::isHeld).count());
	}

	// A context that fails to start does not stop its lifecycles.
	@Override
	public void destroy() {
		this.races.values().forEach((race) -> race.stop(() -> {
		}));
		this.timer.shutdownNow();
	}

}
