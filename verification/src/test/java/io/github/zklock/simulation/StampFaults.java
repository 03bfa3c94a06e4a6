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

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.SimulatedProcess;
import org.apache.zookeeper.ZooDefs.OpCode;

/**
 * What goes wrong with the stamps that keep a key taken.
 */
final class StampFaults {

	private static final long SOON = TimeUnit.MILLISECONDS.toNanos(5);

	private StampFaults() {
	}

	/**
	 * Let a process stand still just when its next stamp is created, and shut it down
	 * when it has the lock: so others see the stamp long before the time of the lock
	 * begins, and nothing else keeps the key for that time.
	 */
	static void confirmLate(World world, Fault fault) {
		Client client = world.clientOf(fault);
		SimulatedProcess process = client.process();
		long nanos = TimeUnit.MILLISECONDS.toNanos(fault.millis());
		boolean[] done = new boolean[1];
		world.ensemble().fail((name, type, path) -> {
			boolean stamp = type == OpCode.create2 && path.contains("least-") && name.equals(process.name());
			if (stamp && !done[0] && !process.isPaused() && !process.isGone()) {
				done[0] = true;
				process.pause();
				world.later(nanos, process.name() + " goes on", process::resume);
				client.whenGranted(() -> world.later(world.schedule().random().nextLong(SOON),
						"shuts down who has a lock", () -> client.shutdown(Duration.ZERO, SOON)));
			}
			return null;
		});
	}

}
