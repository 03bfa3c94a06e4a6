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

package io.github.zklock.zookeeper.node;

import java.time.Duration;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The number of a node has 32 bits. A key that has used them up would have two holders,
 * since the next number is a negative one; long before that nobody gets the lock.
 */
@Tag("server")
class SequenceLimitTests {

	private static final String KEY = "used-up";

	private static final String DIRECTORY = "/locks/" + KEY;

	private static final LockRequest REQUEST = LockRequest.of(KEY).withWait(Duration.ofSeconds(20));

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = connect();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> rival = connect();

	@ParameterizedTest
	@ValueSource(ints = { (int) QueueNode.MAX_SEQUENCE + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1 })
	void nobodyGetsTheLockBeyondTheLimitUntilTheNumbersStartAgain(int sequence) throws Exception {
		this.client.locks().acquire(REQUEST).release();
		server.setSequence(DIRECTORY, sequence);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.client.locks().acquire(REQUEST))
			.withMessageContaining("sequence numbers under " + DIRECTORY + " are used up");
		Awaitility.await().until(() -> server.children(DIRECTORY).isEmpty());
		this.rival.curator().delete().forPath(DIRECTORY);
		this.client.locks().acquire(REQUEST).release();
	}

	@Test
	void lastHolderKeepsTheLockWhenTheNextOneIsRefused() {
		this.client.locks().acquire(REQUEST).release();
		server.setSequence(DIRECTORY, (int) QueueNode.MAX_SEQUENCE);
		LockHandle last = this.client.locks().acquire(REQUEST);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.rival.locks().acquire(REQUEST));
		assertThat(last.isHeld()).isTrue();
		Awaitility.await().until(() -> server.children(DIRECTORY).size() == 1);
		last.release();
		server.reapContainers();
		Awaitility.await().until(() -> !server.children("/locks").contains(KEY));
		this.rival.locks().acquire(REQUEST).release();
	}

	private static LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
