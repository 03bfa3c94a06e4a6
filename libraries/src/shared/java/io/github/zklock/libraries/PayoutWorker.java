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

package io.github.zklock.libraries;

import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.NotAcquiredPolicy;

import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Claims rows with its fencing token.
 */
class PayoutWorker {

	private final JdbcClient jdbc;

	private final Bank bank;

	PayoutWorker(JdbcClient jdbc, Bank bank) {
		this.jdbc = jdbc;
		this.bank = bank;
	}

	@DistributedLock(key = "payouts:#{#shard}", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
	void work(int shard, @FencingToken long token) {
		this.jdbc.sql("update payout set worker = ? where shard = ? and state = 'OPEN' and worker < ?")
			.params(token, shard, token)
			.update();
		for (long id : claimed(shard, token)) {
			this.bank.pay(id); // may be called again for this id
			int rows = this.jdbc.sql("update payout set state = 'DONE' where id = ? and worker = ?")
				.params(id, token)
				.update();
			if (rows == 0) {
				throw new OptimisticLockingFailureException("A later worker has claimed payout " + id);
			}
		}
	}

	private List<Long> claimed(int shard, long token) {
		return this.jdbc.sql("select id from payout where shard = ? and state = 'OPEN' and worker = ? order by id")
			.params(shard, token)
			.query(Long.class)
			.list();
	}

	@FunctionalInterface
	interface Bank {

		void pay(long id);

	}

}
