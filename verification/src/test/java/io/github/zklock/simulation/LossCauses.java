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

import io.github.zklock.core.LockLoss;
import io.github.zklock.zookeeper.SimulatedProcess;
import org.apache.zookeeper.SimulatedZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;

/**
 * Whether a loss that is told has a cause: nothing is lost while nothing goes wrong and
 * the servers answer quickly, and nobody is told the end of a session that lives.
 */
final class LossCauses {

	private final World world;

	LossCauses(World world) {
		this.world = world;
	}

	/**
	 * Somebody sees that a lock is lost.
	 */
	void seen(Hold hold) {
		LockLoss cause = hold.handle().loss();
		if (this.world.isCalm() && this.world.setup().answersInTime() && cause != LockLoss.SHUT_DOWN) {
			throw this.world.judge()
				.violated("cause", hold + " is lost, " + cause + ", though nothing goes wrong", null);
		}
		boolean failed = this.world.setup()
			.faults()
			.stream()
			.anyMatch((fault) -> fault.kind().cause() == Fault.Cause.PROCESS);
		if (cause == LockLoss.ENGINE_FAILED && !failed) {
			throw this.world.judge().violated("cause", hold + " is lost by an error, though none was thrown", null);
		}
		if (cause == LockLoss.SESSION_ENDED && isAlive(hold)) {
			throw this.world.judge().violated("cause", hold + " is lost by the end of its session, which lives", null);
		}
	}

	// The client is connected in it.
	private boolean isAlive(Hold hold) {
		SimulatedZooKeeper handle = (hold.process() instanceof SimulatedProcess process) ? process.handle() : null;
		return handle != null && handle.getState() == States.CONNECTED && handle.getSessionId() == hold.session()
				&& this.world.ensemble().sessions().contains(hold.session());
	}

}
