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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.zklock.zookeeper.ZooKeeperAccessCheck;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.ZooKeeperLockProviderBuilder;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Sets up each client: the watch of its connection, the shutdown of its locks, and their
 * provider.
 *
 * @param client the client
 * @param access the permissions of its nodes
 * @param connection the properties of the client
 * @param problem gives the reason why it has no connection, if that is known
 * @param settings the properties of all locks
 * @param environment the environment
 */
record LockClientSetup(CuratorFramework client, NodeAccess access, ZkLockClientProperties connection,
		Supplier<@Nullable String> problem, ZkLockProperties settings, Environment environment) {

	/**
	 * Return the path below which the locks of the client are, as the ensemble sees it.
	 */
	String space() {
		return FenceLockSpaces.of(this.client, this.connection.getRoot());
	}

	ZooKeeperLockLifecycle lifecycle(Supplier<String> remark) {
		Duration grace = this.settings.getShutdownGrace();
		if (grace == null) {
			grace = Binder.get(this.environment)
				.bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
				.orElse(Duration.ofSeconds(30));
		}
		ZooKeeperAccessCheck check = new ZooKeeperAccessCheck(this.client, this.connection.getRoot(),
				this.access.acls(), this.access.scheme());
		return new ZooKeeperLockLifecycle(new ZooKeeperConnectionWatch(this.client, check, this.access, this.problem),
				this.connection, grace, remark);
	}

	ZooKeeperLockProvider provider(ZooKeeperLockLifecycle lifecycle, ObjectProvider<LockTrace> trace) {
		LockApplication application = LockApplication.of(this.environment, this.settings);
		ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider.builder(this.client)
			.clientName(this.access.client().value())
			.root(this.connection.getRoot())
			.application(application.name())
			.ownerDetail(this.settings.getOwnerData())
			.tryTimeout(this.settings.getTryTimeout())
			.fairness(this.settings.getFairness())
			.awaitRelease(this.settings.isAwaitRelease())
			.syncBeforeTry(this.settings.isSyncBeforeTry())
			.keyDigestSecret(this.settings.getKeyDigestSecret())
			.outageFailFast(this.settings.getOutageFailFast())
			.limits(this.settings.getLimits().toLimits())
			.callbackThreads(this.settings.getLimits().getCallbackThreads())
			.serverTick(this.connection.getLease().getServerTick())
			.aclProvider(this.access.acls())
			.connectionProblem(this.problem);
		if (application.instance() != null) {
			builder.instance(application.instance());
		}
		if (this.settings.getCommitWait() != null) {
			builder.commitWait(this.settings.getCommitWait());
		}
		trace.ifAvailable((known) -> builder.traceId(known.id()));
		ZooKeeperLockProvider provider = builder.build();
		lifecycle.onShutdown(provider::shutdown);
		return provider;
	}

}
