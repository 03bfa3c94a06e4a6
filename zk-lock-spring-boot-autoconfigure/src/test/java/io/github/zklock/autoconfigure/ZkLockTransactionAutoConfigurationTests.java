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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import javax.sql.DataSource;

import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.LockCommitListener;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ZkLockTransactionAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockTransactionAutoConfiguration.class));

	@Test
	void listensToTheManagerThatSpringBootConfigures(CapturedOutput output) {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean(InMemoryLockProvider.class)
			.withBean("ownListener", OwnListener.class)
			.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())
			.run((context) -> {
				assertThat(listeners(context.getBean(PlatformTransactionManager.class)))
					.hasExactlyElementsOfTypes(OwnListener.class, LockCommitListener.class);
				assertThat(context).getBeans(TransactionExecutionListener.class).containsOnlyKeys("ownListener");
			});
		assertThat(output).doesNotContain("is not eligible for getting processed by all BeanPostProcessors");
	}

	@Test
	void futureOfATransactionalMethodIsLeftAlone() {
		this.contextRunner.withUserConfiguration(Transactions.class)
			.withBean(JdbcTransactionManager.class, Managers::manager)
			.withBean(Orders.class)
			.run((context) -> {
				Future future = new Future();
				assertThat(context.getBean(Orders.class).stage(future)).isSameAs(future);
				assertThat(context.getBean(Orders.class).future(future)).isSameAs(future);
			});
	}

	@Test
	void listensToEveryManagerOfTheApplication() {
		this.contextRunner.withUserConfiguration(Managers.class).run((context) -> {
			assertThat(listeners(context.getBean("plain"))).hasExactlyElementsOfTypes(LockCommitListener.class);
			assertThat(listeners(context.getBean("listening"))).hasExactlyElementsOfTypes(OwnListener.class,
					LockCommitListener.class);
			assertThat(listeners(context.getBean("own"))).hasExactlyElementsOfTypes(LockCommitListener.class,
					LockCommitListener.class);
			assertThat(listeners(context.getBean("made"))).hasExactlyElementsOfTypes(LockCommitListener.class);
			assertThat(listeners(Managers.opaque)).hasExactlyElementsOfTypes(LockCommitListener.class);
			assertThat(context.getBean("opaque")).isNotInstanceOf(ConfigurableTransactionManager.class);
		});
	}

	@Test
	void createsNoBeanEarly() {
		this.contextRunner.withBean("lazy", PlatformTransactionManager.class, () -> {
			throw new IllegalStateException("created");
		}, (definition) -> definition.setLazyInit(true)).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void doesNothingWhenDisabled() {
		this.contextRunner.withUserConfiguration(Managers.class)
			.withPropertyValues("zk-lock.enabled=false")
			.run((context) -> assertThat(listeners(context.getBean("plain"))).isEmpty());
	}

	private static Collection<TransactionExecutionListener> listeners(Object manager) {
		return ((ConfigurableTransactionManager) manager).getTransactionExecutionListeners();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@EnableTransactionManagement(proxyTargetClass = true)
	static class Transactions {

	}

	static class Future extends CompletableFuture<String> {

	}

	public static class Orders {

		@Transactional
		public CompletionStage<String> stage(Future future) {
			return future;
		}

		@Transactional
		public Future future(Future future) {
			return future;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Managers {

		static JdbcTransactionManager opaque;

		@Bean
		PlatformTransactionManager plain() {
			return manager();
		}

		@Bean
		PlatformTransactionManager listening() {
			JdbcTransactionManager manager = manager();
			manager.setTransactionExecutionListeners(List.of(new OwnListener()));
			return manager;
		}

		@Bean
		PlatformTransactionManager own() {
			JdbcTransactionManager manager = manager();
			manager.setTransactionExecutionListeners(new ArrayList<>(List.of(new LockCommitListener())));
			return manager;
		}

		@Bean
		FactoryBean<PlatformTransactionManager> made() {
			PlatformTransactionManager manager = manager();
			return new FactoryBean<>() {

				@Override
				public PlatformTransactionManager getObject() {
					return manager;
				}

				@Override
				public Class<?> getObjectType() {
					return PlatformTransactionManager.class;
				}

			};
		}

		@Bean
		PlatformTransactionManager opaque() {
			opaque = manager();
			return opaque;
		}

		@Bean
		static BeanPostProcessor wrapper() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return "opaque".equals(beanName) ? ProxyFactory.getProxy(PlatformTransactionManager.class,
							(MethodInterceptor) (invocation) -> null) : bean;
				}

			};
		}

		private static JdbcTransactionManager manager() {
			DataSource dataSource = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID());
			return new JdbcTransactionManager(dataSource);
		}

	}

	static class OwnListener implements TransactionExecutionListener {

	}

}
