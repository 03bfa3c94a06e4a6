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

package io.github.zklock.fencing;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockFencingAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockTransactionAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.fencing.FencedMethodBeans.Orders;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.support.PlainLockHandle;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.LockCommitListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.config.TransactionManagementConfigUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Ways around a fence: none of them ends in a commit that is too late.
 */
class FencedEvasionTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withUserConfiguration(FencedMethodTests.Database.class)
		.withBean(Orders.class)
		.withPropertyValues("test.url=" + this.url);

	// The order of the property is not that of the advisor.
	@Test
	void advisorOfTheApplicationHasTheFenceInsideOfItsLock() {
		this.runner.withUserConfiguration(LateAdvisor.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> orders.afterACommit("around", () -> {
			}, () -> orders.add(() -> FencedMethodTests.apart(this.url, FencedMethodTests.LATER))));
			assertThat(count(context)).isZero();
		});
	}

	@Test
	void startFailsIfTransactionsBeginBeforeLocks() {
		this.runner.withUserConfiguration(EarlyTransactions.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining(
						"begins its transaction before its lock is acquired: the order of transactions is 0"));
	}

	@Test
	void transactionThatIsLeftOpenDoesNotCommit() {
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
			AtomicReference<TransactionStatus> open = new AtomicReference<>();
			orders.addWithoutTransaction(() -> open.set(manager.getTransaction(null)));
			FencedMethodTests.apart(this.url, FencedMethodTests.LATER);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> manager.commit(open.get()))
				.withMessageContaining("was released before the commit");
			assertThat(count(context)).isZero();
		});
	}

	@Test
	void transactionThatBeginsAfterACommitIsChecked() {
		try (HikariDataSource pool = pool(this.url)) {
			DatabaseFences fences = fences(pool);
			TransactionTemplate transactions = transactions(fences, pool);
			TransactionTemplate again = transactions(fences, pool);
			again.setPropagationBehavior(Propagation.REQUIRES_NEW.value());
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			under(new PlainLockHandle("orders", LockMode.EXCLUSIVE, 5), (handle) -> {
				fences.raise(handle);
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> transactions.executeWithoutResult((status) -> TransactionSynchronizationManager
						.registerSynchronization(afterCommit(() -> again.executeWithoutResult((inner) -> {
							jdbc.update("insert into orders (id) values (default)");
							FencedMethodTests.apart(this.url, FencedMethodTests.LATER);
						})))));
			});
			assertThat(jdbc.queryForObject("select count(*) from orders", Long.class)).isZero();
		}
	}

	private static TransactionSynchronization afterCommit(Runnable action) {
		return new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				action.run();
			}

		};
	}

	// Its manager binds the connection to the data source behind the bean.
	@Test
	void dataSourceAroundTheOneOfTheTransactionIsTheSame() {
		try (HikariDataSource pool = pool(this.url)) {
			DatabaseFences fences = fences(new LazyConnectionDataSourceProxy(pool));
			assertRefused(fences, pool);
		}
	}

	@Test
	void dataSourceBehindTheOneOfTheTransactionIsTheSame() {
		try (HikariDataSource pool = pool(this.url)) {
			assertRefused(fences(pool), new LazyConnectionDataSourceProxy(pool));
		}
	}

	private void assertRefused(DatabaseFences fences, DataSource ofTransaction) {
		TransactionTemplate transactions = transactions(fences, ofTransaction);
		JdbcTemplate jdbc = new JdbcTemplate(ofTransaction);
		under(new PlainLockHandle("orders", LockMode.EXCLUSIVE, 5), (handle) -> {
			fences.raise(handle);
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> transactions.executeWithoutResult((status) -> {
					jdbc.update("insert into orders (id) values (default)");
					FencedMethodTests.apart(this.url, FencedMethodTests.LATER);
				}));
		});
		assertThat(jdbc.queryForObject("select count(*) from orders", Long.class)).isZero();
	}

	// A reader does not look at a row with its own token.
	@Test
	void transactionInAnotherDatabaseThanTheRaiseDoesNotCommit() {
		String otherUrl = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
		try (HikariDataSource one = pool(this.url); HikariDataSource other = pool(otherUrl)) {
			new JdbcTemplate(other).update("insert into zk_lock_fence values ('/locks/orders', 3)");
			AtomicReference<String> tenant = new AtomicReference<>("one");
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

				@Override
				protected @Nullable Object determineCurrentLookupKey() {
					return tenant.get();
				}

			};
			routing.setTargetDataSources(Map.of("one", one, "other", other));
			routing.afterPropertiesSet();
			DatabaseFences fences = fences(routing);
			TransactionTemplate transactions = transactions(fences, routing);
			under(new PlainLockHandle("orders", LockMode.READ, 5), (handle) -> {
				fences.raise(handle);
				tenant.set("other");
				assertThatExceptionOfType(IllegalStateException.class)
					.isThrownBy(() -> transactions.executeWithoutResult(
							(status) -> new JdbcTemplate(routing).update("insert into orders (id) values (default)")))
					.withMessageContaining("a database or a schema other than");
			});
			assertThat(new JdbcTemplate(other).queryForObject("select count(*) from orders", Long.class)).isZero();
		}
	}

	// A provider of the application may turn single keys off.
	@Test
	void lockBesideOneThatIsTurnedOffIsFenced() {
		LockProvider held = new InMemoryLockProvider();
		LockProvider off = new NoOpLockProvider();
		LockOperations locks = new LockTemplate(new LockProvider() {

			@Override
			public LockHandle acquire(LockRequest request, AcquireContext context) {
				return (request.key().equals("off") ? off : held).acquire(request, context);
			}

			@Override
			public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
				return (request.key().equals("off") ? off : held).acquireAsync(request, context);
			}

		});
		try (HikariDataSource pool = pool(this.url)) {
			DatabaseFences fences = fences(pool);
			locks.<@Nullable Object, RuntimeException>execute(List.of(LockRequest.of("off"), LockRequest.of("orders")),
					(handle) -> {
						fences.raise(handle);
						return null;
					});
			assertThat(new JdbcTemplate(pool).queryForList("select lock_key from zk_lock_fence", String.class))
				.contains("/locks/orders")
				.doesNotContain("/locks/off");
		}
	}

	private static DatabaseFences fences(DataSource dataSource) {
		return new DatabaseFences((name) -> dataSource, FenceSettings.of((handle) -> "/locks"), List::of);
	}

	private static TransactionTemplate transactions(DatabaseFences fences, DataSource dataSource) {
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		manager.addListener(new LockCommitListener(() -> List.of(fences)));
		return new TransactionTemplate(manager);
	}

	private static void under(LockHandle lock, Consumer<LockHandle> body) {
		LockScope.<@Nullable Object, RuntimeException>call(lock, (handle) -> {
			body.accept(handle);
			return null;
		});
	}

	private static HikariDataSource pool(String url) {
		HikariDataSource pool = FencedMethodTests.Database.pool(url);
		pool.setMaximumPoolSize(2);
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql")).execute(pool);
		return pool;
	}

	private static long count(AssertableApplicationContext context) {
		return context.getBean(JdbcTemplate.class).queryForObject("select count(*) from orders", Long.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyTransactions {

		@Bean
		static BeanFactoryPostProcessor early() {
			return (factory) -> factory
				.getBeanDefinition(TransactionManagementConfigUtils.TRANSACTION_ADVISOR_BEAN_NAME)
				.getPropertyValues()
				.add("order", 0);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LateAdvisor {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static BeanFactoryLockOperationSourceAdvisor advisor(LockOperationSource source) {
			BeanFactoryLockOperationSourceAdvisor advisor = new BeanFactoryLockOperationSourceAdvisor(source);
			advisor.setAdviceBeanName("zkLockInterceptor");
			advisor.setOrder(BeanFactoryLockOperationSourceAdvisor.DEFAULT_ORDER + 50);
			return advisor;
		}

	}

}
