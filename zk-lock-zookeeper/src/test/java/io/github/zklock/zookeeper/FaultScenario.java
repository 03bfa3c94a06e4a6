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
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A scene for faults: a victim behind a bad network, a rival on a good one, and a key.
 * The directory of the key exists, so every request is the one that the fault is planned
 * for. What is left of the key is looked for while both clients are open, since the end
 * of a session would hide it.
 */
public final class FaultScenario implements AutoCloseable {

	public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

	/**
	 * For what has to happen before the server ends the session, which would hide that
	 * something was left behind.
	 */
	public static final Duration PATIENCE = SESSION_TIMEOUT.dividedBy(2);

	/**
	 * For who asks for a lock and gets it if all goes well.
	 */
	public static final Duration WAIT = Duration.ofSeconds(30);

	private final String key = UUID.randomUUID().toString();

	private final ZooKeeperServerFixture server;

	private final FaultProxy network;

	private final LockClient<LockProvider> victim;

	private final LockClient<LockProvider> rival;

	public FaultScenario(ZooKeeperServerFixture server, Function<CuratorFramework, LockProvider> provider) {
		this(server, SESSION_TIMEOUT, provider);
	}

	public FaultScenario(ZooKeeperServerFixture server, Duration sessionTimeout,
			Function<CuratorFramework, LockProvider> provider) {
		this.server = server;
		this.network = new FaultProxy(server);
		this.victim = LockClient.connect(this.network.connectString(), sessionTimeout, provider);
		this.rival = LockClient.connect(server.connectString(), sessionTimeout, provider);
		this.victim.locks().acquire(request(PATIENCE)).release();
		this.rival.locks().acquire(request(PATIENCE)).release();
	}

	/**
	 * Return a scene with our own locks, the tick of the server in this JVM, and time for
	 * non-blocking attempts on a busy machine.
	 */
	public static FaultScenario ours(ZooKeeperServerFixture server, Duration sessionTimeout) {
		return new FaultScenario(server, sessionTimeout,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.serverTick(ZooKeeperServerFixture.TICK)
					.tryTimeout(WAIT)
					.build());
	}

	/**
	 * Return how many heartbeats the victim has sent.
	 */
	public long heartbeats() {
		return this.network.requests().count(ZooKeeperOperation.SET_DATA, "~sessions")
				+ this.network.requests().count(ZooKeeperOperation.CREATE, "~sessions");
	}

	public FaultProxy network() {
		return this.network;
	}

	ZooKeeperServerFixture server() {
		return this.server;
	}

	public LockClient<LockProvider> victim() {
		return this.victim;
	}

	public LockClient<LockProvider> rival() {
		return this.rival;
	}

	public LockRequest request(Duration wait) {
		return LockRequest.of(this.key).withWait(wait);
	}

	public String directory() {
		return "/locks/" + this.key;
	}

	/**
	 * Return a client on the good network each of whose requests has a node of its own.
	 */
	public LockClient<ZooKeeperLockProvider> strict() {
		return LockClient.connect(this.server.connectString(), SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).fairness(Fairness.STRICT).build());
	}

	/**
	 * Let a client ask for the lock, until the queue has that many nodes.
	 */
	public CompletableFuture<LockHandle> enter(LockClient<? extends LockProvider> client, int nodes) {
		CompletableFuture<LockHandle> handle = client.locks().acquireAsync(request(WAIT));
		awaitNodes(nodes);
		return handle;
	}

	public void awaitNodes(int count) {
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> left().size() == count);
	}

	/**
	 * Let the victim give up its session and open another, while the server keeps the old
	 * one.
	 */
	public void giveUpSession() {
		long before = this.victim.sessionId();
		// A client that is quick enough would close the session in an orderly way.
		this.network.on(ZooKeeperOperation.CLOSE_SESSION).killBefore();
		this.victim.giveUpSession();
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> this.victim.sessionId() != before);
		this.network.clearPlans();
		assertThat(this.server.isAlive(before)).isTrue();
	}

	/**
	 * Let the victim use the lock.
	 */
	public void useLock() {
		LockHandle handle = this.victim.locks().acquire(request(Duration.ofSeconds(20)));
		assertThat(handle.isHeld()).isTrue();
		handle.release();
	}

	/**
	 * Check that all planned faults happened, that they left nothing once the victim is
	 * connected again, and that others can lock.
	 */
	public void assertNothingLeft() {
		assertNothingLeft(PATIENCE);
	}

	/**
	 * Check the same with less patience, where something is expected to be left.
	 * @param patience how long to wait for it
	 */
	public void assertNothingLeft(Duration patience) {
		Awaitility.await("faults").untilAsserted(() -> assertThat(this.network.pending()).isEmpty());
		assertThat(this.victim.sessionId()).isNotZero();
		Awaitility.await("nothing left of " + directory())
			.atMost(patience)
			.pollInterval(Duration.ofMillis(10))
			.untilAsserted(() -> assertThat(left()).isEmpty());
		this.rival.locks().acquire(request(patience)).release();
	}

	/**
	 * Return what is left of the key.
	 * @return the names of the nodes
	 */
	public List<String> left() {
		return this.server.children(directory());
	}

	@Override
	public void close() {
		this.network.clearPlans();
		this.network.heal();
		this.victim.close();
		this.rival.close();
		this.network.close();
	}

}
