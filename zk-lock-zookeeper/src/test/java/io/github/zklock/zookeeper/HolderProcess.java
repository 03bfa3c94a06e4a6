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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.LockClient;

/**
 * A process that holds a lock and looks at it all the time. Prints {@code HOLDS} with its
 * token when it has the lock, and after a pause {@code RESUMED} with the state that it
 * saw first, {@code GUARD} with what stops its next step, and {@code WRITES} with the
 * token of a step that is not guarded.
 */
public final class HolderProcess {

	private static final AtomicInteger events = new AtomicInteger();

	private HolderProcess() {
	}

	/**
	 * Hold the lock until the process is killed.
	 * @param arguments connect string, session timeout, tick of the server, key
	 */
	public static void main(String[] arguments) {
		Duration timeout = Duration.ofMillis(Long.parseLong(arguments[1]));
		Duration tick = Duration.ofMillis(Long.parseLong(arguments[2]));
		LockClient<ZooKeeperLockProvider> client = LockClient.connect(arguments[0], timeout,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(tick).build());
		LockHandle handle = client.locks().acquire(LockRequest.of(arguments[3]).withWait(LockRequest.FOREVER));
		client.curator().getConnectionStateListenable().addListener((curator, state) -> events.incrementAndGet());
		handle.onLost((lost) -> events.incrementAndGet());
		System.out.println("HOLDS " + handle.fencingToken());
		LockState state = lookUntilPaused(handle, timeout.multipliedBy(3).dividedBy(4).toNanos());
		System.out.println("RESUMED " + state + " after " + events + " events");
		System.out.println("GUARD " + guard(handle));
		System.out.println("WRITES " + handle.fencingToken());
	}

	private static LockState lookUntilPaused(LockHandle handle, long pause) {
		long last = System.nanoTime();
		while (true) {
			LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			long before = System.nanoTime();
			LockState state = handle.state();
			long after = System.nanoTime();
			if (before - last > pause) {
				return state;
			}
			if (after - before > pause) {
				return handle.state();
			}
			last = after;
		}
	}

	private static String guard(LockHandle handle) {
		try {
			handle.assertHeld();
			return "passed";
		}
		catch (LockLostException ex) {
			return ex.getMessage();
		}
	}

}
