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

package io.github.zklock.sample.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.sample.node.LostTransfer;
import io.github.zklock.sample.node.NodeWork;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What all nodes do together.
 */
class Scenes {

	private static final int ORDERS = 50;

	private static final int READERS_OF_A_NODE = 4;

	private static final int ROUNDS = 2;

	private final ConsoleCluster cluster;

	private final Together together;

	private final Executor threads;

	Scenes(ConsoleCluster cluster, Together together, Executor threads) {
		this.cluster = cluster;
		this.together = together;
		this.threads = threads;
	}

	List<ConsoleAction> all() {
		return List.of(
				ConsoleAction.ofAll("orders", "50 orders with one number",
						"All nodes are sent one order, " + ORDERS
								+ " times at once: it is shipped once, and the other calls find it shipped.",
						this::orders),
				ConsoleAction.ofAll("readers", "Readers and writers",
						"All nodes read and change the list of prices at once, under the lock 'prices': readers hold it "
								+ "together, a writer alone.",
						this::readers),
				ConsoleAction.ofAll("lostTransfer", "A transfer that loses its lock",
						"When all is booked, the session of its node is ended on the server. The transfer does not "
								+ "commit.",
						this::lostTransfer));
	}

	private String orders() throws Exception {
		List<ApplicationContext> nodes = nodes();
		String order = "C-" + Long.toString(System.currentTimeMillis(), 36);
		AtomicInteger again = new AtomicInteger();
		Patience shipping = new Patience();
		List<CompletableFuture<Long>> calls = new ArrayList<>();
		for (int i = 0; i < ORDERS; i++) {
			NodeWork node = nodes.get(i % nodes.size()).getBean(NodeWork.class);
			calls.add(together(() -> patiently(() -> node.ship(order), again)));
		}
		List<Long> tokens = all(calls);
		String took = Patience.text(shipping.nanos());
		List<Shipped> shipped = nodes.get(0)
			.getBean(JdbcClient.class)
			.sql("select node, token from shipment where order_id = ?")
			.param(order)
			.query(Shipped.class)
			.list();
		return "Of " + ORDERS + " calls for " + order + " at " + nodes.size() + " nodes, " + shipped.size()
				+ " shipped it, on " + shipped.get(0).node() + ", and " + (tokens.size() - shipped.size())
				+ " found it shipped, within " + took + ((again.get() > 0) ? "; " + again + " asked again." : ".");
	}

	private String readers() throws Exception {
		List<ApplicationContext> nodes = nodes();
		this.together.watch("prices");
		AtomicInteger again = new AtomicInteger();
		Patience reading = new Patience();
		List<CompletableFuture<List<Long>>> reads = new ArrayList<>();
		List<CompletableFuture<List<Long>>> writes = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			for (ApplicationContext context : nodes) {
				NodeWork node = context.getBean(NodeWork.class);
				BigDecimal price = BigDecimal.valueOf(80 + System.currentTimeMillis() % 40, 2);
				for (int reader = 0; reader < READERS_OF_A_NODE; reader++) {
					reads.add(together(() -> patiently(node::readPrices, again)));
				}
				writes.add(together(() -> patiently(() -> node.changePrice(price), again)));
			}
			all(reads);
			all(writes);
		}
		long torn = all(reads).stream().filter((versions) -> versions.size() != 1).count();
		return "Of " + reads.size() + " reads and " + writes.size() + " writes within " + Patience.text(reading.nanos())
				+ ", up to " + this.together.mostReaders()
				+ " readers held it together, a writer beside another caller " + this.together.clashes() + " times; "
				+ torn + " reads saw half a change.";
	}

	private String lostTransfer() throws Exception {
		ConsoleNode node = this.cluster.sound().stream().findFirst().orElseThrow(Scenes::nobody);
		ApplicationContext context = Objects.requireNonNull(node.context());
		Patience transferring = new Patience();
		LostTransfer.Result result = patiently(context.getBean(LostTransfer.class)::run, new AtomicInteger());
		String took = Patience.text(transferring.nanos());
		if (result.refusal() == null) {
			throw new IllegalStateException("the transfer was committed");
		}
		return "The transfer by " + node.name() + " lost its lock before its commit and was rolled back after " + took
				+ "; the balance was " + result.before() + " and is " + result.after() + ".";
	}

	private List<ApplicationContext> nodes() {
		List<ApplicationContext> nodes = new ArrayList<>();
		for (ConsoleNode node : this.cluster.sound()) {
			ApplicationContext context = node.context();
			if (context != null) {
				nodes.add(context);
			}
		}
		if (nodes.isEmpty()) {
			throw nobody();
		}
		return nodes;
	}

	private <T> CompletableFuture<T> together(Supplier<T> call) {
		return CompletableFuture.supplyAsync(call, this.threads);
	}

	private static <T> List<T> all(List<CompletableFuture<T>> calls) throws Exception {
		CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(2 * Patience.SECONDS, TimeUnit.SECONDS);
		return calls.stream().map(CompletableFuture::join).toList();
	}

	// As a client does that is answered 409 or 503.
	private static <T> T patiently(Supplier<T> call, AtomicInteger again) {
		Patience patience = new Patience();
		while (true) {
			try {
				return call.get();
			}
			catch (LockNotAcquiredException | LockUnavailableException ex) {
				if (patience.isOver(Duration.ofSeconds(Patience.SECONDS))) {
					throw ex;
				}
				again.incrementAndGet();
			}
		}
	}

	private static IllegalStateException nobody() {
		return new IllegalStateException("no node runs");
	}

	/**
	 * Who has shipped.
	 *
	 * @param node the node
	 * @param token the fencing token
	 */
	record Shipped(String node, long token) {

	}

}
