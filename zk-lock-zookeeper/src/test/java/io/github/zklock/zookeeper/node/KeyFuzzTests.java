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
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.state.ConnectionState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any text is locked under a name of its own or refused before anything is sent, and no
 * text costs the client its connection. {@code -Dkeys=100000} tries more of them,
 * {@code -Dseed=1} others.
 */
@Tag("server")
class KeyFuzzTests {

	private static final Logger logger = LoggerFactory.getLogger(KeyFuzzTests.class);

	private static final int KEYS = Integer.getInteger("keys", 10_000);

	private static final long SEED = Long.getLong("seed", 42);

	private static final int AT_ONCE = 256;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Queue<ConnectionState> states = new ConcurrentLinkedQueue<>();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	private final AtomicInteger locked = new AtomicInteger();

	private final Semaphore room = new Semaphore(AT_ONCE);

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
			Duration.ofSeconds(20),
			(curator) -> ZooKeeperLockProvider.builder(curator)
				.limits(LockLimits.DEFAULT.withKeyLength(LockRequest.MAX_KEY_LENGTH))
				.build());

	@Test
	void everyKeyIsLockedUnderItsOwnNameOrRefused() {
		this.client.curator().getConnectionStateListenable().addListener((curator, state) -> this.states.add(state));
		Random random = new Random(SEED);
		Set<String> names = new HashSet<>();
		Set<String> distinct = new HashSet<>();
		int refused = 0;
		for (int i = 0; i < KEYS; i++) {
			String key = FuzzKeys.next(random);
			try {
				LockRequest request = LockRequest.of(key).withWait(Duration.ofSeconds(60));
				if (distinct.add(key)) {
					names.add(this.client.locks().pathOf(key));
					lock(request);
				}
			}
			catch (LockKeyException ex) {
				assertThat(FuzzKeys.isToBeRefused(key)).as("%s", ex.getMessage()).isTrue();
				refused++;
			}
		}
		this.room.acquireUninterruptibly(AT_ONCE);
		logger.info("{} keys, seed {}: {} locked, {} refused", KEYS, SEED, this.locked, refused);
		assertThat(this.failures).isEmpty();
		// The listeners may hear late of the connection that was waited for.
		assertThat(this.states).as("changes of the connection")
			.allSatisfy((state) -> assertThat(state).isEqualTo(ConnectionState.CONNECTED));
		assertThat(names).hasSameSizeAs(distinct);
		assertThat(this.locked).hasValue(distinct.size()).hasValueGreaterThan(KEYS / 2);
		assertThat(refused).isGreaterThan(KEYS / 100);
		Awaitility.await()
			.untilAsserted(() -> assertThat(names).allSatisfy((path) -> assertThat(server.children(path)).isEmpty()));
	}

	private void lock(LockRequest request) {
		this.room.acquireUninterruptibly();
		this.client.locks().acquireAsync(request).thenCompose((handle) -> {
			check(handle);
			return handle.releaseAsync();
		}).whenComplete((released, failure) -> {
			if (failure != null) {
				this.failures.add(failure);
			}
			this.room.release();
		});
	}

	private void check(LockHandle handle) {
		String path = this.client.locks().pathOf(handle.key());
		String name = path.substring(path.lastIndexOf('/') + 1);
		List<String> nodes = server.children(path);
		if (nodes.size() != 1 || (!LockPaths.isCut(name) && !LockPaths.decode(name).equals(handle.key()))) {
			throw new AssertionError("'" + handle.key() + "' has the nodes " + nodes + " under " + path);
		}
		this.locked.incrementAndGet();
	}

}
