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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ansi.AnsiColor;
import org.springframework.boot.ansi.AnsiOutput;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Does what the buttons say, and tells what has happened.
 */
class ConsoleActions {

	private static final Logger logger = LoggerFactory.getLogger(ConsoleActions.class);

	private final ConsoleCluster cluster;

	private final ConsoleEvents events;

	private final List<ConsoleAction> actions;

	private final Set<String> busy = ConcurrentHashMap.newKeySet();

	private final AtomicInteger runs = new AtomicInteger();

	private final ConsoleThreads threads;

	ConsoleActions(ConsoleCluster cluster, ConsoleEvents events, ConsoleThreads threads, List<ConsoleAction> actions) {
		this.cluster = cluster;
		this.events = events;
		this.threads = threads;
		this.actions = actions;
	}

	List<ConsoleAction> all() {
		return this.actions;
	}

	/**
	 * Begin an action.
	 * @param id the action
	 * @param nodeName the node, if it is for one
	 * @return the number of the run
	 */
	int begin(String id, @Nullable String nodeName) {
		ConsoleAction action = this.actions.stream()
			.filter((each) -> each.id().equals(id))
			.findFirst()
			.orElseThrow(() -> refused(HttpStatus.NOT_FOUND, "There is no action '" + id + "'"));
		if (!action.takesNode()) {
			return begin(action, null, id);
		}
		if (nodeName == null) {
			throw refused(HttpStatus.BAD_REQUEST, "Give the parameter node");
		}
		ConsoleNode node = this.cluster.find(nodeName)
			.orElseThrow(() -> refused(HttpStatus.NOT_FOUND, "There is no node '" + nodeName + "' in this process"));
		String refusal = action.refusal().apply(node);
		if (refusal != null) {
			throw refused(HttpStatus.CONFLICT, refusal);
		}
		// A cut is mended while it lasts.
		return begin(action, node, id.equals("mend") ? id + nodeName : nodeName);
	}

	private int begin(ConsoleAction action, @Nullable ConsoleNode node, String mutex) {
		if (!this.busy.add(mutex)) {
			throw refused(HttpStatus.CONFLICT, (node != null) ? "Something else is just done to " + node.name()
					: "This is just being done: wait for its outcome");
		}
		int run = this.runs.incrementAndGet();
		tell(action, node, run, Outcome.Phase.RUNNING, action.watch());
		this.threads.execute(() -> {
			try {
				String text = action.body().run(node);
				this.busy.remove(mutex);
				tell(action, node, run, Outcome.Phase.DONE, text);
			}
			catch (Exception ex) {
				this.busy.remove(mutex);
				tell(action, node, run, Outcome.Phase.FAILED, "This did not work: " + ex.getMessage());
			}
		});
		return run;
	}

	private void tell(ConsoleAction action, @Nullable ConsoleNode node, int run, Outcome.Phase phase, String text) {
		this.events.tell(new Outcome(run, action.id(), (node != null) ? node.name() : null, phase, text));
		if (phase != Outcome.Phase.RUNNING && !this.threads.isEnding()) {
			logger.info("{} {}", AnsiOutput.toString((phase == Outcome.Phase.DONE) ? AnsiColor.CYAN : AnsiColor.RED,
					action.label() + ((node != null) ? " (" + node.name() + "):" : ":")), text);
		}
	}

	private static ResponseStatusException refused(HttpStatus status, String detail) {
		return new ResponseStatusException(status, detail);
	}

}
