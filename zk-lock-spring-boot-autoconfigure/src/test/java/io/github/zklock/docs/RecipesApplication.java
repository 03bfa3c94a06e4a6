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

package io.github.zklock.docs;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.NotAcquiredPolicy;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/**
 * The application of the recipes in {@code docs/recipes.md}, which are pieces of this
 * file.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableTransactionManagement
@Import({ RecipesApplication.Reports.class, RecipesApplication.Orders.class, RecipesApplication.Prices.class,
		RecipesApplication.Accounts.class, RecipesApplication.Couriers.class, RecipesApplication.Labels.class,
		RecipesApplication.Meter.class, RecipesApplication.StockStore.class, RecipesApplication.Dispatch.class })
class RecipesApplication {

	@Bean
	DataSource dataSource() {
		return new EmbeddedDatabaseBuilder().generateUniqueName(true)
			.setType(EmbeddedDatabaseType.H2)
			.addScript("recipes.sql")
			.build();
	}

	@Bean
	JdbcClient jdbc(DataSource dataSource) {
		return JdbcClient.create(dataSource);
	}

	@Bean
	PlatformTransactionManager transactionManager(DataSource dataSource) {
		return new JdbcTransactionManager(dataSource);
	}

	record Order(long id) {
	}

	@Component
	static class Reports {

		private final List<Instant> written = new CopyOnWriteArrayList<>();

		List<Instant> written() {
			return this.written;
		}

		@Scheduled(cron = "0 0 4 * * *", zone = "Europe/Berlin")
		@DistributedLock(key = "nightly-report")
		void report() {
			write(LockTick.current().time());
		}

		@Scheduled(cron = "0 0 4 * * *", zone = "Europe/Berlin")
		@DistributedLock(key = "nightly-invoices", waitTime = "10m")
		void invoices() {
			write(LockTick.current().time());
		}

		@Scheduled(fixedRateString = "PT15M")
		@DistributedLock(key = "clean-up")
		void cleanUp() {
			write(Instant.EPOCH);
		}

		private void write(Instant time) {
			this.written.add(time);
		}

	}

	@Component
	static class Orders {

		private volatile Runnable work = () -> {
		};

		void setWork(Runnable work) {
			this.work = work;
		}

		@DistributedLock(key = "order:#{#order.id}", waitTime = "5s")
		String ship(Order order) {
			return doShip(order);
		}

		@DistributedLock(key = "#orders.![ 'order:' + id ]", waitTime = "5s")
		void shipTogether(List<Order> orders) {
			orders.forEach(this::doShip);
		}

		@DistributedLock(key = "order:#{#order.id}", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		Optional<String> shipUnlessBusy(Order order) {
			return Optional.of(doShip(order));
		}

		@DistributedLock(key = "order:#{#order.id}", waitMs = 0, fallbackMethod = "postpone")
		String shipOrPostpone(Order order) {
			return doShip(order);
		}

		String postpone(Order order) {
			return "order " + order.id() + " is postponed";
		}

		private String doShip(Order order) {
			this.work.run();
			return "order " + order.id() + " is shipped";
		}

	}

	@Component
	static class Prices {

		private final JdbcClient jdbc;

		Prices(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@DistributedLock(key = "prices", mode = LockMode.READ, waitTime = "5s")
		int price() {
			return this.jdbc.sql("select amount from price where item = 'apple'").query(Integer.class).single();
		}

		@DistributedLock(key = "prices", mode = LockMode.WRITE, waitTime = "5s")
		void change(int price) {
			this.jdbc.sql("update price set amount = ? where item = 'apple'").param(price).update();
		}

	}

	@Component
	static class Accounts {

		private final JdbcClient jdbc;

		private volatile Runnable work = () -> {
		};

		Accounts(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		void setWork(Runnable work) {
			this.work = work;
		}

		@Transactional
		@DistributedLock(key = "account:#{#name}", waitTime = "3s")
		void withdraw(String name, int amount) {
			int balance = balance(name);
			if (balance < amount) {
				throw new IllegalStateException("The balance of " + name + " is " + balance);
			}
			this.jdbc.sql("update account set balance = ? where name = ?").params(balance - amount, name).update();
			this.work.run();
		}

		int balance(String name) {
			return this.jdbc.sql("select balance from account where name = ?")
				.param(name)
				.query(Integer.class)
				.single();
		}

	}

	@Component
	static class Couriers implements DisposableBean {

		private final ExecutorService executor = Executors.newSingleThreadExecutor();

		ExecutorService executor() {
			return this.executor;
		}

		@DistributedLock(key = "parcel:#{#id}", waitTime = "5s")
		Mono<String> send(long id) {
			return request(id).map((answer) -> "parcel " + id + ": " + answer);
		}

		@DistributedLock(key = "parcel:#{#id}", waitTime = "5s")
		CompletableFuture<String> sendLater(long id) {
			return CompletableFuture.supplyAsync(() -> "parcel " + id + ": sent", this.executor);
		}

		private Mono<String> request(long id) {
			return Mono.just("sent");
		}

		@Override
		public void destroy() {
			this.executor.shutdown();
		}

	}

	@Component
	static class Labels {

		private Runnable work = () -> {
		};

		void setWork(Runnable work) {
			this.work = work;
		}

		@DistributedLock(key = "label-printer", permits = "${app.printers:2}", waitMs = 0)
		void print(String label) {
			this.work.run();
		}

	}

	@Component
	static class Meter {

		private int count;

		@DistributedLock(key = "meter:north", name = "meter")
		int count() {
			return ++this.count;
		}

	}

	@Component
	static class StockStore {

		private final JdbcClient jdbc;

		StockStore(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@DistributedLock(key = "stock:#{#item}", waitTime = "5s")
		void set(String item, int amount, Runnable longWork, @FencingToken long token) {
			longWork.run(); // a pause here may be longer than the session lives
			int rows = this.jdbc.sql("update stock set amount = ?, token = ? where item = ? and token <= ?")
				.params(amount, token, item, token)
				.update();
			if (rows == 0) {
				throw new OptimisticLockingFailureException("A later holder of the lock has changed " + item);
			}
		}

		int amount(String item) {
			return this.jdbc.sql("select amount from stock where item = ?").param(item).query(Integer.class).single();
		}

	}

	@Component
	static class Dispatch {

		private final LockOperations locks;

		Dispatch(LockOperations locks) {
			this.locks = locks;
		}

		List<String> ship(List<Long> orders) {
			return this.locks.execute("dispatch", (handle) -> orders.stream().map((order) -> {
				handle.assertHeld();
				return dispatch(order);
			}).toList());
		}

		private String dispatch(long order) {
			return "order " + order + " dispatched";
		}

	}

}
