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

package io.github.zklock.config;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.ReleasePolicy;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Beans of applications without Spring Boot.
 */
final class EnabledLockBeans {

	private EnabledLockBeans() {
	}

	interface Seats {

		String sell(String seat);

		String sellNow(String seat);

	}

	static class Orders implements Seats {

		@Override
		@DistributedLock("seat:#{#seat}")
		public String sell(String seat) {
			return LockHandle.current().key();
		}

		@Override
		@DistributedLock(key = "seat:#{#seat}", waitMs = 0, fallbackMethod = "soldOut")
		public String sellNow(String seat) {
			return LockHandle.current().key();
		}

		String soldOut(String seat) {
			return "sold out";
		}

	}

	static class BadKey {

		@DistributedLock("order:#{#order.id}")
		void work() {
		}

	}

	static class Hourly {

		private final AtomicInteger runs = new AtomicInteger();

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@DistributedLock(key = "report", name = "hourly-report")
		void report() {
			this.runs.incrementAndGet();
		}

		int runs() {
			return this.runs.get();
		}

	}

	static class AfterCommit {

		private final JdbcTemplate jdbc;

		private final TransactionTemplate transactions;

		AfterCommit(JdbcTemplate jdbc, TransactionTemplate transactions) {
			this.jdbc = jdbc;
			this.transactions = transactions;
		}

		void inTransaction(Runnable body) {
			this.transactions.executeWithoutResult((status) -> body.run());
		}

		@Transactional
		@DistributedLock(key = "after-commit", release = ReleasePolicy.TRANSACTION)
		void add() {
			this.jdbc.update("insert into orders values ('after commit')");
		}

		@Transactional
		@DistributedLock("around")
		void addAround(Runnable meanwhile) {
			this.jdbc.update("insert into orders values ('around')");
			meanwhile.run();
		}

	}

	static class FencedOrders {

		private final JdbcTemplate jdbc;

		FencedOrders(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Fenced
		@DistributedLock("orders")
		@Transactional
		void add(Runnable meanwhile) {
			this.jdbc.update("insert into orders values ('fenced')");
			meanwhile.run();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Database {

		@Bean
		DataSource dataSource() {
			DataSource dataSource = new DriverManagerDataSource(
					"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
			DatabasePopulatorUtils.execute(
					new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql")),
					dataSource);
			new JdbcTemplate(dataSource).execute("create table orders (name varchar(20))");
			return dataSource;
		}

		@Bean
		JdbcTemplate jdbc(DataSource dataSource) {
			return new JdbcTemplate(dataSource);
		}

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		TransactionTemplate transactions(JdbcTransactionManager manager) {
			return new TransactionTemplate(manager);
		}

	}

}
