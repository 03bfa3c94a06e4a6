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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Nodes with names so long that a client cannot read their listing cut its connection
 * twice, and no more: the key is refused, and the locks of other keys stay.
 */
@Tag("server")
class PoisonedKeyTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	// Two of them are longer than a client reads by default, and one is not.
	private static final int LENGTH = 600_000;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultProxy network = new FaultProxy(server);

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = LockClient.connect(this.network.connectString(),
			Duration.ofSeconds(60), (curator) -> ZooKeeperLockProvider.builder(curator).build());

	@AutoClose
	private final HostileClient stranger = HostileClient.connect(server.connectString());

	private final AtomicInteger cuts = new AtomicInteger();

	private final String poisoned = "poisoned-" + UUID.randomUUID();

	private final String directory = "/locks/" + this.poisoned;

	@BeforeEach
	void poison() throws Exception {
		this.client.curator().getConnectionStateListenable().addListener((curator, state) -> {
			if (state == ConnectionState.SUSPENDED) {
				this.cuts.incrementAndGet();
			}
		});
		this.stranger.poison(this.directory, 2, LENGTH);
	}

	@Test
	void keyIsRefusedAndTheLocksOfOtherKeysStay() throws Exception {
		LockHandle held = this.client.locks().acquire(request("held"));
		long token = held.fencingToken();
		assertRefused();
		assertRefused();
		await().atMost(PATIENCE).until(() -> held.state() == LockState.HELD);
		assertThat(held.fencingToken()).isEqualTo(token);
		this.client.locks().acquire(request("other")).release();
		held.release();
		assertNoMoreCutsThan(2);
		assertThat(server.children(this.directory)).as("only the nodes of the stranger").hasSize(2);
	}

	@Test
	void manyRequestsAtOnceForThisAndOtherKeysCostNoMoreCuts() throws Exception {
		List<CompletableFuture<LockHandle>> others = new ArrayList<>();
		List<CompletableFuture<LockHandle>> refused = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			others.add(this.client.locks().acquireAsync(request("other-" + i)));
			if (i % 10 == 0) {
				refused
					.add(this.client.locks().acquireAsync(LockRequest.of(this.poisoned).withWait(LockRequest.FOREVER)));
			}
		}
		for (CompletableFuture<LockHandle> other : others) {
			other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
		}
		for (CompletableFuture<LockHandle> attempt : refused) {
			assertThat(attempt).failsWithin(PATIENCE)
				.withThrowableThat()
				.withCauseInstanceOf(LockUnavailableException.class);
		}
		assertNoMoreCutsThan(2);
	}

	@Test
	void sweepForANodeWhoseCreationWasNeverConfirmedDoesNotCutTheConnectionAgainAndAgain() throws Exception {
		this.network.on(ZooKeeperOperation.CREATE, "lock-").killAfter();
		assertRefused();
		assertNoMoreCutsThan(3);
		this.client.locks().acquire(request("other")).release();
	}

	@Test
	void inspectionsOfTheKeyAreRefusedAfterTwoCutsAndHeldLocksStay() throws Exception {
		LockHandle held = this.client.locks().acquire(request("held"));
		for (int i = 0; i < 4; i++) {
			assertThatExceptionOfType(ZooKeeperInspectionException.class).isThrownBy(this::inspect);
			await().atMost(PATIENCE).until(() -> held.state() == LockState.HELD);
		}
		assertThatExceptionOfType(ZooKeeperInspectionException.class).isThrownBy(this::inspect)
			.withMessageContaining(this.directory)
			.withMessageContaining("jute.maxbuffer");
		assertRefused();
		assertThat(this.client.locks().inspector().queue("held", PATIENCE).contenders()).hasSize(1);
		held.release();
		assertNoMoreCutsThan(2);
	}

	@Test
	void keyWorksAgainOnceTheNodesAreGoneForAClientThatHasNotListedIt() throws Exception {
		assertRefused();
		for (String name : server.children(this.directory)) {
			deleteIfThere(this.directory + "/" + name);
		}
		try (LockClient<ZooKeeperLockProvider> other = LockClient.connect(server.connectString(), PATIENCE,
				(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			other.locks().acquire(request(this.poisoned)).release();
		}
	}

	// The refused client deletes its own node at the same time.
	private void deleteIfThere(String path) throws Exception {
		try {
			this.stranger.zooKeeper().delete(path, -1);
		}
		catch (NoNodeException ex) {
			assertThat(ex.getPath()).isEqualTo(path);
		}
	}

	private void inspect() {
		this.client.locks().inspector().queue(this.poisoned, PATIENCE);
	}

	private void assertRefused() {
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.client.locks().acquire(request(this.poisoned)))
			.withMessageContaining(this.directory)
			.withMessageContaining("jute.maxbuffer");
	}

	// A sweep used to list every two seconds.
	private void assertNoMoreCutsThan(int most) {
		await().during(Duration.ofSeconds(5)).atMost(PATIENCE).until(this.cuts::get, (cuts) -> cuts <= most);
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withWait(PATIENCE);
	}

}
