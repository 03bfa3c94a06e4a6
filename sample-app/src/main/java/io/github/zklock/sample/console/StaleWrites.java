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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.sample.console.ConsoleNode.Fault;
import io.github.zklock.sample.console.Snapshot.State;
import io.github.zklock.sample.node.Ledger;

import org.springframework.context.ApplicationContext;

/**
 * A writer that stands still between its check and its write, while another one takes
 * over. No lock can prevent its late write; the store does, by the fencing token.
 */
class StaleWrites {

	private static final Duration PAST_THE_TIMEOUT = Duration.ofSeconds(2);

	private final ConsoleCluster cluster;

	private final NodeStates nodes;

	private final Duration sessionTimeout;

	private final Executor threads;

	StaleWrites(ConsoleCluster cluster, NodeStates nodes, Duration sessionTimeout, Executor threads) {
		this.cluster = cluster;
		this.nodes = nodes;
		this.sessionTimeout = sessionTimeout;
		this.threads = threads;
	}

	List<ConsoleAction> all() {
		return List.of(
				ConsoleAction.ofNode("pause", "Pause it",
						"It stands still, as in a long garbage collection. It is LOST, another node takes over, and "
								+ "its late write is refused.",
						NodeActions::unlessSound, this::pause),
				ConsoleAction.ofAll("staleWrite", "A write that comes too late",
						"A writer stands still right before its write, and its session ends. Another one takes over; "
								+ "then the store refuses the late write.",
						this::staleWrite));
	}

	private String staleWrite() throws Exception {
		List<? extends ConsoleNode> sound = this.cluster.sound();
		if (sound.isEmpty()) {
			throw new IllegalStateException("no node runs");
		}
		ConsoleNode victim = sound.get(0);
		int sessions = this.nodes.look(victim.name()).sessionsSoFar();
		try (Story story = new Story(victim)) {
			victim.expire();
			story.awaitHeir();
			// By now its lock is known to be lost, and the writer does not look again.
			Patience.await(victim.name() + " has not found out", () -> {
				Snapshot.Node now = this.nodes.look(victim.name());
				return (now.state() == State.LOST || now.sessionsSoFar() > sessions) ? true : null;
			});
			return story.lateWrite();
		}
	}

	private String pause(ConsoleNode node) throws Exception {
		Snapshot.Node before = Patience.await(node.name() + " has no session", () -> {
			Snapshot.Node now = this.nodes.look(node.name());
			return (now.state() == State.HELD) ? now : null;
		});
		try (Story story = new Story(node)) {
			Patience pausing = new Patience();
			node.become(Fault.PAUSED);
			Patience.await(node.name() + " is not LOST",
					() -> (this.nodes.look(node.name()).state() == State.LOST) ? true : null);
			String lost = Patience.text(pausing.nanos());
			if (!story.isAlone()) {
				story.awaitHeir();
			}
			while (!pausing.isOver(this.sessionTimeout.plus(PAST_THE_TIMEOUT))) {
				Thread.sleep(25);
			}
			node.become(Fault.NONE);
			String paused = Patience.text(pausing.nanos());
			story.awaitHeir();
			String late = story.lateWrite();
			Patience.await(node.name() + " has no session", () -> {
				Snapshot.Node now = this.nodes.look(node.name());
				return (now.state() == State.HELD && now.sessionsSoFar() > before.sessionsSoFar()) ? now : null;
			});
			return "It was LOST after " + lost + " of " + paused + ". " + late;
		}
		finally {
			node.become(Fault.NONE);
		}
	}

	/**
	 * One entry, which two nodes write.
	 */
	private final class Story implements AutoCloseable {

		private final String entry = "entry-" + Long.toString(System.currentTimeMillis(), 36);

		private final ConsoleNode victim;

		private final ConsoleNode heir;

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final CompletableFuture<Ledger.Write> late;

		private final CompletableFuture<Ledger.Write> next;

		private final Patience since;

		private volatile long takenOverAfter;

		Story(ConsoleNode victim) throws Exception {
			this.victim = victim;
			this.heir = StaleWrites.this.cluster.sound()
				.stream()
				.filter((node) -> !node.name().equals(victim.name()))
				.<ConsoleNode>map((node) -> node)
				.findFirst()
				.orElse(victim);
			CompletableFuture<Boolean> holds = new CompletableFuture<>();
			this.late = write(victim, (lock) -> {
				holds.complete(true);
				standStill();
			});
			this.late.whenComplete((write, failure) -> {
				if (failure != null) {
					holds.completeExceptionally(failure);
				}
			});
			holds.get(Patience.SECONDS, TimeUnit.SECONDS);
			this.since = new Patience();
			this.next = write(this.heir, (lock) -> this.takenOverAfter = this.since.nanos());
		}

		boolean isAlone() {
			return this.heir == this.victim;
		}

		void awaitHeir() throws Exception {
			this.next.get(Patience.SECONDS, TimeUnit.SECONDS);
		}

		String lateWrite() throws Exception {
			this.goOn.countDown();
			Ledger.Write next = this.next.get(Patience.SECONDS, TimeUnit.SECONDS);
			Ledger.Write late = this.late.get(Patience.SECONDS, TimeUnit.SECONDS);
			return next.node() + " took over after " + Patience.text(this.takenOverAfter) + " with token "
					+ next.token() + "; the late write of " + late.node() + " with " + late.token() + " was "
					+ (late.accepted() ? "accepted." : "refused.");
		}

		private CompletableFuture<Ledger.Write> write(ConsoleNode node, Consumer<LockHandle> beforeWriting) {
			ApplicationContext context = node.context();
			if (context == null) {
				throw new IllegalStateException(node.name() + " does not run");
			}
			Ledger ledger = context.getBean(Ledger.class);
			return CompletableFuture.supplyAsync(() -> ledger.write(this.entry, beforeWriting),
					StaleWrites.this.threads);
		}

		private void standStill() {
			try {
				this.goOn.await(2 * Patience.SECONDS, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public void close() {
			this.goOn.countDown();
		}

	}

}
