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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.ReleasePolicy;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application that writes rows in transactions and under locks, in every combination.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ TransactionApplication.Rows.class, TransactionApplication.Inner.class, TransactionApplication.Outer.class })
class TransactionApplication {

	static final String KEY = "orders";

	static class Rows {

		private final JdbcTemplate jdbc;

		private volatile LockHandle handle;

		Rows(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
			jdbc.execute("create table if not exists orders (id int)");
		}

		void insert() {
			this.handle = LockHandle.current();
			this.jdbc.update("insert into orders values (1)");
		}

		int count() {
			return this.jdbc.queryForObject("select count(*) from orders", Integer.class);
		}

		void clear() {
			this.jdbc.update("delete from orders");
		}

		// The lock under which the last row was written.
		LockHandle handle() {
			return this.handle;
		}

	}

	static class Inner {

		private final Rows rows;

		private final TransactionTemplate transaction;

		Inner(Rows rows, PlatformTransactionManager manager) {
			this.rows = rows;
			this.transaction = new TransactionTemplate(manager);
		}

		@DistributedLock(KEY)
		void locked(Runnable body) {
			this.rows.insert();
			body.run();
		}

		@DistributedLock(key = KEY, release = ReleasePolicy.METHOD)
		void releasing() {
			this.rows.insert();
		}

		@DistributedLock(KEY)
		@Transactional
		void lockedTransaction(Runnable body) {
			this.rows.insert();
			body.run();
		}

		@DistributedLock(KEY)
		void lockedTemplate(Runnable body) {
			this.transaction.executeWithoutResult((status) -> {
				this.rows.insert();
				body.run();
			});
		}

		@DistributedLock(KEY)
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		void lockedNewTransaction(Runnable body) {
			this.rows.insert();
			body.run();
		}

	}

	static class Outer {

		private final Inner inner;

		Outer(Inner inner) {
			this.inner = inner;
		}

		@Transactional
		void callLocked(Runnable body) {
			this.inner.locked(() -> {
			});
			body.run();
		}

		@Transactional
		void callReleasing(Runnable body) {
			this.inner.releasing();
			body.run();
		}

		@Transactional
		void swallowLoss(Runnable body) {
			try {
				this.inner.locked(body);
			}
			catch (LockLostException ex) {
				// What the commit must not overlook.
			}
		}

		@Transactional
		void callLockedNewTransaction(Runnable body) {
			this.inner.lockedNewTransaction(body);
		}

	}

}
