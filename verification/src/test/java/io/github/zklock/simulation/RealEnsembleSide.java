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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.github.zklock.support.ZooKeeperEnsemble;
import org.apache.zookeeper.ZooKeeper;

/**
 * Three real servers in processes of their own.
 */
final class RealEnsembleSide extends EnsembleSide {

	private final ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(3, TICK, TICK.multipliedBy(5)).start();

	private final Monitor monitor = new Monitor();

	@Override
	ZooKeeper connect(RecordedClient client, Duration timeout) {
		try {
			return new ZooKeeper(this.ensemble.connectString(server()), (int) timeout.toMillis(), client);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	void await(String what, BooleanSupplier condition) {
		this.monitor.await(what, condition);
	}

	@Override
	void recorded() {
		this.monitor.recorded();
	}

	@Override
	long nanoTime() {
		return System.nanoTime();
	}

	@Override
	int leader() {
		return this.ensemble.leader();
	}

	@Override
	int follower() {
		return this.ensemble.followers().get(0);
	}

	@Override
	void cutOff(int server) {
		if (server == leader()) {
			this.ensemble.cutOffLeader(server);
		}
		else {
			this.ensemble.cutOffFollower(server);
		}
	}

	@Override
	void heal() {
		this.ensemble.heal();
	}

	@Override
	void kill(int server) {
		this.ensemble.server(server).kill();
	}

	@Override
	void close(RecordedClient client) {
		try {
			client.zooKeeper().close(RealSide.PATIENCE_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a client was closed", ex);
		}
	}

	@Override
	public void close() {
		this.ensemble.close();
	}

	@Override
	public String toString() {
		return "real";
	}

}
