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

package io.github.zklock.autoconfigure.leader;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.endpoint.ZkLockEndpointAutoConfiguration;
import io.github.zklock.autoconfigure.health.ApplicationHealth;
import io.github.zklock.autoconfigure.leader.RecordedRole.Journal;
import io.github.zklock.autoconfigure.observation.ZkLockMetricsAutoConfiguration;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.endpoint.ZkLockEndpoint;
import io.github.zklock.leader.LeaderRole;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.LeadershipRevoked.Reason;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Roles with Spring Boot.
 */
class ZkLockLeaderAutoConfigurationTests {

	private static final String KEY = "leader:indexer";

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	private final InMemoryLockTesting testing = new InMemoryLockTesting(this.locks);

	private final Journal journal = new Journal("node", new CopyOnWriteArrayList<>());

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockLeaderAutoConfiguration.class,
				ZkLockMetricsAutoConfiguration.class, ZkLockEndpointAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class, () -> this.locks)
		.withBean(Journal.class, () -> this.journal)
		.withUserConfiguration(RecordedRole.class);

	@ParameterizedTest
	@ValueSource(strings = { "zk-lock.leader.roles.indexer.enabled=false", "zk-lock.leader.roles.INDEXER.enabled=false",
			"zk.lock.leader.roles.indexer.enabled=true" })
	void nodeAsksForTheRoleUnlessThePropertyDisablesIt(String property) {
		boolean enabled = property.endsWith("true");
		this.contextRunner.withPropertyValues(property).run((context) -> {
			if (enabled) {
				await().until(() -> context.getBean(LeaderRoles.class).isLeader("indexer"));
			}
			else {
				assertThat(context.getBean(LeaderRoles.class).leader("indexer")).isEmpty();
				assertThat(this.testing.isHeld(KEY)).isFalse();
				assertThat(this.testing.waiting(KEY)).isZero();
			}
		});
	}

	@Test
	void environmentVariableDisablesARole() {
		this.contextRunner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment",
						Map.of("ZK_LOCK_LEADER_ROLES_INDEXER_ENABLED", "false"))))
			.run((context) -> {
				assertThat(context.getBean(LeaderRoles.class).leader("indexer")).isEmpty();
				assertThat(this.testing.isHeld(KEY)).isFalse();
			});
	}

	@Test
	void propertyOfARoleThatNoBeanHasStopsTheApplication() {
		this.contextRunner.withPropertyValues("zk-lock.leader.roles.indexr.enabled=false")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessage("No bean has the role of these properties: zk-lock.leader.roles.indexr. Correct or remove "
						+ "them. The roles are indexer."));
	}

	@Test
	void nodeLeadsOnlyWhileItIsReadyIfThePropertySaysSo() {
		this.contextRunner.withPropertyValues("zk-lock.leader.follow-readiness=true").run((context) -> {
			LeaderRoles roles = context.getBean(LeaderRoles.class);
			assertThat(roles.leader("indexer")).isEmpty();
			assertThat(roles.isLeader("indexer")).isFalse();
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			await().until(() -> roles.isLeader("indexer"));
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			assertThat(roles.isLeader("indexer")).isFalse();
			await().until(() -> !this.testing.isHeld(KEY));
			assertThat(this.journal.revoked).singleElement()
				.satisfies((event) -> assertThat(event.reason()).isEqualTo(Reason.NOT_READY));
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			await().until(() -> roles.isLeader("indexer"));
		});
	}

	@Test
	void readinessHasNoEffectByDefault() {
		this.contextRunner.run((context) -> {
			await().until(() -> context.getBean(LeaderRoles.class).isLeader("indexer"));
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			assertThat(context.getBean(LeaderRoles.class).isLeader("indexer")).isTrue();
		});
	}

	@Test
	void everyNodeLeadsIfLocksAreTurnedOff() {
		this.contextRunner.withPropertyValues("zk-lock.enabled=false").run((context) -> {
			await().until(() -> context.getBean(LeaderRoles.class).isLeader("indexer"));
			assertThat(this.locks.keysInUse()).isZero();
		});
	}

	@Test
	void metersShowWhoLeadsAndWhatRanOnTooLong() {
		this.contextRunner.withBean(SimpleMeterRegistry.class).run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			await().until(() -> leading(registry) == 1);
			assertThat(overruns(registry)).isZero();
			this.locks.loseAll();
			await().until(() -> overruns(registry) == 1);
			await().until(() -> leading(registry) == 1);
			context.getBean(LeaderRoles.class).yield("indexer");
			assertThat(leading(registry)).isZero();
		});
	}

	private static double leading(MeterRegistry registry) {
		return registry.get("zk.lock.leader").tag("role", "indexer").gauge().value();
	}

	private static double overruns(MeterRegistry registry) {
		return registry.get("zk.lock.leader.overrun").tag("role", "indexer").functionCounter().count();
	}

	@Test
	void endpointShowsTheRoles() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.endpoint.zklocks.access=READ_ONLY")
			.run((context) -> {
				LeaderRoles roles = context.getBean(LeaderRoles.class);
				await().until(() -> roles.isLeader("indexer") && !this.journal.tokens.isEmpty());
				await().untilAsserted(() -> assertThat(roles(context.getBean(ZkLockEndpoint.class))).singleElement()
					.satisfies((role) -> assertThat(role).containsEntry("role", "indexer")
						.containsEntry("state", "LEADING")
						.containsEntry("token", Long.toString(this.journal.tokens.get(0)))
						.containsEntry("remaining", "forever")
						.containsEntry("overruns", 0L)
						.containsKey("ledFor")));
			});
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> roles(ZkLockEndpoint endpoint) {
		return (List<Map<String, Object>>) endpoint.locks(null, null, null, null, null).get("roles");
	}

	@Test
	void healthShowsTheRoles() {
		this.contextRunner.withConfiguration(ApplicationHealth.locks())
			.withConfiguration(ApplicationHealth.actuator())
			.run((context) -> await().untilAsserted(() -> assertThat(ApplicationHealth.of(context, "zkLock").details())
				.containsEntry("roles", Map.of("indexer", "leading"))));
	}

	@Test
	void beanThatSpringWouldStartStopsTheApplication() {
		this.contextRunner.withUserConfiguration(AutoStarted.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockUsageException.class)
				.hasMessageContaining("would be started by Spring on every node"));
	}

	@LeaderRole("started")
	static class AutoStarted implements SmartLifecycle {

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

}
