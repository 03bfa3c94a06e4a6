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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.zookeeper.SimulatedProcess;

/**
 * A writer that waits while a thread of each client reads.
 */
final class WriterBehindReaders {

	private WriterBehindReaders() {
	}

	/**
	 * Count what the writer costs.
	 * @param reversed whether the last reader leaves first, and not the first one
	 */
	static Cost of(int readers, boolean reversed) {
		CalmWorld world = new CalmWorld(3, readers + 1);
		List<LockHandle> held = new ArrayList<>();
		for (SimulatedProcess client : world.clients().subList(0, readers)) {
			int before = held.size();
			CalmWorld.ask(client, LockRequest.of("read").withMode(LockMode.READ), client.name()).thenAccept(held::add);
			world.until(() -> held.size() > before);
		}
		if (reversed) {
			Collections.reverse(held);
		}
		Traffic.Totals before = world.traffic();
		CompletableFuture<LockHandle> writer = CalmWorld.ask(world.clients().get(readers),
				LockRequest.of("read").withMode(LockMode.WRITE), "writer");
		long number = 0;
		for (LockHandle handle : held) {
			world.after(++number * BusyKey.HOLD * 10, handle::releaseAsync);
		}
		world.until(writer::isDone);
		Traffic.Totals sent = world.traffic().since(before);
		return new Cost(sent.lists(), sent.events(), sent.bytes() / 1000.0);
	}

	/**
	 * The cost of the one grant.
	 */
	record Cost(long lists, long events, double kilobytes) {
	}

}
