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
import java.util.Optional;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * One lock per order: different orders are shipped side by side, the same order once.
 */
@Component
class OrderDesk {

	private static final Duration EFFORT = Duration.ofMillis(200);

	private final JdbcClient jdbc;

	private final Console console;

	OrderDesk(JdbcClient jdbc, Console console) {
		this.jdbc = jdbc;
		this.console = console;
	}

	@DistributedLock(key = "order:#{#order.id}", waitMs = 3000)
	Shipment ship(Order order) {
		Optional<Shipment> earlier = find(order);
		if (earlier.isPresent()) {
			this.console.say("already shipped by " + earlier.get().node());
			return earlier.get();
		}
		Work.of(EFFORT);
		Shipment shipment = new Shipment(order.id(), this.console.node(), LockHandle.current().fencingToken());
		this.jdbc.sql("insert into shipment (order_id, node, token) values (?, ?, ?)")
			.params(shipment.orderId(), shipment.node(), shipment.token())
			.update();
		this.console.say("shipped");
		return shipment;
	}

	Optional<Shipment> find(Order order) {
		return this.jdbc.sql("select order_id, node, token from shipment where order_id = ?")
			.param(order.id())
			.query(Shipment.class)
			.optional();
	}

	/**
	 * An order.
	 *
	 * @param id its number
	 */
	record Order(String id) {
	}

	/**
	 * Who shipped an order.
	 *
	 * @param orderId the number of the order
	 * @param node the node
	 * @param token the fencing token of the lock under which it was shipped
	 */
	record Shipment(String orderId, String node, long token) {
	}

}
