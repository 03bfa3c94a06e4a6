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

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.LockTransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * An application that writes rows in reactive transactions and under locks.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ InMemoryLockProvider.class, ReactiveTransactionApplication.Rows.class,
		ReactiveTransactionApplication.Orders.class, ReactiveTransactionApplication.Locked.class })
class ReactiveTransactionApplication {

	@Bean
	ReactiveTransactionManager transactionManager(DataSource dataSource) {
		return new JdbcReactiveTransactionManager(dataSource);
	}

	static class Rows {

		private final JdbcTemplate jdbc;

		Rows(DataSource dataSource) {
			this.jdbc = new JdbcTemplate(dataSource);
			this.jdbc.execute("create table if not exists orders (id int)");
		}

		// What happens in the middle comes after the row and before the commit.
		Mono<String> insert(Runnable middle) {
			return JdbcReactiveTransactionManager.connection().map((connection) -> {
				insert(connection);
				middle.run();
				return "inserted";
			});
		}

		private static void insert(Connection connection) {
			try (Statement statement = connection.createStatement()) {
				statement.executeUpdate("insert into orders values (1)");
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		int count() {
			return this.jdbc.queryForObject("select count(*) from orders", Integer.class);
		}

		void clear() {
			this.jdbc.update("delete from orders");
		}

	}

	static class Orders {

		private final Rows rows;

		Orders(Rows rows) {
			this.rows = rows;
		}

		@Transactional
		Mono<String> insert(Runnable middle) {
			return this.rows.insert(middle);
		}

	}

	static class Locked {

		private final Rows rows;

		private final Orders orders;

		private final TransactionalOperator operator;

		private final TransactionalOperator ownOperator;

		Locked(Rows rows, Orders orders, TransactionalOperator operator, ReactiveTransactionManager manager) {
			this.rows = rows;
			this.orders = orders;
			this.operator = operator;
			this.ownOperator = LockTransactionalOperator.of(TransactionalOperator.create(manager));
		}

		@DistributedLock("orders")
		@Transactional
		Mono<String> transactional(Runnable middle) {
			return this.rows.insert(middle);
		}

		@DistributedLock("orders")
		@Transactional
		Flux<String> transactionalFlux(Runnable middle) {
			return this.rows.insert(middle).flux();
		}

		@DistributedLock("orders")
		Mono<String> calling(Runnable middle) {
			return this.orders.insert(middle);
		}

		@DistributedLock("orders")
		Mono<String> operator(Runnable middle) {
			return this.operator.transactional(this.rows.insert(middle));
		}

		@DistributedLock("orders")
		Flux<String> operatorFlux(Runnable middle) {
			return this.operator.transactional(this.rows.insert(middle).flux());
		}

		@DistributedLock("orders")
		Mono<String> callback(Runnable middle) {
			return this.operator.execute((status) -> this.rows.insert(middle)).last();
		}

		@DistributedLock("orders")
		Mono<String> ownOperator(Runnable middle) {
			return this.ownOperator.transactional(this.rows.insert(middle));
		}

		@DistributedLock("orders")
		CompletableFuture<String> future(Runnable middle) {
			return this.operator.transactional(this.rows.insert(middle)).toFuture();
		}

		@DistributedLock("orders")
		CompletableFuture<String> futureOfTransaction(Runnable middle) {
			return this.orders.insert(middle).toFuture();
		}

		@DistributedLock("orders")
		String blocking(Runnable middle) {
			return this.operator.transactional(this.rows.insert(middle)).block();
		}

		@Transactional
		Mono<String> joined(Supplier<Mono<String>> body) {
			return body.get();
		}

	}

}
