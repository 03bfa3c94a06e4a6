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
import java.time.Duration;
import java.util.List;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockMode;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Readers of all nodes at the same time, a writer alone: no reader sees a list that is
 * half changed.
 */
@Component
class PriceCache {

	private static final Duration EFFORT = Duration.ofMillis(100);

	private final JdbcClient jdbc;

	private final Console console;

	PriceCache(JdbcClient jdbc, Console console) {
		this.jdbc = jdbc;
		this.console = console;
	}

	@DistributedLock(key = "prices", mode = LockMode.READ)
	List<Price> list() {
		List<Price> prices = items().stream().map(this::price).toList();
		Work.of(EFFORT);
		this.console.say("version " + prices.get(0).version());
		return prices;
	}

	@DistributedLock(key = "prices", mode = LockMode.WRITE)
	List<Price> change(String item, BigDecimal amount) {
		List<String> items = items();
		if (!items.contains(item)) {
			return List.of();
		}
		for (String each : items) {
			Price old = price(each);
			this.jdbc.sql("update price set amount = ?, version = ? where item = ?")
				.params(each.equals(item) ? amount : old.amount(), old.version() + 1, each)
				.update();
		}
		List<Price> prices = items.stream().map(this::price).toList();
		this.console.say("version " + prices.get(0).version() + ": " + item + " costs " + amount);
		return prices;
	}

	private List<String> items() {
		return this.jdbc.sql("select item from price order by item").query(String.class).list();
	}

	private Price price(String item) {
		return this.jdbc.sql("select item, amount, version from price where item = ?")
			.param(item)
			.query(Price.class)
			.single();
	}

	/**
	 * The price of an item.
	 *
	 * @param item the item
	 * @param amount the price
	 * @param version the version of the whole list
	 */
	record Price(String item, BigDecimal amount, long version) {
	}

}
