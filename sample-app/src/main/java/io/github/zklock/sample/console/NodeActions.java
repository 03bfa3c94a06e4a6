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

import io.github.zklock.sample.console.ConsoleNode.Fault;
import org.jspecify.annotations.Nullable;

/**
 * What can be done to one node, apart from a pause.
 */
class NodeActions {

	private final ConsoleCluster cluster;

	private final NodeStates nodes;

	private final ReportTicks ticks;

	private final Cuts cuts;

	NodeActions(ConsoleCluster cluster, NodeStates nodes, ReportTicks ticks) {
		this.cluster = cluster;
		this.nodes = nodes;
		this.ticks = ticks;
		this.cuts = new Cuts(nodes);
	}

	List<ConsoleAction> all() {
		return List.of(
				ConsoleAction.ofNode("stop", "Stop it",
						"It releases its locks and ends; another node runs the next tick of the report. If it serves "
								+ "this page, open the page of another one.",
						this::unlessOthersRun, this::stop),
				ConsoleAction.ofNode("start", "Start it again",
						"It comes back on the same port with a new session and takes part again.",
						(node) -> (node.context() != null || node.isStarting()) ? node.name() + " runs already" : null,
						this::start),
				ConsoleAction
					.ofNode("cut", "Cut its connection", "Its connection is refused for " + Cuts.LONGEST.toSeconds()
							+ " s, or until you mend it. It is UNCERTAIN at first, and LOST when others may have its "
							+ "locks.", NodeActions::unlessSound, this.cuts::cut),
				ConsoleAction.ofNode("mend", "Mend its connection",
						"Its client connects again, with its session, or a new one if the servers ended it.",
						(node) -> (node.fault() == Fault.CUT) ? null
								: "The connection of " + node.name() + " is not cut",
						this.cuts::mend),
				ConsoleAction.ofNode("expire", "Expire its session",
						"The server ends its session, and with it all of its locks. Its client finds out, is LOST, "
								+ "and opens a new session.",
						NodeActions::unlessSound, this::expire));
	}

	static @Nullable String unlessItRuns(ConsoleNode node) {
		return (node.context() != null) ? null : node.name() + " does not run";
	}

	static @Nullable String unlessSound(ConsoleNode node) {
		if (node.context() == null) {
			return node.name() + " does not run";
		}
		return (node.fault() == Fault.NONE) ? null
				: node.name() + " is " + ((node.fault() == Fault.CUT) ? "cut off" : "paused") + " already";
	}

	private @Nullable String unlessOthersRun(ConsoleNode node) {
		String refusal = unlessItRuns(node);
		boolean others = this.cluster.all().stream().anyMatch((other) -> other != node && other.context() != null);
		return (refusal != null || others) ? refusal : node.name()
				+ " is the last node of this process that runs, which would end with it: start another one first";
	}

	private String stop(ConsoleNode node) throws Exception {
		Patience stopping = new Patience();
		// One at a time, so that one is left of two that are stopped at once.
		synchronized (this.cluster) {
			String refusal = unlessOthersRun(node);
			if (refusal != null) {
				throw new IllegalStateException(refusal);
			}
			node.stop();
		}
		String stopped = "It has released its locks and stopped within " + Patience.text(stopping.nanos());
		if (this.cluster.sound().isEmpty()) {
			return stopped + "; no other node of this process is connected.";
		}
		Patience waiting = new Patience();
		Snapshot.Tick next = nextTick(node);
		return stopped + "; " + next.node() + " ran the next tick of the report " + Patience.text(waiting.nanos())
				+ " later.";
	}

	private Snapshot.Tick nextTick(ConsoleNode node) throws Exception {
		long since = System.currentTimeMillis();
		return Patience.await("No other node ran a tick", () -> this.ticks.firstOfOthers(since, node.name()));
	}

	private String start(ConsoleNode node) throws Exception {
		Patience starting = new Patience();
		node.start();
		Snapshot.Node now = this.nodes.awaitHeld(node);
		return "It runs again after " + Patience.text(starting.nanos()) + ", with the new session " + now.session()
				+ ".";
	}

	private String expire(ConsoleNode node) throws Exception {
		Snapshot.Node before = this.nodes.awaitHeld(node);
		Patience expiring = new Patience();
		node.expire();
		Snapshot.Node after = Patience.await("The node has no new session", () -> {
			Snapshot.Node now = this.nodes.look(node.name());
			return (now.sessionsSoFar() > before.sessionsSoFar()) ? now : null;
		});
		String found = Patience.text(expiring.nanos());
		this.nodes.awaitHeld(node);
		return "The server ended its session " + before.session()
				+ ((before.held() == 0) ? ", in which it held no lock"
						: " with the " + Patience.count(before.held(), "lock") + " that it held")
				+ "; it had the new session " + after.session() + " after " + found + ".";
	}

}
