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
 * lost before the server saw it, or after and before the reply; or the server answers by
 * an error. With what Curator's recipe makes of it, where it fails.
 */
enum LostMessages {

	CREATE_BEFORE(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).killBefore()),

	CREATE_AFTER(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	CREATE_BEFORE_CREATE_BEFORE(NullPointerException.class, 0,
			(network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killBefore()),

	CREATE_BEFORE_CREATE_AFTER(NullPointerException.class, 1,
			(network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	CREATE_UNKNOWN_CREATE_AFTER(NullPointerException.class, 1,
			(network) -> network.on(ZooKeeperOperation.CREATE).answer(Code.CONNECTIONLOSS),
			(network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	CREATE_AFTER_LIST_BEFORE(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).killAfter(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killBefore()),

	CREATE_AFTER_LIST_AFTER(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).killAfter(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killAfter()),

	CREATE_BEFORE_LIST_BEFORE(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killBefore()),

	CREATE_BEFORE_LIST_AFTER(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killAfter()),

	CREATE_THREE_TIMES(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.CREATE).killAfter()),

	LIST_BEFORE(null, 0, (network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killBefore()),

	LIST_AFTER(null, 0, (network) -> network.on(ZooKeeperOperation.GET_CHILDREN).killAfter()),

	DELETE_BEFORE(null, 0, (network) -> network.on(ZooKeeperOperation.DELETE).killBefore()),

	DELETE_AFTER(null, 0, (network) -> network.on(ZooKeeperOperation.DELETE).killAfter()),

	DELETE_BEFORE_DELETE_BEFORE(null, 0, (network) -> network.on(ZooKeeperOperation.DELETE).killBefore(),
			(network) -> network.on(ZooKeeperOperation.DELETE).killBefore()),

	DELETE_THROTTLED(IllegalStateException.class, 1,
			(network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.THROTTLEDOP)),

	DELETE_DENIED(IllegalStateException.class, 1,
			(network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.NOAUTH)),

	DELETE_TIMED_OUT(null, 0, (network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.REQUESTTIMEOUT),
			(network) -> network.on(ZooKeeperOperation.DELETE).answer(Code.THROTTLEDOP)),

	CREATE_THROTTLED(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).answer(Code.THROTTLEDOP)),

	CREATE_TIMED_OUT(null, 0, (network) -> network.on(ZooKeeperOperation.CREATE).answer(Code.REQUESTTIMEOUT)),

	LIST_THROTTLED(null, 0, (network) -> network.on(ZooKeeperOperation.GET_CHILDREN).answer(Code.THROTTLEDOP)),

	LIST_TIMED_OUT(null, 0, (network) -> network.on(ZooKeeperOperation.GET_CHILDREN).answer(Code.REQUESTTIMEOUT));

	private final Class<? extends Throwable> recipeFailure;

	private final int recipeLeaves;

	private final List<Consumer<FaultProxy>> plans;

	@SafeVarargs
	LostMessages(Class<? extends Throwable> recipeFailure, int recipeLeaves, Consumer<FaultProxy>... plans) {
		this.recipeFailure = recipeFailure;
		this.recipeLeaves = recipeLeaves;
		this.plans = List.of(plans);
	}

	void plan(FaultProxy network) {
		this.plans.forEach((plan) -> plan.accept(network));
	}

	boolean breaksRecipe() {
		return this.recipeFailure != null;
	}

	Class<? extends Throwable> recipeFailure() {
		return this.recipeFailure;
	}

	int recipeLeaves() {
		return this.recipeLeaves;
	}

	boolean isWhileWaiting() {
		return name().startsWith("CREATE") || name().startsWith("LIST");
	}

}
