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

import java.time.Duration;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A long job that survives its node. It saves every step, so that the next holder of the
 * lock goes on where this one stopped. It saves the step under its fencing token, so that
 * a node that has lost the lock unnoticed cannot write any more.
 */
@Component
class StockTake {

	static final int STEPS = 8;

	private static final Duration PERIOD = Duration.ofSeconds(20);

	private static final Duration STEP = Duration.ofMillis(600);

	private final JdbcClient jdbc;

	private final Ticks ticks;

	private final Console console;

	private final NodePause pause;

	private final ApplicationEventPublisher events;

	StockTake(JdbcClient jdbc, Ticks ticks, Console console, NodePause pause, ApplicationEventPublisher events) {
		this.jdbc = jdbc;
		this.ticks = ticks;
		this.console = console;
		this.pause = pause;
		this.events = events;
	}

	@Scheduled(fixedDelayString = "500ms", initialDelayString = "${sample.stock-take-delay}")
	@DistributedLock(key = "stock-take")
	void run() {
		LockHandle lock = LockHandle.current();
		long slot = unfinished(this.ticks.current(PERIOD));
		int step = begin(slot, lock.fencingToken());
		if (step > 0 && step < STEPS) {
			this.console.say("takes over after step " + step);
		}
		while (step < STEPS) {
			Work.of(STEP);
			lock.assertHeld();
			step++;
			// Between the check and the write the lock may be lost. Only the token
			// helps.
			this.pause.pass();
			this.events.publishEvent(new StepDue(slot, step, lock.fencingToken()));
			if (!save(slot, step, lock.fencingToken())) {
				this.events.publishEvent(new WriteRefused(this.console.node(), lock.key(), lock.fencingToken()));
				this.console.say("step " + step + " refused: the token is old");
				return;
			}
			this.console.say("step " + step + " of " + STEPS);
		}
	}

	private long unfinished(long slot) {
		return this.jdbc.sql("select slot from stock_take where slot between ? and ? and step < ? order by slot")
			.params(slot - 1, slot, STEPS)
			.query(Long.class)
			.list()
			.stream()
			.findFirst()
			.orElse(slot);
	}

	private int begin(long slot, long token) {
		this.jdbc.sql("""
				insert into stock_take (slot, step, node, token) select ?, 0, '', 0
				where not exists (select 1 from stock_take where slot = ?)""").params(slot, slot).update();
		this.jdbc.sql("update stock_take set node = ?, token = ? where slot = ? and token < ? and step < ?")
			.params(this.console.node(), token, slot, token, STEPS)
			.update();
		return this.jdbc.sql("select step from stock_take where slot = ? and token = ?")
			.params(slot, token)
			.query(Integer.class)
			.optional()
			.orElse(STEPS);
	}

	/**
	 * Return whether a later holder of the lock has begun to work.
	 * @param due what an earlier holder is about to save
	 * @return whether that will be refused
	 */
	boolean isTakenOver(StepDue due) {
		return this.jdbc.sql("select token from stock_take where slot = ?")
			.param(due.slot())
			.query(Long.class)
			.single() > due.token();
	}

	private boolean save(long slot, int step, long token) {
		return this.jdbc.sql("update stock_take set step = ? where slot = ? and token = ?")
			.params(step, slot, token)
			.update() == 1;
	}

	/**
	 * A step is about to be saved.
	 *
	 * @param slot the stock-take
	 * @param step the step
	 * @param token the fencing token under which it will be saved
	 */
	record StepDue(long slot, int step, long token) {
	}

}
