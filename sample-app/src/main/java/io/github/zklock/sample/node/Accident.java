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

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Ends the ZooKeeper session of this node in the middle of the first stock-take, between
 * the check of the lock and the write. It holds the job up until another node has taken
 * it over. A long pause of the process in the wrong moment has the same effect.
 */
@Component
@ConditionalOnBooleanProperty("sample.accident")
class Accident {

	private static final String NAME = "accident";

	private static final int BEFORE_STEP = 4;

	private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

	private static final int LOOKS = 300;

	private final NodeSession session;

	private final Ticks ticks;

	private final StockTake stockTake;

	private final Console console;

	private final ApplicationEventPublisher events;

	Accident(NodeSession session, Ticks ticks, StockTake stockTake, Console console, ApplicationEventPublisher events) {
		this.session = session;
		this.ticks = ticks;
		this.stockTake = stockTake;
		this.console = console;
		this.events = events;
	}

	@EventListener
	void onStep(StockTake.StepDue step) throws Exception {
		if (step.step() == BEFORE_STEP && this.ticks.last(NAME) == 0) {
			this.ticks.done(NAME, step.slot());
			this.console.say("ACCIDENT, on purpose: its session ends");
			this.events.publishEvent(new AccidentBegins(this.console.node()));
			this.session.end(null);
			for (int look = 0; look < LOOKS && !this.stockTake.isTakenOver(step); look++) {
				Work.of(LOOK_AGAIN);
			}
			this.console.say("goes on and writes step " + step.step());
		}
	}

}
