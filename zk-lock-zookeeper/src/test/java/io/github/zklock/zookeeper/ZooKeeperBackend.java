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

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.LockBackend;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.LockPaths;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes with a session each on one server.
 */
public class ZooKeeperBackend implements LockBackend, AutoCloseable {

	static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

	// A try that gets no answer is not a refusal.
	private static final Duration TRY_TIMEOUT = Duration.ofSeconds(10);

	final LockClient<ZooKeeperLockProvider> first;

	final LockClient<ZooKeeperLockProvider> second;

	private final @Nullable ZooKeeperServerFixture server;

	public ZooKeeperBackend(ZooKeeperServerFixture server, Fairness fairness) {
		this(server, server.connectString(), (builder) -> builder.fairness(fairness));
	}

	ZooKeeperBackend(@Nullable ZooKeeperServerFixture server, String connectString,
			UnaryOperator<ZooKeeperLockProviderBuilder> settings) {
		this.server = server;
		this.first = client(connectString, settings, "app-1");
		this.second = client(connectString, settings, "app-2");
	}

	private static LockClient<ZooKeeperLockProvider> client(String connectString,
			UnaryOperator<ZooKeeperLockProviderBuilder> settings, String instance) {
		return LockClient.connect(connectString, SESSION_TIMEOUT,
				(curator) -> settings.apply(ZooKeeperLockProvider.builder(curator))
					.application("app")
					.instance(instance)
					.tryTimeout(TRY_TIMEOUT)
					.build());
	}

	@Override
	public LockProvider first() {
		return this.first.locks();
	}

	@Override
	public LockProvider second() {
		return this.second.locks();
	}

	@Override
	public void awaitMembers(String key, int members) {
		eventually().untilAsserted(() -> assertThat(members(key)).isEqualTo(members));
	}

	private int members(String key) {
		return left(key).size() + this.first.locks().engine.queues.withoutNode(key)
				+ this.second.locks().engine.queues.withoutNode(key);
	}

	@Override
	public List<String> left(String key) {
		return children("/locks/" + LockPaths.encode(key));
	}

	List<String> children(String directory) {
		return this.server.children(directory);
	}

	@Override
	public void loseFirst() {
		this.server.killSession(this.first.sessionId());
	}

	/**
	 * Wait until both clients are as good as new.
	 */
	public void settle() {
		assertThat(this.first.sessionId()).isNotEqualTo(this.second.sessionId());
		eventually().untilAsserted(() -> {
			assertThat(this.first.locks().heldLocks() + this.second.locks().heldLocks()).isZero();
			assertThat(this.first.locks().pendingDeletes() + this.second.locks().pendingDeletes()).isZero();
			assertThat((this.server != null) ? this.server.watched("/locks") : List.of()).isEmpty();
		});
	}

	@Override
	public void close() {
		this.first.close();
		this.second.close();
	}

	private static ConditionFactory eventually() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
	}

}
