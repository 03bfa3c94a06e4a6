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

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * A page that is connected. A slow one skips states and holds up only its own thread. One
 * that is gone is noticed by the next event.
 */
final class ConsolePage {

	private static final int MOST_OUTCOMES = 40;

	private static final MediaType JSON = MediaType.parseMediaType("text/plain;charset=UTF-8");

	private final SseEmitter emitter = new SseEmitter(0L);

	private final String node;

	private final Consumer<ConsolePage> whenGone;

	private final Deque<String> outcomes = new ArrayDeque<>();

	private @Nullable String state;

	private boolean ended;

	ConsolePage(String node, Consumer<ConsolePage> whenGone) {
		this.node = node;
		this.whenGone = whenGone;
		this.emitter.onCompletion(this::end);
		this.emitter.onError((failure) -> end());
	}

	String node() {
		return this.node;
	}

	SseEmitter emitter() {
		return this.emitter;
	}

	synchronized void state(String state) {
		this.state = state;
		notifyAll();
	}

	synchronized void outcome(String outcome) {
		if (this.outcomes.size() >= MOST_OUTCOMES) {
			this.outcomes.removeFirst();
		}
		this.outcomes.addLast(outcome);
		notifyAll();
	}

	synchronized void end() {
		this.ended = true;
		notifyAll();
	}

	void start() {
		Thread thread = new Thread(this::run, "console-page");
		thread.setDaemon(true);
		thread.start();
	}

	private void run() {
		try {
			for (SseEmitter.SseEventBuilder event = next(); event != null; event = next()) {
				this.emitter.send(event);
			}
			this.emitter.complete();
		}
		catch (IOException | IllegalStateException ex) {
			// It is gone.
		}
		finally {
			this.whenGone.accept(this);
		}
	}

	private synchronized SseEmitter.@Nullable SseEventBuilder next() {
		try {
			while (!this.ended && this.state == null && this.outcomes.isEmpty()) {
				wait();
			}
		}
		catch (InterruptedException ex) {
			return null;
		}
		if (this.ended) {
			return null;
		}
		String outcome = this.outcomes.pollFirst();
		if (outcome != null) {
			return SseEmitter.event().name("outcome").data(outcome, JSON);
		}
		String state = this.state;
		this.state = null;
		return SseEmitter.event().name("state").data((state != null) ? state : "", JSON);
	}

}
