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

import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LossPolicy;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Beans with fenced methods.
 */
final class FencedMethodBeans {

	private FencedMethodBeans() {
	}

	static class Orders {

		private final JdbcTemplate jdbc;

		Orders(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Fenced
		@DistributedLock("orders")
		@Transactional
		void add(Runnable meanwhile) {
			this.jdbc.update("insert into orders (id) values (default)");
			meanwhile.run();
		}

		@Fenced
		@DistributedLock("orders")
		@Transactional(readOnly = true)
		void addReadOnly(Runnable meanwhile) {
			this.jdbc.update("insert into orders (id) values (default)");
			meanwhile.run();
		}

		@Fenced
		@DistributedLock(key = "orders", lockAtLeastFor = "1h")
		@Transactional
		void addAndKeep() {
			this.jdbc.update("insert into orders (id) values (default)");
		}

		@DistributedLock("orders")
		@Transactional
		void addUnfenced(Runnable meanwhile) {
			this.jdbc.update("insert into orders (id) values (default)");
			meanwhile.run();
		}

		@Fenced
		@DistributedLock("orders")
		@Transactional(readOnly = true)
		long count() {
			return this.jdbc.queryForObject("select count(*) from orders", Long.class);
		}

		@Fenced
		@DistributedLock(key = "orders", waitMs = 0)
		@Transactional(readOnly = true)
		long countNow() {
			return count();
		}

		@Fenced
		@DistributedLock("orders")
		long countWithoutTransaction() {
			return this.jdbc.queryForObject("select count(*) from orders", Long.class);
		}

		@Fenced
		@DistributedLock(key = "orders", condition = "#needed")
		@Transactional
		void addIf(boolean needed) {
			this.jdbc.update("insert into orders (id) values (default)");
		}

		@Fenced
		@DistributedLock(key = "orders", name = "turned-off")
		@Transactional
		void addTurnedOff() {
			this.jdbc.update("insert into orders (id) values (default)");
		}

		@Fenced
		@DistributedLock(key = "#keys")
		@Transactional
		void addUnder(String... keys) {
			this.jdbc.update("insert into orders (id) values (default)");
		}

		@Fenced
		@DistributedLock(key = "orders", mode = LockMode.READ)
		@Transactional
		void addAsReader() {
			this.jdbc.update("insert into orders (id) values (default)");
		}

		@Fenced
		@DistributedLock("orders")
		void addWithoutTransaction(Runnable before) {
			before.run();
			this.jdbc.update("insert into orders (id) values (default)");
		}

		@DistributedLock("#key")
		void afterACommit(String key, Runnable first, Runnable then) {
			first.run();
			then.run();
		}

		@DistributedLock("around")
		@Transactional
		<T> T inTransaction(Supplier<T> body) {
			return body.get();
		}

	}

	@Fenced
	static class FencedClass {

		private final JdbcTemplate jdbc;

		FencedClass(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@DistributedLock("class")
		@Transactional
		void add() {
			this.jdbc.update("insert into orders (id) values (default)");
		}

		String withoutLock() {
			return "ran";
		}

	}

	static class OtherDatabase {

		private final JdbcTemplate jdbc;

		OtherDatabase(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Fenced(dataSource = "other")
		@DistributedLock("orders")
		@Transactional("otherManager")
		void add() {
			this.jdbc.update("insert into orders (id) values (default)");
		}

	}

	static class WithoutLock {

		@Fenced
		void run() {
		}

	}

	static class WithPermits {

		@Fenced
		@DistributedLock(key = "a", permits = "2")
		void run() {
		}

	}

	static class WithIgnoredLoss {

		@Fenced
		@DistributedLock(key = "a", onLost = LossPolicy.IGNORE)
		void run() {
		}

	}

	static class WithPublisher {

		@Fenced
		@DistributedLock("a")
		Mono<String> run() {
			return Mono.just("ran");
		}

	}

}
