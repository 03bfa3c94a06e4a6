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

import java.util.List;
import java.util.function.Consumer;

import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperOperation;
import org.apache.zookeeper.KeeperException.Code;

/**
 * What happens, in this order, to the requests of one use of a lock: the connection is
 * lost before the server saw it, or after and before the reply; or the server answers
 * with an error.
 */
enum LostMessages {

	CREATE_BEFORE((network) -> network.on(ZooKeeperOperation.CREATE).killBefore()),

	CREATE_AFTER((network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	CREATE_BEFORE_CREATE_BEFORE((network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killBefore()),

	CREATE_BEFORE_CREATE_AFTER((network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	CREATE_UNKNOWN_CREATE_AFTER((network) -> network.on(ZooKeeperOperation.CREATE).answer(Code.CONNECTIONLOSS),
			(network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	CREATE_AFTER_LIST_BEFORE((network) -> network.on(ZooKeeperOperation.CREATE).killAfter(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killBefore()),

	CREATE_AFTER_LIST_AFTER((network) -> network.on(ZooKeeperOperation.CREATE).killAfter(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killAfter()),

	CREATE_BEFORE_LIST_BEFORE((network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killBefore()),

	CREATE_BEFORE_LIST_AFTER((network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killAfter()),

	CREATE_THREE_TIMES((network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	LIST_BEFORE((network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killBefore()),

	LIST_AFTER((network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killAfter()),

	DELETE_BEFORE((network) -> network.on(ZooKeeperOperation.DELETE).killBefore()),

	DELETE_AFTER((network) -> network.on(ZooKeeperOperation.DELETE).killAfter()),

	DELETE_BEFORE_DELETE_BEFORE((network) -> network.on(ZooKeeperOperation.DELETE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.DELETE).killBefore()),

	DELETE_THROTTLED((network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.THROTTLEDOP)),

	DELETE_DENIED((network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.NOAUTH)),

	DELETE_TIMED_OUT((network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.REQUESTTIMEOUT),
			(network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.THROTTLEDOP)),

	CREATE_THROTTLED((network) -> network.on(ZooKeeperOperation.CREATE).answer(Code.THROTTLEDOP)),

	CREATE_TIMED_OUT((network) -> network.on(ZooKeeperOperation.CREATE).answer(Code.REQUESTTIMEOUT)),

	LIST_THROTTLED((network) -> network.on(ZooKeeperOperation.GET_CHILDREN).answer(Code.THROTTLEDOP)),

	LIST_TIMED_OUT((network) -> network.on(ZooKeeperOperation.GET_CHILDREN).answer(Code.REQUESTTIMEOUT));

	private final List<Consumer<FaultProxy>> plans;

	@SafeVarargs
	LostMessages(Consumer<FaultProxy>... plans) {
		this.plans = List.of(plans);
	}

	void plan(FaultProxy network) {
		this.plans.forEach((plan) -> plan.accept(network));
	}

	boolean isWhileWaiting() {
		return name().startsWith("CREATE") || name().startsWith("LIST");
	}

}
