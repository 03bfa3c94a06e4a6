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

package io.github.zklock.support;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.KeeperException;

/**
 * One planned fault: it hits one request, once.
 */
public final class Fault {

	private final Action action;

	private final int code;

	private final String path;

	private final CountDownLatch fired = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	Fault(Action action, KeeperException.Code code, String path) {
		this.action = action;
		this.code = code.intValue();
		this.path = path;
	}

	/**
	 * Return whether the fault has hit a request.
	 * @return {@code true} if it has
	 */
	public boolean hasFired() {
		return this.fired.getCount() == 0;
	}

	/**
	 * Wait until the fault has hit a request: until the connection is dead, the error
	 * answered, the request or reply held.
	 */
	public void awaitFired() {
		await(this.fired, Duration.ofSeconds(30));
	}

	/**
	 * Let a held request or reply go on.
	 */
	public void release() {
		this.released.countDown();
	}

	Action action() {
		return this.action;
	}

	int code() {
		return this.code;
	}

	boolean matches(String requested) {
		return requested.contains(this.path);
	}

	void fire() {
		this.fired.countDown();
	}

	void awaitRelease() {
		await(this.released, Duration.ofMinutes(1));
	}

	private void await(CountDownLatch latch, Duration atMost) {
		try {
			if (!latch.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new AssertionError("The time is over for " + this);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for " + this, ex);
		}
	}

	@Override
	public String toString() {
		return "Fault " + this.action + " for '*" + this.path + "*' " + (hasFired() ? "fired" : "pending");
	}

	enum Action {

		PASS, KILL_BEFORE, KILL_AFTER, ANSWER, HOLD_REQUEST, HOLD_REPLY, LOSE_REPLY

	}

}
