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

package io.github.zklock.autoconfigure.observation;

import java.time.Duration;

import io.github.zklock.observation.internal.LockProviderMetrics;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Session;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a provider, for its meters.
 */
record ZooKeeperFigures(ZooKeeperLockProvider provider) implements LockProviderMetrics.Figures {

	@Override
	public boolean isConnected() {
		return this.provider.status().connection() == Connection.CONNECTED;
	}

	@Override
	public @Nullable Duration leaseLeft() {
		Session session = this.provider.status().session();
		return (session != null) ? session.leaseLeft() : null;
	}

	@Override
	public int pendingDeletes() {
		return this.provider.pendingDeletes();
	}

	@Override
	public long requeuedRequests() {
		return this.provider.requeuedRequests();
	}

	@Override
	public long unreadableJobs() {
		return this.provider.unreadableJobs();
	}

}
