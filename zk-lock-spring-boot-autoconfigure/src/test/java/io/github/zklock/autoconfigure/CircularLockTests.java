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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans that locks need, and that need locks themselves.
 */
class CircularLockTests {

	private static final String REMEDY = "Remove @DistributedLock from the @Bean method and annotate the methods of "
			+ "the bean's class";

	private final ApplicationContextRunner withoutLocks = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class));

	private final ApplicationContextRunner contextRunner = this.withoutLocks.withBean(InMemoryLockProvider.class);

	@Test
	void listenerMayNeedABeanWithAGuardedMethod() {
		this.contextRunner.withBean(Audit.class).withBean(AuditingListener.class).run((context) -> {
			context.getBean(LockOperations.class).execute(LockRequest.of("order"), (handle) -> "done");
			assertThat(context.getBean(AuditingListener.class).audit.lines()).containsExactly("order");
		});
	}

	@Test
	void listenerMayLockWhileItIsCreated() {
		this.contextRunner.withBean(Audit.class).withBean(LockingListener.class).run((context) -> {
			LockingListener listener = context.getBean(LockingListener.class);
			assertThat(listener.audit.lines()).containsExactly("created");
			context.getBean(LockOperations.class).execute(LockRequest.of("order"), (handle) -> "done");
			assertThat(listener.told).containsExactly("order");
		});
	}

	@Test
	void locksOfBeansThatAreInitializedAreTold() {
		List<String> events = new CopyOnWriteArrayList<>();
		this.contextRunner.withBean(Guarded.class)
			.withBean(EarlyCaller.class)
			.withBean(RecordingListener.class, () -> new RecordingListener("told", 0, events))
			.run((context) -> {
				assertThat(context.getBean(EarlyCaller.class).key).isEqualTo("guarded");
				assertThat(events).containsExactly("told");
			});
	}

	@Test
	void configurationWithAGuardedMethodMayDefineTheLocks() {
		this.withoutLocks.withUserConfiguration(GuardedConfiguration.class)
			.run((context) -> assertThat(context.getBean(GuardedConfiguration.class).key()).isEqualTo("guarded"));
	}

	@Test
	void annotatedBeanMethodStopsTheApplicationWithARemedy() {
		this.contextRunner.withUserConfiguration(AnnotatedBeanMethod.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).isEqualTo("The @DistributedLock method "
						+ AnnotatedBeanMethod.class.getName() + ".text() is a @Bean method, so the lock is held while "
						+ "the bean is created, and not when its methods are called.");
				assertThat(analysis.getAction()).startsWith(REMEDY);
			}));
	}

	@Test
	void annotatedBeanMethodOfWhatLocksNeedStopsTheApplicationWithARemedy() {
		AtomicReference<BeanFactory> beanFactory = new AtomicReference<>();
		this.withoutLocks.withUserConfiguration(AnnotatedProviderMethod.class)
			.withInitializer((context) -> beanFactory.set(context.getBeanFactory()))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure(), beanFactory.get()))
				.satisfies((analysis) -> {
					assertThat(analysis.getDescription()).isEqualTo("The bean 'provider' cannot be created under the "
							+ "lock of its @Bean method " + AnnotatedProviderMethod.class.getName()
							+ ".provider(), which is annotated with @DistributedLock, since locks need this bean.");
					assertThat(analysis.getAction()).startsWith(REMEDY);
				}));
	}

	static class Audit {

		private final List<String> lines = new CopyOnWriteArrayList<>();

		@DistributedLock("audit")
		void write(String line) {
			this.lines.add(line);
		}

		// The proxy has no lines.
		List<String> lines() {
			return this.lines;
		}

	}

	static class AuditingListener implements LockListener {

		private final Audit audit;

		AuditingListener(Audit audit) {
			this.audit = audit;
		}

		@Override
		public void acquired(LockRequest request, LockHandle handle, Duration waited) {
			if (!request.key().equals("audit")) {
				this.audit.write(request.key());
			}
		}

	}

	static class LockingListener implements LockListener {

		private final List<String> told = new CopyOnWriteArrayList<>();

		private final Audit audit;

		LockingListener(Audit audit) {
			this.audit = audit;
			audit.write("created");
		}

		@Override
		public void acquired(LockRequest request, LockHandle handle, Duration waited) {
			this.told.add(request.key());
		}

	}

	static class Guarded {

		@DistributedLock(key = "guarded", waitMs = 0)
		@Nullable String key() {
			return LockHandle.current().key();
		}

	}

	static class EarlyCaller {

		private final @Nullable String key;

		EarlyCaller(Guarded guarded) {
			this.key = guarded.key();
		}

	}

	@Configuration
	static class GuardedConfiguration {

		@Bean
		InMemoryLockProvider provider() {
			return new InMemoryLockProvider();
		}

		@DistributedLock("guarded")
		@Nullable String key() {
			return LockHandle.current().key();
		}

	}

	@Configuration
	static class AnnotatedBeanMethod {

		@Bean
		@DistributedLock("bean")
		StringBuilder text() {
			return new StringBuilder();
		}

	}

	@Configuration
	static class AnnotatedProviderMethod {

		@Bean
		@DistributedLock("bean")
		InMemoryLockProvider provider() {
			return new InMemoryLockProvider();
		}

	}

}
