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

package io.github.zklock.sample.node;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Use 4: a transfer in a database transaction. The lock is taken before the transaction
 * begins and released after it has ended, so the next holder sees what was committed.
 */
@Component
class Transfers {

	private final JdbcClient jdbc;

	private final Console console;

	private final ApplicationEventPublisher events;

	Transfers(JdbcClient jdbc, Console console, ApplicationEventPublisher events) {
		this.jdbc = jdbc;
		this.console = console;
		this.events = events;
	}

	@Transactional
	@DistributedLock(key = "account:#{#transfer.from}", waitMs = 3000)
	Receipt transfer(Transfer transfer) {
		BigDecimal balance = account(transfer.from()).balance();
		account(transfer.to());
		if (balance.compareTo(transfer.amount()) < 0) {
			throw new RefusedTransferException("The balance of '" + transfer.from() + "' is " + balance);
		}
		// Always in the same order, so that two opposite transfers cannot block each
		// other.
		Stream.of(transfer.from(), transfer.to())
			.sorted()
			.forEach((name) -> book(name,
					name.equals(transfer.from()) ? transfer.amount().negate() : transfer.amount()));
		this.console.say(transfer.from() + " -> " + transfer.to() + " " + transfer.amount());
		this.events.publishEvent(new Booked(transfer));
		return new Receipt(transfer, this.console.node(), LockHandle.current().fencingToken());
	}

	List<Account> accounts() {
		return this.jdbc.sql("select name, balance from account order by name").query(Account.class).list();
	}

	private Account account(String name) {
		return this.jdbc.sql("select name, balance from account where name = ?")
			.param(name)
			.query(Account.class)
			.optional()
			.orElseThrow(() -> new RefusedTransferException("There is no account '" + name + "'"));
	}

	private void book(String name, BigDecimal amount) {
		this.jdbc.sql("update account set balance = balance + ? where name = ?").params(amount, name).update();
	}

	/**
	 * What to transfer.
	 *
	 * @param from the account that pays
	 * @param to the account that is paid
	 * @param amount how much
	 */
	record Transfer(String from, String to, BigDecimal amount) {
	}

	/**
	 * All is booked and about to be committed.
	 *
	 * @param transfer the transfer
	 */
	record Booked(Transfer transfer) {
	}

	/**
	 * A transfer that was done.
	 *
	 * @param transfer the transfer
	 * @param node the node that did it
	 * @param token the fencing token of the lock under which it was done
	 */
	record Receipt(Transfer transfer, String node, long token) {
	}

	/**
	 * An account.
	 *
	 * @param name its name
	 * @param balance its balance
	 */
	record Account(String name, BigDecimal balance) {
	}

	/**
	 * A transfer that was not done.
	 */
	@SuppressWarnings("serial")
	static class RefusedTransferException extends RuntimeException {

		RefusedTransferException(String message) {
			super(message);
		}

	}

}
