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

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.zklock.sample.console.Snapshot.State;
import io.github.zklock.sample.node.CommitPause;
import io.github.zklock.sample.node.Journal;

import org.springframework.context.ApplicationContext;

/**
 * A node that stands still right before its commit, while another one takes over and
 * commits. Without a fence both entries are at one place.
 */
class LateCommits {

	private final ConsoleCluster cluster;

	private final NodeStates nodes;

	private final Executor threads;

	LateCommits(ConsoleCluster cluster, NodeStates nodes, Executor threads) {
		this.cluster = cluster;
		this.nodes = nodes;
		this.threads = threads;
	}

	List<ConsoleAction> all() {
		return List.of(ConsoleAction.ofAll("lateCommit", "A commit that comes too late",
				"A node stands still before its commit, its session ends, and another one commits. Then it commits: "
						+ "once without @Fenced, once with it.",
				() -> "Without @Fenced " + tell(false) + ". With it, " + tell(true) + "."));
	}

	private String tell(boolean fenced) throws Exception {
		List<? extends ConsoleNode> sound = this.cluster.sound();
		if (sound.isEmpty()) {
			throw new IllegalStateException("no node runs");
		}
		ConsoleNode victim = sound.get(0);
		ConsoleNode heir = sound.get(sound.size() - 1);
		int sessions = Patience.await(victim.name() + " has no session", () -> {
			Snapshot.Node now = this.nodes.look(victim.name());
			return (now.state() == State.HELD) ? now : null;
		}).sessionsSoFar();
		String page = (fenced ? "fenced-" : "plain-") + Long.toString(System.currentTimeMillis(), 36);
		CountDownLatch goOn = new CountDownLatch(1);
		try {
			CompletableFuture<Boolean> ready = new CompletableFuture<>();
			CompletableFuture<Long> late = enter(victim, page, fenced, () -> {
				ready.complete(true);
				standStill(goOn);
			});
			late.whenComplete((token, failure) -> ready.complete(false));
			ready.get(Patience.SECONDS, TimeUnit.SECONDS);
			victim.expire();
			enter(heir, page, fenced, () -> {
			}).get(Patience.SECONDS, TimeUnit.SECONDS);
			Patience.await(victim.name() + " has not found out", () -> {
				Snapshot.Node now = this.nodes.look(victim.name());
				return (now.state() == State.HELD && now.sessionsSoFar() > sessions) ? true : null;
			});
			goOn.countDown();
			awaitEnd(late);
			int entries = Objects.requireNonNull(heir.context()).getBean(Journal.class).places(page).size();
			return outcome(victim, entries);
		}
		finally {
			goOn.countDown();
		}
	}

	private static String outcome(ConsoleNode victim, int entries) {
		return victim.name() + ((entries > 1) ? " committed late" : " was rolled back") + ": place 1 has "
				+ ((entries == 1) ? "1 entry" : entries + " entries");
	}

	private CompletableFuture<Long> enter(ConsoleNode node, String page, boolean fenced, Runnable beforeCommit) {
		ApplicationContext context = node.context();
		if (context == null) {
			throw new IllegalStateException(node.name() + " does not run");
		}
		Journal journal = context.getBean(Journal.class);
		CommitPause pause = context.getBean(CommitPause.class);
		return CompletableFuture.supplyAsync(
				() -> pause.call(beforeCommit, () -> fenced ? journal.enter(page) : journal.enterUnfenced(page)),
				this.threads);
	}

	private static void awaitEnd(CompletableFuture<Long> late) throws Exception {
		try {
			late.get(Patience.SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			// It ends with an exception in both cases, since its lock is lost.
		}
	}

	private static void standStill(CountDownLatch goOn) {
		try {
			goOn.await(2 * Patience.SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
