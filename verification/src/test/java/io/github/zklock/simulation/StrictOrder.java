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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;

/**
 * Who waits under strict fairness, and since when. While nothing goes wrong, whoever asks
 * some time after another one has its node behind that of the other one, and does not get
 * the key before it. Tokens tell the rest: they grow with the nodes.
 */
final class StrictOrder {

	/** A request has reached the servers by then. */
	private static final long ARRIVED = TimeUnit.MILLISECONDS.toNanos(100);

	private final Judge judge;

	private final LongSupplier clock;

	private final Map<String, Waiter> waiters = new LinkedHashMap<>();

	StrictOrder(Judge judge, LongSupplier clock) {
		this.judge = judge;
		this.clock = clock;
	}

	/**
	 * Somebody begins to wait for its turn.
	 */
	void asks(String caller, LockRequest request) {
		this.waiters.put(caller, new Waiter(request, this.clock.getAsLong()));
	}

	/**
	 * Somebody waits no more.
	 * @param granted whether it has got the key
	 */
	void leaves(String caller, boolean granted) {
		Waiter left = this.waiters.remove(caller);
		if (left != null && granted) {
			this.waiters.forEach((name, other) -> {
				if (!other.isOver(this.clock.getAsLong()) && other.excludes(left.request)
						&& left.since - other.since > ARRIVED) {
					throw this.judge.violated("order",
							caller + " is granted '" + left.request.key() + "' before " + name + ", who came first",
							null);
				}
			});
		}
	}

	private record Waiter(LockRequest request, long since) {

		// Its node may be gone before it knows.
		boolean isOver(long now) {
			return now - this.since >= this.request.waitNanos();
		}

		boolean excludes(LockRequest later) {
			return this.request.key().equals(later.key())
					&& (this.request.mode() != LockMode.READ || later.mode() != LockMode.READ);
		}

	}

}
