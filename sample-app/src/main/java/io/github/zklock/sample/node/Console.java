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

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.leader.Leadership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ansi.AnsiColor;
import org.springframework.boot.ansi.AnsiOutput;
import org.springframework.stereotype.Component;

/**
 * What this node tells the reader: one line per event.
 */
@Component
class Console implements LockListener {

	private static final Logger logger = LoggerFactory.getLogger(Console.class);

	private static final String LINE = "%-10s %-16s %-9s %-38s %s";

	private static final Pattern TROUBLE = Pattern.compile("LOST|ACCIDENT|refused|failed");

	private final String node;

	private final ThreadLocal<Boolean> quiet = ThreadLocal.withInitial(() -> false);

	Console(@Value("${sample.name}") String node) {
		this.node = node;
	}

	String node() {
		return this.node;
	}

	/**
	 * Do something without telling what happens under its locks.
	 * @param <T> the type of the result
	 * @param action what to do, on the calling thread
	 * @return its result
	 */
	<T> T quietly(Supplier<T> action) {
		this.quiet.set(true);
		try {
			return action.get();
		}
		finally {
			this.quiet.remove();
		}
	}

	/**
	 * Tell what happens under the lock of the calling thread.
	 * @param event what happens
	 */
	void say(String event) {
		if (!this.quiet.get()) {
			say(LockHandle.current(), event);
		}
	}

	/**
	 * Tell what happens to a role.
	 * @param led the role as this node has got it
	 * @param event what happens
	 */
	void say(Leadership led, String event) {
		line("leader:" + led.role(), LockMode.EXCLUSIVE.name(), event, "token " + led.fencingToken());
	}

	@Override
	public void lost(LockRequest request, LockHandle handle) {
		say(handle, "LOST");
	}

	void jobFailed(Throwable failure) {
		if (failure instanceof LockException ex) {
			line(String.valueOf(ex.getKey()), String.valueOf(ex.getMode()), "failed", String.valueOf(ex.getMessage()));
		}
		else if (!(failure instanceof CancellationException)) {
			logger.error("{}  a job failed", this.node, failure);
		}
	}

	private void say(LockHandle lock, String event) {
		line(lock.key(), lock.mode().name(), event, "token " + lock.fencingToken());
	}

	private void line(String lock, String mode, String event, String detail) {
		String line = LINE.formatted(this.node, lock, mode, event, detail);
		logger.info(TROUBLE.matcher(event).find() ? AnsiOutput.toString(AnsiColor.RED, line) : line);
	}

}
