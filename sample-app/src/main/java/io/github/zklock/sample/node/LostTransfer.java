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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import org.jspecify.annotations.Nullable;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * A transfer whose lock is lost when all is booked, right before the commit.
 *
 * @since 0.1.0
 */
@Component
public class LostTransfer {

	private static final String PAYER = "carol";

	private static final BigDecimal AMOUNT = new BigDecimal("25.00");

	private static final int PATIENCE_SECONDS = 60;

	private final Transfers transfers;

	private final NodeSession session;

	private final ThreadLocal<Boolean> doomed = ThreadLocal.withInitial(() -> false);

	private volatile long token;

	LostTransfer(Transfers transfers, NodeSession session) {
		this.transfers = transfers;
		this.session = session;
	}

	/**
	 * Transfer, and lose the lock before the commit.
	 * @return what became of it
	 */
	public Result run() {
		BigDecimal before = balance();
		this.doomed.set(true);
		String refusal = null;
		try {
			this.transfers.transfer(new Transfers.Transfer(PAYER, "bob", AMOUNT));
		}
		catch (LockLostException ex) {
			refusal = ex.getMessage();
		}
		finally {
			this.doomed.remove();
		}
		return new Result(PAYER, AMOUNT, this.token, before, balance(), refusal);
	}

	@EventListener
	void onBooked(Transfers.Booked booked) throws Exception {
		if (this.doomed.get()) {
			LockHandle lock = LockHandle.current();
			this.token = lock.fencingToken();
			CountDownLatch lost = new CountDownLatch(1);
			lock.onLost((handle) -> lost.countDown());
			this.session.end(null);
			if (!lost.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new CancellationException("The loss was not reported");
			}
		}
	}

	private BigDecimal balance() {
		return this.transfers.accounts()
			.stream()
			.filter((account) -> account.name().equals(PAYER))
			.map(Transfers.Account::balance)
			.findFirst()
			.orElseThrow();
	}

	/**
	 * What became of the transfer.
	 *
	 * @param payer the account that was to pay
	 * @param amount how much
	 * @param token the fencing token of the lock
	 * @param before the balance before
	 * @param after the balance afterwards
	 * @param refusal why the commit was refused, {@code null} if it was not
	 */
	public record Result(String payer, BigDecimal amount, long token, BigDecimal before, BigDecimal after,
			@Nullable String refusal) {

	}

}
