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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A node that a client has put into the queue of a key, with an ACL that lets no other
 * client read it. It is one node like others: requests behind it wait until it is gone.
 */
@Tag("server")
class HostileClientHiddenNodeTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final String key = "hidden-" + UUID.randomUUID();

	private final String directory = "/locks/" + this.key;

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
			Duration.ofSeconds(60), (curator) -> ZooKeeperLockProvider.builder(curator).build());

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> other = LockClient.connect(server.connectString(),
			Duration.ofSeconds(60), (curator) -> ZooKeeperLockProvider.builder(curator).build());

	@AutoClose
	private final HostileClient stranger = HostileClient.connectAs(server.connectString(),
			"stranger:" + Secrets.password());

	@Test
	void requestsWaitBehindANodeThatTheyMayNotReadAndAreGrantedWhenItIsGone() throws Exception {
		this.client.locks().acquire(request()).release();
		String hidden = this.stranger.enter(this.directory, "z1-1-", LockMode.EXCLUSIVE);
		CompletableFuture<LockHandle> first = this.client.locks().acquireAsync(request());
		await().atMost(PATIENCE).until(() -> server.children(this.directory).size() == 2);
		CompletableFuture<LockHandle> second = this.other.locks().acquireAsync(request());
		await().atMost(PATIENCE).until(() -> server.children(this.directory).size() == 3);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.other.locks().acquire(request().withWait(Duration.ofSeconds(2))));
		assertThat(first).isNotDone();
		assertThat(second).isNotDone();
		this.stranger.zooKeeper().delete(hidden, -1);
		LockHandle one = first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		assertThat(second).as("another holder at the same time").isNotDone();
		one.release();
		second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
		assertThat(server.children(this.directory)).isEmpty();
	}

	private LockRequest request() {
		return LockRequest.of(this.key).withWait(PATIENCE);
	}

}
