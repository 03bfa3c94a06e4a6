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

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.EnableDistributedLocks;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockKeyResolver;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.LockInterceptor;
import io.github.zklock.interceptor.check.LockUsageValidator;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskDecorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class ZkLockAopAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
				AopAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	@Test
	void guardsAnnotatedMethods(CapturedOutput output) {
		this.contextRunner.withBean(Guarded.class).run((context) -> {
			assertThat(context.getBean(Guarded.class).key()).isEqualTo("guarded");
			assertThat(AopUtils.isCglibProxy(context.getBean(Guarded.class))).isTrue();
			assertThat(context).hasSingleBean(LockUsageValidator.class);
		});
		assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
	}

	@ParameterizedTest
	@CsvSource({ "org.none, true, true", "org.none, true, false", "org.none, false, true", "org.none, false, false",
			"org.aspectj, true, true", "org.aspectj, true, false", "org.aspectj, false, true",
			"org.aspectj, false, false" })
	void guardsWhateverSpringBootDoesAboutProxies(String missing, boolean auto, boolean proxyTargetClass) {
		this.contextRunner.withBean(Guarded.class)
			.withClassLoader(new FilteredClassLoader(missing))
			.withPropertyValues("spring.aop.auto=" + auto, "spring.aop.proxy-target-class=" + proxyTargetClass)
			.run((context) -> {
				Keyed bean = context.getBean(Keyed.class);
				assertThat(bean.key()).isEqualTo("guarded");
				assertThat(AopUtils.isCglibProxy(bean)).isEqualTo(proxyTargetClass);
				assertThat(AopUtils.isJdkDynamicProxy(bean)).isEqualTo(!proxyTargetClass);
			});
	}

	@Test
	void whenDisabledMethodsRunUnderALockThatExcludesNobody() {
		this.contextRunner.withBean(Guarded.class).withPropertyValues("zk-lock.enabled=false").run((context) -> {
			InMemoryLockProvider provider = context.getBean(InMemoryLockProvider.class);
			LockHandle holder = provider.acquire(LockRequest.of("guarded").withOwner("other"));
			assertThat(context.getBean(Guarded.class).key()).isEqualTo("guarded");
			holder.release();
		});
	}

	@Test
	void withoutLocksGuardedMethodsStopTheApplicationInsteadOfRunningUnguarded() {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class));
		runner.run((context) -> assertThat(context).hasNotFailed());
		runner.withBean(Guarded.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).isEqualTo("The @DistributedLock method " + Guarded.class.getName()
						+ ".key() cannot be guarded, since there is no bean of type LockOperations.");
				assertThat(analysis.getAction()).isEqualTo("Depend on zk-lock-spring-boot-starter, which brings the "
						+ "client for ZooKeeper, or define a LockProvider bean, from which LockOperations are made.");
			}));
	}

	@Test
	void advisorHasTheOrderOfThePropertyAndIsInfrastructure() {
		this.contextRunner
			.run((context) -> assertThat(context.getBean(BeanFactoryLockOperationSourceAdvisor.class).getOrder())
				.isEqualTo(Ordered.LOWEST_PRECEDENCE - 100));
		this.contextRunner.withPropertyValues("zk-lock.aop.order=42")
			.run((context) -> assertThat(context.getBean(BeanFactoryLockOperationSourceAdvisor.class).getOrder())
				.isEqualTo(42));
	}

	@Test
	void overrideOfANameLetsItsMethodRunUnguarded() {
		this.contextRunner.withBean(Guarded.class)
			.withPropertyValues("zk-lock.locks.guarded-key.unguarded=true")
			.run((context) -> {
				InMemoryLockProvider provider = context.getBean(InMemoryLockProvider.class);
				LockHandle holder = provider.acquire(LockRequest.of("guarded").withOwner("other"));
				assertThat(context.getBean(Guarded.class).key()).isEqualTo("guarded-key");
				holder.release();
			});
	}

	@Test
	void keyResolversOfTheApplicationChangeTheKeyInTheirOrder() {
		this.contextRunner.withBean(Guarded.class)
			.withUserConfiguration(KeyResolvers.class)
			.run((context) -> assertThat(context.getBean(Guarded.class).key()).isEqualTo("eu:acme:guarded"));
	}

	@Test
	void keyResolverThatReturnsNoKeyEndsTheCall() {
		LockKeyResolver none = (keys, method, target, arguments) -> List.of();
		this.contextRunner.withBean(Guarded.class)
			.withBean("none", LockKeyResolver.class, () -> none)
			.run((context) -> assertThatExceptionOfType(LockKeyException.class)
				.isThrownBy(context.getBean(Guarded.class)::key)
				.withMessageContaining("must not run without a lock"));
	}

	@Test
	void taskDecoratorsCarryTheContextOfTheCallerToAsynchronousMethods() {
		this.contextRunner.withBean(ContextOfCallers.class)
			.withBean(TaskDecorator.class, () -> ContextOfCallers::carry)
			.run((context) -> {
				ContextOfCallers.USER.set("ann");
				try {
					assertThat(context.getBean(ContextOfCallers.class).user()).succeedsWithin(Duration.ofSeconds(30))
						.isEqualTo("ann");
				}
				finally {
					ContextOfCallers.USER.remove();
				}
			});
	}

	@Test
	void settingsOfTheApplicationWin() {
		LockSettings own = new UnguardedLocks();
		this.contextRunner.withBean(Guarded.class)
			.withBean("ownSettings", LockSettings.class, () -> own)
			.run((context) -> {
				assertThat(context).getBean(LockSettings.class).isSameAs(own);
				assertThat(context.getBean(Guarded.class).key()).isEqualTo("guarded-key");
			});
	}

	@Test
	void interceptorOfTheApplicationWinsUnderAnyName() {
		this.contextRunner.withBean(Guarded.class)
			.withBean("ownInterceptor", AnsweringInterceptor.class)
			.run((context) -> {
				assertThat(context).getBeanNames(LockInterceptor.class).containsExactly("ownInterceptor");
				assertThat(context.getBean(Guarded.class).key()).isEqualTo("answered");
			});
	}

	@Test
	void operationSourceAndAdvisorOfTheApplicationWin() {
		this.contextRunner.withBean("ownSource", NoLocks.class)
			.withBean("ownAdvisor", BeanFactoryLockOperationSourceAdvisor.class,
					() -> new BeanFactoryLockOperationSourceAdvisor(new NoLocks()))
			.run((context) -> {
				assertThat(context).getBean(LockOperationSource.class).isInstanceOf(NoLocks.class);
				assertThat(context).getBeanNames(BeanFactoryLockOperationSourceAdvisor.class)
					.containsExactly("ownAdvisor");
			});
	}

	@Test
	void annotationForApplicationsWithoutSpringBootChangesNothing() {
		ApplicationContextRunner annotated = this.contextRunner.withBean(Guarded.class)
			.withUserConfiguration(Annotated.class);
		annotated.withPropertyValues("zk-lock.aop.order=42", "zk-lock.default-wait=3s").run((context) -> {
			assertThat(context).getBean(BeanFactoryLockOperationSourceAdvisor.class)
				.extracting(BeanFactoryLockOperationSourceAdvisor::getOrder)
				.isEqualTo(42);
			assertThat(context).getBean(LockSettings.class)
				.extracting(LockSettings::defaultWait)
				.isEqualTo(Duration.ofSeconds(3));
			assertThat(context).hasSingleBean(LockOperations.class);
			assertThat(context.getBean(Guarded.class).key()).isEqualTo("guarded");
		});
		annotated.withPropertyValues("zk-lock.enabled=false").run((context) -> {
			LockHandle holder = context.getBean(InMemoryLockProvider.class)
				.acquire(LockRequest.of("guarded").withOwner("other"));
			assertThat(context.getBean(Guarded.class).key()).isEqualTo("guarded");
			holder.release();
		});
	}

	// Public, like Guarded, for the class loader with missing classes.
	public interface Keyed {

		@Nullable String key();

	}

	public static class Guarded implements Keyed {

		@Override
		@DistributedLock("guarded")
		public @Nullable String key() {
			return LockHandle.current().key();
		}

	}

	@EnableDistributedLocks(order = 7)
	static class Annotated {

	}

	static class UnguardedLocks implements LockSettings {

		@Override
		public Duration defaultWait() {
			return Duration.ZERO;
		}

		@Override
		public @Nullable Duration wait(String name) {
			return null;
		}

		@Override
		public boolean isUnguarded(String name) {
			return true;
		}

	}

	static class ContextOfCallers {

		static final ThreadLocal<@Nullable String> USER = new ThreadLocal<>();

		@DistributedLock("user")
		CompletableFuture<@Nullable String> user() {
			return CompletableFuture.completedFuture(USER.get());
		}

		static Runnable carry(Runnable task) {
			String user = USER.get();
			return () -> {
				USER.set(user);
				try {
					task.run();
				}
				finally {
					USER.remove();
				}
			};
		}

	}

	static class NoLocks implements LockOperationSource {

		@Override
		public boolean hasLockOperation(Method method, @Nullable Class<?> targetClass) {
			return false;
		}

		@Override
		public @Nullable LockOperation getLockOperation(Method method, @Nullable Class<?> targetClass) {
			return null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class KeyResolvers {

		@Bean
		@Order(2)
		LockKeyResolver region() {
			return (keys, method, target, arguments) -> keys.stream().map((key) -> "eu:" + key).toList();
		}

		@Bean
		@Order(1)
		LockKeyResolver tenant() {
			return (keys, method, target, arguments) -> {
				assertThat(method.getName()).isEqualTo("key");
				assertThat(target).isExactlyInstanceOf(Guarded.class);
				return keys.stream().map((key) -> "acme:" + key).toList();
			};
		}

	}

	static class AnsweringInterceptor extends LockInterceptor {

		AnsweringInterceptor(LockOperationSource source, LockOperations operations) {
			super(source, operations);
		}

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) {
			return "answered";
		}

	}

}
