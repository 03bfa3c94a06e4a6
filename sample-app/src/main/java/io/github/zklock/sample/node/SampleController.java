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
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The endpoints of a node. Checks what came in; everything else is done under a lock.
 */
@RestController
class SampleController {

	private final PriceCache prices;

	private final OrderDesk orders;

	private final SharedCounter counter;

	private final IdGenerator ids;

	private final Transfers transfers;

	private final SeatPool seats;

	SampleController(PriceCache prices, OrderDesk orders, SharedCounter counter, IdGenerator ids, Transfers transfers,
			SeatPool seats) {
		this.prices = prices;
		this.orders = orders;
		this.counter = counter;
		this.ids = ids;
		this.transfers = transfers;
		this.seats = seats;
	}

	@GetMapping("/prices")
	List<PriceCache.Price> prices() {
		return this.prices.list();
	}

	@PutMapping("/prices/{item}")
	List<PriceCache.Price> changePrice(@PathVariable String item, @RequestParam BigDecimal amount) {
		List<PriceCache.Price> changed = this.prices.change(Checked.name("item", item),
				Checked.money("amount", amount));
		if (changed.isEmpty()) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no item '" + item + "'");
		}
		return changed;
	}

	@PostMapping("/orders/{id}")
	OrderDesk.Shipment ship(@PathVariable String id) {
		return this.orders.ship(new OrderDesk.Order(Checked.name("id", id)));
	}

	@GetMapping("/orders/{id}")
	OrderDesk.Shipment order(@PathVariable String id) {
		return this.orders.find(new OrderDesk.Order(Checked.name("id", id)))
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND,
					"The order '" + id + "' was not shipped yet"));
	}

	@PostMapping("/counter")
	Map<String, Long> increment() {
		return Map.of("value", this.counter.increment());
	}

	@GetMapping("/counter")
	Map<String, Long> counter() {
		return Map.of("value", this.counter.value());
	}

	@PostMapping("/ids")
	List<String> ids(@RequestParam(defaultValue = "1") int count) {
		return this.ids.next(Checked.between("count", count, 1, 100));
	}

	@PostMapping("/transfers")
	Transfers.Receipt transfer(@RequestBody TransferOrder order) {
		String from = Checked.name("from", order.from());
		String to = Checked.name("to", order.to());
		if (from.equals(to)) {
			throw Checked.refused("from and to must be different accounts");
		}
		return this.transfers.transfer(new Transfers.Transfer(from, to, Checked.money("amount", order.amount())));
	}

	@GetMapping("/accounts")
	List<Transfers.Account> accounts() {
		return this.transfers.accounts();
	}

	@PostMapping("/seats")
	SeatPool.Seat seat(@RequestParam(defaultValue = "0") int holdMs) {
		Duration hold = Duration.ofMillis(Checked.between("holdMs", holdMs, 0, 30_000));
		return this.seats.use(hold)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT,
					"All " + SeatPool.SEATS + " seats are taken; try again later"));
	}

	/**
	 * The body of a transfer request, not checked yet.
	 *
	 * @param from the account that pays
	 * @param to the account that is paid
	 * @param amount how much
	 */
	record TransferOrder(@Nullable String from, @Nullable String to, @Nullable BigDecimal amount) {
	}

}
