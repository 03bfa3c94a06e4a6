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

import java.util.UUID;

import javax.sql.DataSource;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The rows of the fences of an application with locks on two real servers.
 */
@Tag("server")
class FencesOfEnsemblesTests {

	@RegisterExtension
	static final ZooKeeperServerFixture stock = new ZooKeeperServerFixture();

	@RegisterExtension
	static final ZooKeeperServerFixture orders = new ZooKeeperServerFixture();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
		.withUserConfiguration(Database.class)
		.withPropertyValues("zk-lock.connect-string=" + stock.connectString(), "zk-lock.try-timeout=30s",
				"orders.zookeeper=" + orders.connectString(), "orders.root=/locks");

	private final ApplicationContextRunner ensembles = this.runner.withUserConfiguration(OrderLocks.class)
		.withBean(Desk.class);

	@Test
	void twoEnsemblesWithOneRootAreRefused() {
		this.ensembles.run((context) -> assertThat(context).getFailure()
			.isInstanceOf(InvalidLockUsageException.class)
			.hasMessageContaining("'ordersLocks' (servers " + orders.connectString() + ")")
			.hasMessageContaining("'zkLockProvider' (servers " + stock.connectString() + ")")
			.hasMessageContaining("both have the lock space /locks.")
			.hasMessageContaining("another root"));
	}

	@Test
	void providerThatComesLaterIsRefusedWhenItRaisesItsFirstFence() {
		this.ensembles.withInitializer((context) -> context.addBeanFactoryPostProcessor((beans) -> {
			beans.getBeanDefinition("ordersLocks").setLazyInit(true);
			beans.getBeanDefinition(beans.getBeanNamesForType(Desk.class, false, false)[0]).setLazyInit(true);
		})).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(context.getBean(Desk.class)::order)
				.withMessageContaining("both have the lock space /locks.");
			assertThat(rows(context.getBean(JdbcTemplate.class))).isZero();
		});
	}

	@Test
	void anotherRootOrAnotherChrootIsEnough() {
		this.ensembles.withPropertyValues("orders.root=/order-locks").run((context) -> {
			Desk desk = context.getBean(Desk.class);
			desk.order();
			desk.stock();
			assertThat(keys(context.getBean(JdbcTemplate.class))).contains("/locks/order:1", "/order-locks/order:1");
		});
	}

	@Test
	void oneEnsembleMayHaveTwoProvidersWithOneRoot() {
		this.ensembles.withPropertyValues("orders.zookeeper=" + stock.connectString())
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void applicationWithoutAFencedMethodMayHaveThem() {
		this.runner.withUserConfiguration(OrderLocks.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void rowsOfKeysThatAreDigestsContainTheDigests() {
		this.runner.withBean(Stock.class)
			.withPropertyValues("zk-lock.key-digest-secret=a secret of a test")
			.run((context) -> {
				context.getBean(Stock.class).stock();
				assertThat(keys(context.getBean(JdbcTemplate.class)))
					.allSatisfy((key) -> assertThat(key).startsWith("/locks/hmac-").doesNotContain("order"));
			});
	}

	@Test
	void slashAndPercentOfAKeyAreEscapedOnce() {
		this.runner.withBean(Stock.class).run((context) -> {
			context.getBean(Stock.class).odd();
			assertThat(keys(context.getBean(JdbcTemplate.class))).contains("/locks/a%2Fb%25");
		});
	}

	@Test
	void childContextRaisesItsFencesInItsOwnDatabase() {
		this.runner.run((parent) -> new ApplicationContextRunner().withParent(parent)
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
					ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
			.withUserConfiguration(Database.class)
			.withPropertyValues("zk-lock.try-timeout=30s")
			.withBean(Stock.class)
			.run((child) -> {
				child.getBean(Stock.class).stock();
				assertThat(keys(child.getBean(JdbcTemplate.class))).contains("/locks/order:1");
			}));
	}

	private static Iterable<String> keys(JdbcTemplate jdbc) {
		return jdbc.queryForList("select lock_key from zk_lock_fence", String.class);
	}

	private static int rows(JdbcTemplate jdbc) {
		Integer rows = jdbc.queryForObject("select count(*) from zk_lock_fence", Integer.class);
		return (rows != null) ? rows : 0;
	}

	// Each line of Boot has its auto-configurations of databases in another package.
	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Database {

		@Bean
		DataSource dataSource() {
			return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		}

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			return new JdbcTemplate(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OrderLocks {

		@Lazy
		@Bean(initMethod = "start", destroyMethod = "close", defaultCandidate = false)
		CuratorFramework ordersZooKeeper(@Value("${orders.zookeeper}") String servers) {
			return CuratorFrameworkFactory.newClient(servers, 20_000, 5_000, new ExponentialBackoffRetry(100, 3));
		}

		@Bean(defaultCandidate = false)
		ZooKeeperLockProvider ordersLocks(@Qualifier("ordersZooKeeper") CuratorFramework client,
				@Value("${orders.root}") String root) {
			return ZooKeeperLockProvider.builder(client).name("orders").root(root).build();
		}

	}

	static class Stock {

		@Fenced
		@Transactional
		@DistributedLock(key = "order:1", waitTime = "30s")
		void stock() {
			// Only its fence counts.
		}

		@Fenced
		@Transactional
		@DistributedLock(key = "a/b%", waitTime = "30s")
		void odd() {
			// Only its fence counts.
		}

	}

	static class Desk extends Stock {

		@Fenced
		@Transactional
		@DistributedLock(key = "order:1", provider = "ordersLocks", waitTime = "30s")
		void order() {
			// Only its fence counts.
		}

	}

}
