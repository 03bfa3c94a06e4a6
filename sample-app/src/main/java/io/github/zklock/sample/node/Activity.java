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

import io.github.zklock.annotation.DistributedLock;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The customers of this node: they come at the same time on every node.
 */
@Component
@ConditionalOnBooleanProperty("sample.activity")
class Activity {

	private static final Duration PERIOD = Duration.ofSeconds(5);

	private final Ticks ticks;

	private final PriceCache prices;

	private final OrderDesk orders;

	Activity(Ticks ticks, PriceCache prices, OrderDesk orders) {
		this.ticks = ticks;
		this.prices = prices;
		this.orders = orders;
	}

	@Scheduled(cron = "*/5 * * * * *")
	@DistributedLock(key = "price-change")
	void changePrices() {
		this.prices.change("apple", BigDecimal.valueOf(100 + this.ticks.current(PERIOD) % 50, 2));
	}

	@Scheduled(cron = "1/5 * * * * *")
	void readPrices() {
		this.prices.list();
	}

	@Scheduled(cron = "2/5 * * * * *")
	void shipOrders() {
		this.orders.ship(new OrderDesk.Order("A-" + this.ticks.current(PERIOD) % 10000));
	}

}
