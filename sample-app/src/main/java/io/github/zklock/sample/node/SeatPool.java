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
import java.util.Optional;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;

import org.springframework.stereotype.Component;

/**
 * Use 5: a limited resource. Two seats are two keys; a caller that finds both taken is
 * sent away. Written with {@link LockOperations}, since the key is chosen by trying.
 */
@Component
class SeatPool {

	static final int SEATS = 2;

	private final LockOperations locks;

	private final Console console;

	SeatPool(LockOperations locks, Console console) {
		this.locks = locks;
		this.console = console;
	}

	Optional<Seat> use(Duration time) {
		Optional<Seat> seat = Optional.empty();
		for (int number = 1; number <= SEATS && seat.isEmpty(); number++) {
			seat = use(number, time);
		}
		return seat;
	}

	private Optional<Seat> use(int number, Duration time) {
		LockRequest request = LockRequest.of("seat:" + number).withWait(Duration.ZERO).withName("seat");
		return this.locks.execute(request, (lock) -> Optional.of(sit(number, time, lock)),
				(taken) -> Optional.<Seat>empty());
	}

	private Seat sit(int number, Duration time, LockHandle lock) {
		this.console.say("taken for " + time.toMillis() + " ms");
		Work.of(time);
		return new Seat(number, this.console.node(), lock.fencingToken());
	}

	/**
	 * A seat that was used.
	 *
	 * @param number its number
	 * @param node the node that used it
	 * @param token the fencing token of the lock under which it was used
	 */
	record Seat(int number, String node, long token) {
	}

}
