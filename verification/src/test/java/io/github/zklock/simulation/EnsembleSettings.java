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

import java.util.concurrent.TimeUnit;

/**
 * What a {@link SimulatedEnsemble} is made of.
 *
 * @param servers how many servers there are; one stands alone, without a leader
 * @param tickTime what ZooKeeper counts time-outs in, in milliseconds
 * @param minSessionTimeout the shortest session time-out a client gets, in milliseconds
 * @param maxSessionTimeout the longest session time-out a client gets, in milliseconds
 * @param syncLimit how many ticks a follower and its leader do without each other
 * @param lagNanos the longest that a message between two servers takes
 * @param networkNanos the longest that a message between a client and a server takes
 * @param electionNanos the longest that an election takes
 * @param reapMillis how often the leader looks for empty containers
 * @param readOnlyMode whether a server without a quorum serves clients that may only read
 */
public record EnsembleSettings(int servers, int tickTime, int minSessionTimeout, int maxSessionTimeout, int syncLimit,
		long lagNanos, long networkNanos, long electionNanos, long reapMillis, boolean readOnlyMode) {

	/**
	 * Return three servers with ZooKeeper's own defaults.
	 */
	public static EnsembleSettings defaults() {
		return new EnsembleSettings(3, 2000, 4000, 40_000, 5, TimeUnit.MICROSECONDS.toNanos(400),
				TimeUnit.MICROSECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(2), 60_000, false);
	}

	public EnsembleSettings withServers(int count) {
		return new EnsembleSettings(count, this.tickTime, this.minSessionTimeout, this.maxSessionTimeout,
				this.syncLimit, this.lagNanos, this.networkNanos, this.electionNanos, this.reapMillis,
				this.readOnlyMode);
	}

	public EnsembleSettings withTickTime(int millis) {
		return new EnsembleSettings(this.servers, millis, 2 * millis, 20 * millis, this.syncLimit, this.lagNanos,
				this.networkNanos, this.electionNanos, this.reapMillis, this.readOnlyMode);
	}

	public EnsembleSettings withSessionTimeouts(int min, int max) {
		return new EnsembleSettings(this.servers, this.tickTime, min, max, this.syncLimit, this.lagNanos,
				this.networkNanos, this.electionNanos, this.reapMillis, this.readOnlyMode);
	}

	public EnsembleSettings withLag(long nanos) {
		return new EnsembleSettings(this.servers, this.tickTime, this.minSessionTimeout, this.maxSessionTimeout,
				this.syncLimit, nanos, this.networkNanos, this.electionNanos, this.reapMillis, this.readOnlyMode);
	}

	public EnsembleSettings withNetwork(long nanos) {
		return new EnsembleSettings(this.servers, this.tickTime, this.minSessionTimeout, this.maxSessionTimeout,
				this.syncLimit, this.lagNanos, nanos, this.electionNanos, this.reapMillis, this.readOnlyMode);
	}

	public EnsembleSettings withReaper(long millis) {
		return new EnsembleSettings(this.servers, this.tickTime, this.minSessionTimeout, this.maxSessionTimeout,
				this.syncLimit, this.lagNanos, this.networkNanos, this.electionNanos, millis, this.readOnlyMode);
	}

	public EnsembleSettings withReadOnlyMode() {
		return new EnsembleSettings(this.servers, this.tickTime, this.minSessionTimeout, this.maxSessionTimeout,
				this.syncLimit, this.lagNanos, this.networkNanos, this.electionNanos, this.reapMillis, true);
	}

}
