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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.zklock.sample.node.AccidentBegins;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Tells all pages that are connected, whichever node serves them, what is new.
 */
class ConsoleEvents implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ConsoleEvents.class);

	private static final int MOST_PAGES = 20;

	private static final int MOST_OUTCOMES = 20;

	private static final long LOOK_MILLIS = 100;

	private static final long ASK_MILLIS = 500;

	private static final long BETWEEN_STATES = TimeUnit.MILLISECONDS.toNanos(200);

	private static final long LONGEST_SILENCE = TimeUnit.MILLISECONDS.toNanos(900);

	private final ObjectMapper json = new ObjectMapper();

	private final NodeStates nodes;

	private final ClusterView view;

	private final LockHistory history;

	private final List<ConsolePage> pages = new CopyOnWriteArrayList<>();

	// In the order in which they began, as a page that is open shows them.
	private final SortedMap<Integer, Outcome> outcomes = new TreeMap<>();

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, (task) -> {
		Thread thread = new Thread(task, "console");
		thread.setDaemon(true);
		return thread;
	});

	private @Nullable Snapshot told;

	private long toldAt;

	ConsoleEvents(NodeStates nodes, ClusterView view, LockHistory history) {
		this.nodes = nodes;
		this.view = view;
		this.history = history;
		this.timer.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
		this.timer.scheduleWithFixedDelay(this::ask, ASK_MILLIS, ASK_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * Connect a page.
	 * @param node the node that serves it
	 * @return the stream of its events
	 */
	synchronized SseEmitter connect(String node) {
		if (this.pages.size() >= MOST_PAGES) {
			throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
					MOST_PAGES + " pages are connected: close one");
		}
		ConsolePage page = new ConsolePage(node, this.pages::remove);
		this.pages.add(page);
		page.state(write(snapshot()));
		this.outcomes.values().forEach((outcome) -> page.outcome(write(outcome)));
		page.start();
		return page.emitter();
	}

	/**
	 * Disconnect the pages that a node serves.
	 * @param node the node, which is about to stop
	 */
	void disconnect(String node) {
		this.pages.stream().filter((page) -> page.node().equals(node)).forEach(ConsolePage::end);
	}

	@EventListener
	void accident(AccidentBegins accident) {
		tell(new Outcome(0, "accident", accident.node(), Outcome.Phase.DONE,
				"It hangs in the stock-take, between a check of its lock and a write, and its session ends. Another "
						+ "node takes over; the late write is refused."));
	}

	synchronized void tell(Outcome outcome) {
		this.outcomes.put(outcome.run(), outcome);
		if (this.outcomes.size() > MOST_OUTCOMES) {
			this.outcomes.remove(this.outcomes.firstKey());
		}
		String text = write(outcome);
		this.pages.forEach((page) -> page.outcome(text));
	}

	@Override
	public void destroy() {
		this.timer.shutdownNow();
		this.pages.forEach(ConsolePage::end);
	}

	private void ask() {
		if (!this.pages.isEmpty()) {
			quietly(this.view::ask);
		}
	}

	private void look() {
		quietly(() -> {
			if (this.pages.isEmpty()) {
				this.nodes.look();
			}
			else {
				publish();
			}
		});
	}

	private synchronized void publish() {
		Snapshot snapshot = snapshot();
		long silence = System.nanoTime() - this.toldAt;
		boolean isNew = this.told == null || !snapshot.at(0).equals(this.told.at(0));
		if ((isNew && silence >= BETWEEN_STATES) || silence >= LONGEST_SILENCE) {
			this.told = snapshot;
			this.toldAt = System.nanoTime();
			String text = write(snapshot);
			this.pages.forEach((page) -> page.state(text));
		}
	}

	private Snapshot snapshot() {
		return new Snapshot(System.currentTimeMillis(), this.nodes.look(), this.view.locks(), this.view.jobs(),
				this.view.roles(), this.history.counters());
	}

	private String write(Object value) {
		try {
			return this.json.writeValueAsString(value);
		}
		catch (JsonProcessingException ex) {
			throw new IllegalStateException(ex);
		}
	}

	// Whatever fails, the timer goes on: the next look may succeed.
	private static void quietly(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException ex) {
			logger.debug("The console cannot look", ex);
		}
	}

}
