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

package io.github.zklock.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Tells the judge of steps of the engine that have failed, which the engine catches and
 * logs. Nothing else is logged meanwhile.
 */
final class StepFailures extends AppenderBase<ILoggingEvent> {

	private static final String ENGINE = "io.github.zklock";

	private static final String STEPS = "io.github.zklock.zookeeper.tasks.EngineTasks";

	private static final String ZOOKEEPER = "org.apache.zookeeper";

	private static final ThreadLocal<@Nullable Judge> judges = new ThreadLocal<>();

	private final @Nullable Level engine = logger(ENGINE).getLevel();

	private final @Nullable Level zooKeeper = logger(ZOOKEEPER).getLevel();

	private StepFailures() {
		setContext(logger(STEPS).getLoggerContext());
		start();
		logger(ENGINE).setLevel(Level.OFF);
		logger(ZOOKEEPER).setLevel(Level.OFF);
		logger(STEPS).setLevel(Level.WARN);
		logger(STEPS).setAdditive(false);
		logger(STEPS).addAppender(this);
	}

	/**
	 * Run something while they are seen, and nothing else is logged.
	 */
	static void quietly(Runnable action) {
		StepFailures failures = new StepFailures();
		try {
			action.run();
		}
		finally {
			failures.end();
		}
	}

	/**
	 * Run something that this judge judges.
	 */
	static void during(Judge judge, Runnable action) {
		judges.set(judge);
		try {
			action.run();
		}
		finally {
			judges.remove();
		}
	}

	private void end() {
		logger(ENGINE).setLevel(this.engine);
		logger(ZOOKEEPER).setLevel(this.zooKeeper);
		logger(STEPS).setLevel(null);
		logger(STEPS).setAdditive(true);
		logger(STEPS).detachAppender(this);
	}

	private static Logger logger(String name) {
		return (Logger) LoggerFactory.getLogger(name);
	}

	@Override
	protected void append(ILoggingEvent event) {
		Judge judge = judges.get();
		if (judge != null) {
			Throwable failure = (event.getThrowableProxy() instanceof ThrowableProxy proxy) ? proxy.getThrowable()
					: null;
			judge.stepFailed(event.getMessage(), failure);
		}
	}

}
