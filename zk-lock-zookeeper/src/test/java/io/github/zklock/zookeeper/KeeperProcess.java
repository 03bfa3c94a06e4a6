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

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;

/**
 * A process that keeps a lock which it does not hold. Prints {@code KEEPS} with the last
 * token, and after a pause, as the first thing that it does, takes the lock again and
 * prints {@code HOLDS} with the token and whether the lock was still valid then.
 */
public final class KeeperProcess {

	private KeeperProcess() {
	}

	/**
	 * Keep the lock until the process was paused.
	 * @param arguments connect string, session timeout, tick of the server, key
	 */
	public static void main(String[] arguments) {
		Duration timeout = Duration.ofMillis(Long.parseLong(arguments[1]));
		Duration tick = Duration.ofMillis(Long.parseLong(arguments[2]));
		LockClient<ZooKeeperLockProvider> client = LockClient.connect(arguments[0], timeout,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(tick).build());
		LockRequest request = LockRequest.of(arguments[3]).withWait(LockRequest.FOREVER).withCache(true);
		client.locks().acquire(request).release();
		LockHandle kept = client.locks().acquire(request);
		kept.release();
		long pause = timeout.dividedBy(2).toNanos();
		// The pause may come as soon as the line is read.
		long before = System.nanoTime();
		System.out.println("KEEPS " + kept.fencingToken() + " " + client.sessionId());
		awaitPause(before, pause);
		LockHandle handle = client.locks().acquire(request);
		System.out.println("HOLDS " + handle.fencingToken() + " " + handle.isHeld());
	}

	// Without a pause of its own, so that no other thread of this process is quicker.
	private static void awaitPause(long before, long pause) {
		long last = before;
		long now = System.nanoTime();
		while (now - last < pause) {
			last = now;
			Thread.onSpinWait();
			now = System.nanoTime();
		}
	}

}
