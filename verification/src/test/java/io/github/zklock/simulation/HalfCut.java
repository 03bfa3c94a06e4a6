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

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.jspecify.annotations.Nullable;

/**
 * The connection between the server of a holder and its leader is cut in one direction,
 * then in the other one. At first the server does not hear of the leader: it passes on
 * what the holder writes, but is not asked who is there, and has no answer for the
 * holder. Perhaps a few messages get through. Then it hears all that the leader has sent,
 * and the leader does not hear it. The holder reaches no other server.
 */
final class HalfCut {

	private static final int MOST_MESSAGES = 4;

	private final World world;

	private final Fault fault;

	private final SplittableRandom random;

	private boolean begun;

	private int leader;

	private int server;

	HalfCut(World world, Fault fault) {
		this.world = world;
		this.fault = fault;
		this.random = world.schedule().random();
	}

	private static long nanos(long millis) {
		return TimeUnit.MILLISECONDS.toNanos(millis);
	}

	/**
	 * Wait for a lock of the client, then for one of its heartbeats, or for a request
	 * that it sends instead when it holds no lock any more. It happens within the time of
	 * the fault, or not at all.
	 */
	void begin() {
		long until = this.world.schedule().now() + nanos(this.fault.millis());
		Client client = this.world.clientOf(this.fault);
		client.whenGranted(() -> this.world.ensemble().fail((name, type, path) -> {
			if (!this.begun && (type == OpCode.setData || type == OpCode.sync) && name.equals(client.process().name())
					&& this.world.schedule().now() < until) {
				this.begun = true;
				cut(client.process().handle());
			}
			return null;
		}));
	}

	private void cut(@Nullable SimulatedZooKeeper handle) {
		this.leader = this.world.ensemble().leader();
		this.server = (handle != null) ? handle.link().server() : 0;
		if (handle == null || this.server == 0 || this.leader == 0 || this.server == this.leader) {
			return;
		}
		PeerLanes lanes = this.world.ensemble().peerLanes();
		lanes.cut(this.leader, this.server);
		handle.link().refuse(true);
		int timeout = this.world.setup().timeoutMillis();
		long deaf = nanos(timeout / 6 + this.random.nextInt(longest() - timeout / 6));
		long more = 0;
		if (this.random.nextBoolean()) {
			int messages = 1 + this.random.nextInt(MOST_MESSAGES);
			more = nanos(1 + this.random.nextInt(timeout / 12));
			this.world.later(deaf, messages + " message(s) get through",
					() -> lanes.pass(this.leader, this.server, messages));
		}
		this.world.later(deaf + more, "cuts the other direction", () -> {
			lanes.cut(this.server, this.leader);
			lanes.mend(this.leader, this.server);
		});
		this.world.later(nanos(this.fault.millis()), "mends the link to the leader", () -> {
			lanes.mend(this.leader, this.server);
			lanes.mend(this.server, this.leader);
			handle.link().refuse(false);
		});
	}

	// Otherwise the server gives the leader up, and closes its connections.
	private int longest() {
		EnsembleSettings settings = this.world.setup().ensemble();
		return settings.tickTime() * settings.syncLimit() - settings.tickTime() / 4;
	}

}
