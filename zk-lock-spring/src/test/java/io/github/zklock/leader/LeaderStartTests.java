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

package io.github.zklock.leader;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.leader.internal.LeaderSettings;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What the start-up refuses.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderStartTests {

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	@ParameterizedTest
	@MethodSource("mistakes")
	void mistakeIsRefusedWithItsRemedy(Class<?> bean, String description, String action) {
		LeaderNode node = new LeaderNode(this.locks, bean);
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(node::start).satisfies((ex) -> {
			assertThat(ex.getDescription()).startsWith(description);
			assertThat(ex.getAction()).isEqualTo(action);
		});
		assertThat(this.locks.keysInUse()).isZero();
	}

	static List<Arguments> mistakes() {
		String name = "Give the role a name of letters, digits and dashes, such as @LeaderRole(\"indexer\"), and each "
				+ "placeholder a value.";
		return List.of(Arguments.of(NoLifecycle.class,
				"Bean 'leaderStartTests.NoLifecycle' with @LeaderRole(\"indexer\") is no Lifecycle, so it cannot be "
						+ "started and stopped: " + NoLifecycle.class.getName() + ".",
				"Let it implement org.springframework.context.Lifecycle, and do its work between start() and "
						+ "stop(). To ask whether this node leads, inject LeaderRoles instead."),
				Arguments.of(Prototype.class,
						"Bean 'leaderStartTests.Prototype' with @LeaderRole(\"indexer\") is no singleton, so it is not one "
								+ "bean that can be started.",
						"Remove its scope."),
				Arguments.of(Started.class,
						"Bean 'leaderStartTests.Started' with @LeaderRole(\"indexer\") would be started by Spring on every "
								+ "node, since its isAutoStartup() returns true.",
						"Let isAutoStartup() return false, or implement Lifecycle instead of SmartLifecycle. For a "
								+ "container of another framework, set its autoStartup to false."),
				Arguments.of(Last.class,
						"Bean 'leaderStartTests.Last' with @LeaderRole(\"indexer\") has the last phase, so Spring may stop it "
								+ "before its role is given up.",
						"Let getPhase() return a smaller number, for example 0."),
				Arguments.of(Unnamed.class, "@LeaderRole(\" \") of bean 'leaderStartTests.Unnamed' names no role: ",
						name),
				Arguments.of(WithoutValue.class,
						"@LeaderRole(\"${region}\") of bean 'leaderStartTests.WithoutValue' names no role: ", name),
				Arguments.of(Dotted.class, "@LeaderRole(\"a.b\") of bean 'leaderStartTests.Dotted' names no role: ",
						name));
	}

	@Test
	void beanThatRunsBeforeItsNodeLeadsIsRefused() {
		LeaderNode node = new LeaderNode(this.locks, Running.class);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(node::start)
			.havingRootCause()
			.isInstanceOf(InvalidLockUsageException.class)
			.withMessageContaining("runs before its node leads: the bean itself, or a framework, has started it.")
			.withMessageContaining("turn off its automatic start-up");
	}

	@Test
	void beanThatDoesNotSayThatItRunsIsStoppedNevertheless(CapturedOutput output) {
		try (LeaderNode node = new LeaderNode(this.locks, Silent.class).start()) {
			await().until(() -> node.leads("silent"));
			Silent bean = node.context().getBean(Silent.class);
			await().until(() -> bean.started);
			node.roles().yield("silent");
			await().until(() -> bean.stopped);
			assertThat(output.toString()).contains("WARN")
				.contains("isRunning() of bean 'leaderStartTests.Silent' of role 'silent' returns false after start()");
		}
	}

	// Spring starts the other bean, and before it what it depends on.
	@Test
	void beanThatAnotherBeanStartsIsRefused() {
		InMemoryLockTesting testing = new InMemoryLockTesting(this.locks);
		LeaderNode node = new LeaderNode(this.locks, NeedsNamed.class, Named.class);
		try (LockHandle other = testing.hold("leader:named")) {
			assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(node::start)
				.withMessageStartingWith(
						"Bean 'leaderStartTests.Named' with @LeaderRole(\"named\") runs before its node "
								+ "leads: the bean itself, or a framework, has started it.");
			assertThat(other.isHeld()).isTrue();
			await().until(() -> testing.waiting("leader:named") == 0);
		}
	}

	@Test
	void settingOfARoleThatNoBeanHasIsRefused() {
		LeaderSettings settings = new LeaderSettings() {

			@Override
			public boolean isEnabled(String role) {
				return true;
			}

			@Override
			public Collection<String> unmatched(Collection<String> roles) {
				assertThat(roles).containsExactly("north-indexer");
				return List.of("zk-lock.leader.roles.indexr");
			}

		};
		LeaderNode node = new LeaderNode(this.locks, (context) -> {
			context.registerBean(LeaderSettings.class, () -> settings);
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("test", Map.of("region", "north")));
		}, Declared.class);
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(node::start)
			.withMessage("No bean has the role of these properties: zk-lock.leader.roles.indexr. Correct or remove "
					+ "them. The roles are north-indexer.");
	}

	@Configuration
	static class Declared {

		@Bean
		@LeaderRole("${region}-indexer")
		Plain indexer() {
			return new Plain();
		}

	}

	@LeaderRole("indexer")
	static class NoLifecycle {

	}

	@LeaderRole("indexer")
	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	static class Prototype extends Plain {

	}

	@LeaderRole(" ")
	static class Unnamed extends Plain {

	}

	@LeaderRole("a.b")
	static class Dotted extends Plain {

	}

	@LeaderRole("${region}")
	static class WithoutValue extends Plain {

	}

	@LeaderRole("indexer")
	static class Running extends Plain {

		@Override
		public boolean isRunning() {
			return true;
		}

	}

	@LeaderRole("silent")
	static class Silent extends Plain {

		private volatile boolean started;

		private volatile boolean stopped;

		@Override
		public void start() {
			this.started = true;
		}

		@Override
		public void stop() {
			this.stopped = true;
		}

	}

	@LeaderRole("indexer")
	static class Started extends Plain implements SmartLifecycle {

	}

	@LeaderRole("indexer")
	static class Last extends Plain implements SmartLifecycle {

		@Override
		public boolean isAutoStartup() {
			return false;
		}

	}

	@LeaderRole("named")
	static class Named extends Plain {

		private volatile boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	static class NeedsNamed extends Plain implements SmartLifecycle {

		NeedsNamed(Named named) {
			assertThat(named.isRunning()).isFalse();
		}

	}

	static class Plain implements Lifecycle {

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
