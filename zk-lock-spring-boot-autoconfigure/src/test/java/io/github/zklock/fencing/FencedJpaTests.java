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

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockFencingAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockTransactionAutoConfiguration;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.test.memory.InMemoryLockProvider;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Fenced transactions of JPA, which writes only when it commits, with a pool of one
 * connection.
 */
class FencedJpaTests {

	private final TestDatabase database = database();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withUserConfiguration(Jpa.class)
		.withPropertyValues("zk-lock.fencing.initialize-schema=always", "test.url=" + this.database.url(),
				"test.user=" + this.database.user());

	TestDatabase database() {
		return new TestDatabase("h2", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa");
	}

	@Test
	void commitOfTheHolderIsWritten() {
		this.runner.run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			accounts.deposit(() -> {
			});
			accounts.deposit(() -> {
			});
			assertThat(balance(context.getBean(DataSource.class))).isEqualTo(2);
		});
	}

	@Test
	void commitThatIsTooLateIsRolledBack() {
		this.runner.run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			accounts.deposit(() -> {
			});
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> accounts.deposit(this::raiseLater))
				.withMessageContaining("a later holder has raised the row '/locks/account'");
			assertThat(balance(context.getBean(DataSource.class))).isOne();
		});
	}

	// Otherwise the row stays locked while Hibernate writes.
	@Test
	void checkComesAfterTheLastWrite() {
		this.runner.run((context) -> {
			context.getBean(Accounts.class).deposit(() -> {
			});
			List<String> statements = context.getBean(Statements.class).all;
			statements.clear();
			context.getBean(Accounts.class).deposit(() -> {
			});
			assertThat(statements).last().asString().startsWith("select token from zk_lock_fence");
			assertThat(statements).anyMatch((statement) -> statement.startsWith("update jpa_account"));
		});
	}

	private void raiseLater() {
		try (HikariDataSource pool = pool(this.database.url(), this.database.user())) {
			assertThat(new JdbcTemplate(pool)
				.update("update zk_lock_fence set token = token + 1000 where lock_key = '/locks/account'")).isOne();
		}
	}

	private static long balance(DataSource dataSource) {
		return new JdbcTemplate(dataSource).queryForObject("select balance from jpa_account", Long.class);
	}

	private static HikariDataSource pool(String url, String user) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername(user);
		pool.setPassword("");
		pool.setMaximumPoolSize(1);
		return pool;
	}

	static class Accounts {

		@PersistenceContext
		private EntityManager entities;

		@Fenced
		@DistributedLock("account")
		@Transactional
		void deposit(Runnable meanwhile) {
			JpaAccount account = this.entities.find(JpaAccount.class, 1L);
			if (account == null) {
				account = new JpaAccount(1);
				this.entities.persist(account);
			}
			account.setBalance(account.getBalance() + 1);
			meanwhile.run();
		}

	}

	/**
	 * The statements that were prepared.
	 */
	static class Statements extends DelegatingDataSource {

		final List<String> all = new CopyOnWriteArrayList<>();

		Statements(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("prepareStatement")) {
							this.all.add((String) arguments[0]);
						}
						return method.invoke(connection, arguments);
					});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Jpa {

		@Bean(destroyMethod = "close")
		HikariDataSource pool(Environment environment) {
			return FencedJpaTests.pool(environment.getRequiredProperty("test.url"),
					environment.getRequiredProperty("test.user"));
		}

		@Bean
		@Primary
		Statements statements(HikariDataSource pool) {
			return new Statements(pool);
		}

		@Bean
		LocalContainerEntityManagerFactoryBean entityManagerFactory(Statements dataSource) {
			LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
			factory.setDataSource(dataSource);
			factory.setPackagesToScan(JpaAccount.class.getPackageName());
			factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
			Properties properties = new Properties();
			properties.setProperty("hibernate.hbm2ddl.auto", "create");
			factory.setJpaProperties(properties);
			return factory;
		}

		@Bean
		JpaTransactionManager transactionManager(EntityManagerFactory factory) {
			return new JpaTransactionManager(factory);
		}

		@Bean
		Accounts accounts() {
			return new Accounts();
		}

	}

}
