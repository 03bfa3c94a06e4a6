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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import io.github.zklock.sample.console.ConsoleNode.Fault;
import io.github.zklock.sample.console.Snapshot.State;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the connection of a node, and mends it.
 */
class Cuts {

	// Long enough for a person to mend it before.
	static final Duration LONGEST = Duration.ofSeconds(15);

	private static final long LOOK_AGAIN = 25;

	private final NodeStates nodes;

	private final Map<String, FutureTask<String>> cuts = new ConcurrentHashMap<>();

	Cuts(NodeStates nodes) {
		this.nodes = nodes;
	}

	String cut(ConsoleNode node) throws Exception {
		FutureTask<String> cut = new FutureTask<>(() -> cutAndMend(node));
		this.cuts.put(node.name(), cut);
		try {
			cut.run();
			return outcome(cut);
		}
		finally {
			this.cuts.remove(node.name());
		}
	}

	/**
	 * Mend the connection. The outcome takes the place of the outcome of the cut beside
	 * the buttons, so it has all that the cut has done.
	 * @param node the node
	 * @return what has happened
	 * @throws Exception if the node does not come back
	 */
	String mend(ConsoleNode node) throws Exception {
		FutureTask<String> cut = this.cuts.get(node.name());
		Patience mending = new Patience();
		node.become(Fault.NONE);
		if (cut != null) {
			return outcome(cut);
		}
		Snapshot.Node now = this.nodes.awaitHeld(node);
		return Patience.text(mending.nanos()) + " after the mending it was HELD, with the session " + now.session()
				+ ".";
	}

	private static String outcome(FutureTask<String> cut) throws Exception {
		try {
			return cut.get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof Exception cause) ? cause : ex;
		}
	}

	private String cutAndMend(ConsoleNode node) throws Exception {
		Snapshot.Node before = this.nodes.awaitHeld(node);
		Watch watch = new Watch(node.name());
		node.become(Fault.CUT);
		try {
			while (!watch.since.isOver(LONGEST) && node.fault() == Fault.CUT) {
				watch.look();
				Thread.sleep(LOOK_AGAIN);
			}
		}
		finally {
			node.become(Fault.NONE);
		}
		String cut = Patience.text(watch.since.nanos());
		Patience mending = new Patience();
		// It may find out only now that its session has ended.
		Snapshot.Node after = this.nodes.awaitHeld(node, watch::look);
		return "It was cut off for " + cut + watch.text() + "; " + Patience.text(mending.nanos())
				+ " after the mending it was HELD again, with "
				+ (String.valueOf(before.session()).equals(after.session())
						? "its session " + after.session()
								+ (watch.hasGivenUp() ? ", without the locks and roles it gave up"
										: " and all of its locks")
						: "the new session " + after.session() + ", without its locks")
				+ ".";
	}

	/**
	 * What becomes of a node from now on.
	 */
	private final class Watch {

		private final String node;

		private final int givenUp;

		private final Patience since = new Patience();

		private @Nullable String uncertain;

		private @Nullable String lost;

		private Watch(String node) {
			this.node = node;
			this.givenUp = Cuts.this.nodes.givenUp(node);
		}

		private void look() {
			look(Cuts.this.nodes.look(this.node));
		}

		private void look(Snapshot.Node now) {
			if (this.uncertain == null && now.state() == State.UNCERTAIN) {
				this.uncertain = Patience.text(this.since.nanos());
			}
			if (this.lost == null && now.state() == State.LOST) {
				this.lost = Patience.text(this.since.nanos());
			}
		}

		private boolean hasGivenUp() {
			return this.lost != null || Cuts.this.nodes.givenUp(this.node) > this.givenUp;
		}

		private String text() {
			if (this.uncertain == null && this.lost == null) {
				return ", which it did not notice";
			}
			return ": " + ((this.uncertain != null) ? "UNCERTAIN after " + this.uncertain + ", " : "")
					+ ((this.lost != null) ? "LOST after " + this.lost : "never LOST");
		}

	}

}
