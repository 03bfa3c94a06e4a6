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

package io.github.zklock.sample.console;

import java.time.Duration;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.leader.LeadershipGranted;
import io.github.zklock.leader.LeadershipRevoked;
import io.github.zklock.leader.LeadershipRevoked.Reason;

import org.springframework.context.event.EventListener;

/**
 * Tells the history what a node does.
 */
class NodeListener implements LockListener {

	// A free lock takes one request to ZooKeeper.
	private static final Duration WAIT = Duration.ofMillis(50);

	private final String node;

	private final LockHistory history;

	private final NodeStates nodes;

	NodeListener(String node, LockHistory history, NodeStates nodes) {
		this.node = node;
		this.history = history;
		this.nodes = nodes;
	}

	@Override
	public void acquired(LockRequest request, LockHandle handle, Duration waited) {
		if (waited.compareTo(WAIT) > 0) {
			this.history.waits();
		}
		this.history.acquired(this.node, handle);
	}

	@EventListener
	void granted(LeadershipGranted event) {
		this.history.leads(this.node, event.role());
	}

	@EventListener
	void revoked(LeadershipRevoked event) {
		if (event.reason() == Reason.LEASE_ENDS || event.reason() == Reason.LOST) {
			this.nodes.gaveUpRole(this.node);
		}
	}

	@Override
	public void released(LockRequest request, LockHandle handle, Duration held) {
		this.history.released(this.node, handle);
	}

	@Override
	public void lost(LockRequest request, LockHandle handle) {
		this.history.lost(this.node, handle);
		if (handle.loss() == LockLoss.SESSION_ENDED || handle.loss() == LockLoss.LEASE_ENDED) {
			this.nodes.lost(this.node);
		}
	}

}
