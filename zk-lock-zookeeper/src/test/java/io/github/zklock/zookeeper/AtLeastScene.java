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
import java.util.UUID;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.LockPaths;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A key that one client keeps for a time, and another client that wants it.
 */
final class AtLeastScene implements AutoCloseable {

	/** Long enough for what has to happen before it is over. */
	static final Duration AT_LEAST = Duration.ofSeconds(8);

	private final ZooKeeperServerFixture server;

	private final LockRequest request = LockRequest.of("job " + UUID.randomUUID()).withWait(Duration.ofSeconds(30));

	private final LockClient<ZooKeeperLockProvider> holder;

	private final LockClient<ZooKeeperLockProvider> other;

	AtLeastScene(ZooKeeperServerFixture server) {
		this.server = server;
		this.holder = client();
		this.other = client();
	}

	private LockClient<ZooKeeperLockProvider> client() {
		LockClient<ZooKeeperLockProvider> client = LockClient.connect(this.server.connectString(),
				Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(FaultScenario.WAIT).build());
		// A single try does not wait until the provider has heard of the connection.
		client.locks().acquire(LockRequest.of(UUID.randomUUID().toString()).withWait(Duration.ofSeconds(30))).release();
		return client;
	}

	LockRequest request() {
		return this.request;
	}

	LockClient<ZooKeeperLockProvider> holder() {
		return this.holder;
	}

	LockClient<ZooKeeperLockProvider> other() {
		return this.other;
	}

	LockHandle take() {
		return this.holder.locks().acquire(this.request.withLockAtLeastFor(AT_LEAST));
	}

	void assertOtherIsRefused() {
		LockNotAcquiredException refusal = Refusal
			.of(() -> this.other.locks().acquire(this.request.withWait(Duration.ZERO).withOwner("another")));
		assertThat(refusal).hasMessageContaining("; held by ")
			.hasMessageContaining("; its last holder keeps it at least 8s");
	}

	void awaitStampOnly() {
		eventually().until(() -> left().size() == 1 && left().get(0).contains("-least-8000-"));
	}

	void awaitNothingLeft() {
		eventually().until(() -> left().isEmpty());
	}

	String directory() {
		return "/locks/" + LockPaths.encode(this.request.key());
	}

	List<String> left() {
		return this.server.children(directory());
	}

	@Override
	public void close() {
		this.other.close();
		this.holder.close();
	}

	static ConditionFactory eventually() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

	/**
	 * How a client ends.
	 */
	enum End {

		CLOSED_PROVIDER, CLOSED_CLIENT, EXPIRED_SESSION;

		void happen(AtLeastScene scene) {
			switch (this) {
				case CLOSED_PROVIDER -> scene.holder.locks().close();
				case CLOSED_CLIENT -> scene.holder.curator().close();
				case EXPIRED_SESSION -> scene.server.killSession(scene.holder.sessionId());
			}
		}

	}

}
