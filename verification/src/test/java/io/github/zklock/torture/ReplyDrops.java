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

package io.github.zklock.torture;

import java.util.List;

import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultPlan;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperOperation;

/**
 * Breaks the connections of a worker at chosen requests, before or after a server has
 * executed them. The first of them is the creation of a node of which the worker does not
 * learn.
 */
final class ReplyDrops {

	private static final List<ZooKeeperOperation> OPERATIONS = List.of(ZooKeeperOperation.CREATE,
			ZooKeeperOperation.GET_CHILDREN, ZooKeeperOperation.DELETE, ZooKeeperOperation.SET_DATA,
			ZooKeeperOperation.GET_DATA);

	private final TortureLog log;

	ReplyDrops(TortureLog log) {
		this.log = log;
	}

	void drop(TortureHand hand, int variation) {
		int rest = variation;
		for (int i = 0; i < 4; i++) {
			ZooKeeperOperation operation = (i == 0) ? ZooKeeperOperation.CREATE
					: OPERATIONS.get(rest % OPERATIONS.size());
			rest /= OPERATIONS.size();
			boolean before = rest % 2 == 0;
			for (FaultProxy link : hand.links()) {
				FaultPlan plan = link.on(operation, "/locks");
				Fault fault = (before && i > 0) ? plan.killBefore() : plan.killAfter();
				this.log.planned(fault);
			}
		}
		TortureBlows.pause(2500);
		hand.links().forEach(FaultProxy::clearPlans);
	}

}
