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

import org.springframework.stereotype.Component;

/**
 * What the console lets many callers do at once, without a line for each.
 *
 * @since 0.1.0
 */
@Component
public class NodeWork {

	private final OrderDesk orders;

	private final PriceCache prices;

	private final Console console;

	NodeWork(OrderDesk orders, PriceCache prices, Console console) {
		this.orders = orders;
		this.prices = prices;
		this.console = console;
	}

	/**
	 * Ship an order unless it is shipped.
	 * @param id its number
	 * @return the fencing token under which it was shipped
	 */
	public long ship(String id) {
		return this.console.quietly(() -> this.orders.ship(new OrderDesk.Order(id)).token());
	}

	/**
	 * Read all prices.
	 * @return their versions, which are the same
	 */
	public List<Long> readPrices() {
		return this.console.quietly(() -> versions(this.prices.list()));
	}

	/**
	 * Change the price of the plums.
	 * @param amount the new price
	 * @return the versions of all prices
	 */
	public List<Long> changePrice(BigDecimal amount) {
		return this.console.quietly(() -> versions(this.prices.change("plum", amount)));
	}

	private static List<Long> versions(List<PriceCache.Price> prices) {
		return prices.stream().map(PriceCache.Price::version).distinct().toList();
	}

}
