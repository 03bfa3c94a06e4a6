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

package io.github.zklock.zookeeper.local;

import java.time.Duration;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.session.LockNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The transaction of a node leaves room for the tokens of its holders up to the election
 * number 524,287. Beyond that a token would be negative, and less than earlier ones.
 */
@Tag("server")
class TokenLimitTests {

	private static final LockRequest REQUEST = LockRequest.of("tokens").withWait(Duration.ofSeconds(30));

	private static final long LAST = (1L << 51) - 1;

	@AutoClose
	private final ZooKeeperServerFixture server = new ZooKeeperServerFixture().start();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = LockClient.connect(this.server.connectString(),
			Duration.ofSeconds(20), (curator) -> ZooKeeperLockProvider.builder(curator).build());

	@ParameterizedTest
	@ValueSource(longs = { LAST, 1L << 62, Long.MIN_VALUE })
	void lockWithoutAPositiveTokenIsRefused(long transaction) {
		this.client.locks().acquire(REQUEST).release();
		this.server.setTransaction(transaction);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.client.locks().acquire(REQUEST))
			.withMessageContaining("fencing token");
		Awaitility.await().until(() -> this.server.children("/locks/tokens").isEmpty());
	}

	@Test
	void tokenOfTheLastTransactionIsTheGreatest() {
		this.client.locks().acquire(REQUEST).release();
		this.server.setTransaction(LAST - 1);
		LockHandle last = this.client.locks().acquire(REQUEST);
		assertThat(last.fencingToken()).isEqualTo(LAST * LockNode.MAX_GRANTS);
		last.release();
	}

}
