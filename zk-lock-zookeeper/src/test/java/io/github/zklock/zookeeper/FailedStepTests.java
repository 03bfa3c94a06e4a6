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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.Sabotage.Request;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An {@link Error} inside of the locks, wherever it comes from, is not the end: whoever
 * asks is answered, the next one gets the lock, and nothing is left behind.
 */
@Tag("server")
class FailedStepTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final int CALLS = 6;

	private static final int MANY_KEYS = 40;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final AtomicInteger keys = new AtomicInteger();

	private final Sabotage sabotage = new Sabotage();

	private final AtomicInteger refusals = new AtomicInteger();

	private final String key = "failed-" + keys.incrementAndGet();

	private volatile Supplier<? extends Error> aclError;

	private volatile String aclPath = this.key;

	private FaultProxy network;

	private LockClient<ZooKeeperLockProvider> victim;

	private LockClient<ZooKeeperLockProvider> rival;

	@BeforeEach
	void connect() {
		this.network = new FaultProxy(server);
		CuratorFramework curator = this.sabotage.client(this.network.connectString(), (int) SESSION_TIMEOUT.toMillis());
		this.victim = new LockClient<>(curator,
				ZooKeeperLockProvider.builder(curator)
					.serverTick(ZooKeeperServerFixture.TICK)
					.aclProvider(new FailingAcls())
					.build());
		this.rival = LockClient.connect(server.connectString(), SESSION_TIMEOUT,
				(other) -> ZooKeeperLockProvider.builder(other).serverTick(ZooKeeperServerFixture.TICK).build());
		assertThat(this.victim.sessionId()).isNotZero();
	}

	@AfterEach
	void disconnect() {
		this.victim.close();
		this.rival.close();
		this.network.close();
	}

	static Stream<Arguments> requests() {
		List<Supplier<Error>> errors = List.of(() -> new StackOverflowError("injected"),
				() -> new OutOfMemoryError("injected"));
		return Stream
			.of(Request.CREATE, Request.DELETE, Request.LIST, Request.GET_DATA, Request.MULTI, Request.MULTI_READ)
			.flatMap((request) -> Stream.of(false, true)
				.flatMap((after) -> errors.stream().map((error) -> Arguments.of(request, after, error))));
	}

	@ParameterizedTest(name = "{0}, sent: {1}")
	@MethodSource("requests")
	void errorWithARequestIsNotTheEnd(Request request, boolean after, Supplier<Error> error) throws Exception {
		for (int times = 1; times <= 3; times++) {
			this.sabotage.arm(request, after, times, error);
			useManyTimes();
			useManyKeys();
			use(this.victim, this.key + "-fresh-" + times);
			this.sabotage.disarm();
			assertAllIsWell();
		}
		assertThat(this.sabotage.thrown()).isPositive();
	}

	@ParameterizedTest(name = "{0}, sent: {1}")
	@MethodSource("afterwards")
	void errorWhileItIsFoundOutWhatBecameOfANodeIsNotTheEnd(Request request, boolean after, Supplier<Error> error)
			throws Exception {
		use(this.victim, this.key);
		this.network.on(ZooKeeperOperation.CREATE, this.key).killAfter();
		this.sabotage.arm(request, after, 1, error);
		answered(use(request(Duration.ofSeconds(10))));
		assertThat(this.sabotage.thrown()).isPositive();
		assertAllIsWell();
	}

	static Stream<Arguments> afterwards() {
		return Stream.of(Request.DELETE, Request.EXISTS)
			.flatMap((request) -> Stream.of(false, true)
				.map((after) -> Arguments.of(request, after,
						(Supplier<Error>) () -> new StackOverflowError("injected"))));
	}

	@Test
	void requestsGoOnThoughTheListingBehindTheirCreationsWasNotSent() {
		useManyKeys();
		this.sabotage.arm(Request.MULTI_READ, false, 1, () -> new OutOfMemoryError("injected"));
		List<CompletableFuture<Void>> calls = IntStream.range(0, MANY_KEYS)
			.mapToObj((i) -> use(LockRequest.of(this.key + "-beside-" + i).withWait(WAIT)))
			.toList();
		calls.forEach(this::grantedOrLostUnused);
		assertThat(this.sabotage.thrown()).isOne();
		assertAllIsWell();
	}

	// A lock that was granted just before the failure is lost before its caller has it.
	private void grantedOrLostUnused(CompletableFuture<Void> call) {
		try {
			call.orTimeout(WAIT.toSeconds(), TimeUnit.SECONDS).join();
		}
		catch (CompletionException ex) {
			assertThat(ex.getCause()).isInstanceOf(LockUnavailableException.class)
				.hasMessageContaining("it was lost before it could be used");
		}
	}

	@Test
	void errorOfTheAclProviderIsNotTheEnd() throws Exception {
		this.aclError = () -> new StackOverflowError("injected");
		useManyTimes();
		this.aclError = null;
		assertThat(this.refusals).hasPositiveValue();
		assertAllIsWell();
	}

	@Test
	void errorWithAHeartbeatLosesTheLockAndTheNextOneIsKeptAlive() throws Exception {
		LockHandle held = this.victim.locks().acquire(request(WAIT));
		CompletableFuture<LockLoss> told = new CompletableFuture<>();
		held.onLost((lost) -> told.complete(lost.loss()));
		this.sabotage.arm(Request.SET_DATA, false, 1, () -> new OutOfMemoryError("injected"));
		assertThat(told.get(WAIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LockLoss.ENGINE_FAILED);
		assertThat(held.state()).isEqualTo(LockState.LOST);
		held.release();
		LockHandle next = this.victim.locks().acquire(request(WAIT));
		awaitHeartbeats();
		Awaitility.await().until(next::isHeld);
		next.release();
		assertAllIsWell();
	}

	@Test
	void errorOfTheAclProviderForTheNodeOfHeartbeatsDoesNotEndHeartbeats() throws Exception {
		this.aclPath = "~sessions";
		this.aclError = () -> new StackOverflowError("injected");
		LockHandle held = this.victim.locks().acquire(request(WAIT));
		Awaitility.await().until(() -> this.refusals.get() > 0);
		this.aclError = null;
		awaitHeartbeats();
		Awaitility.await().until(held::isHeld);
		held.release();
		assertAllIsWell();
	}

	@Test
	void requestThatWaitsWhenAStepFailsGoesOn() throws Exception {
		LockHandle held = this.rival.locks().acquire(request(WAIT));
		this.sabotage.arm(Request.GET_DATA, false, 1, () -> new OutOfMemoryError("injected"));
		CompletableFuture<LockHandle> waiting = this.victim.locks().acquireAsync(request(WAIT));
		Awaitility.await().until(() -> this.sabotage.thrown() == 1);
		assertThat(waiting).isNotDone();
		held.release();
		waiting.get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
		assertAllIsWell();
	}

	@Test
	void requestsThatSeveralErrorsHitFailWithTheirReason() throws Exception {
		LockHandle held = this.rival.locks().acquire(request(WAIT));
		this.sabotage.arm(Request.GET_DATA, false, 2, () -> new OutOfMemoryError("injected"));
		CompletableFuture<LockHandle> waiting = this.victim.locks().acquireAsync(request(WAIT));
		assertThat(waiting).failsWithin(WAIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("a step of the lock engine has failed twice");
		held.release();
		assertAllIsWell();
	}

	static Stream<Supplier<Throwable>> lookFailures() {
		return Stream.of(() -> new OutOfMemoryError("injected"), () -> new IllegalStateException("injected"));
	}

	@ParameterizedTest
	@MethodSource("lookFailures")
	void lookThatMayNotHaveBeenSentIsAnsweredOnce(Supplier<Throwable> failure) {
		use(this.victim, this.key);
		this.sabotage.arm(Request.LIST, true, 1, failure);
		use(this.victim, this.key, Duration.ZERO);
		assertThat(this.sabotage.thrown()).isOne();
		Awaitility.await().untilAsserted(() -> assertThat(server.children("/locks/" + this.key)).isEmpty());
		assertAllIsWell();
	}

	@Test
	void lockIsLostBeforeAnotherClientHoldsItWhenAStepForOthersFails() throws Exception {
		LockHandle reader = this.victim.locks().acquire(request(WAIT).withMode(LockMode.READ));
		CompletableFuture<LockLoss> told = new CompletableFuture<>();
		reader.onLost((lost) -> told.complete(lost.loss()));
		CompletableFuture<LockState> atGrant = this.rival.locks()
			.acquireAsync(request(WAIT))
			.thenCompose((writer) -> writer.releaseAsync().thenApply((released) -> reader.state()));
		Awaitility.await().until(() -> server.children("/locks/" + this.key).size() == 2);
		this.sabotage.arm(Request.LIST, false, 1, () -> new OutOfMemoryError("injected"));
		answered(use(request(Duration.ofMillis(500)).withMode(LockMode.READ)));
		assertThat(reader.state()).isEqualTo(LockState.LOST);
		assertThat(told.get(WAIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LockLoss.ENGINE_FAILED);
		assertThat(atGrant.get(WAIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LockState.LOST);
		reader.release();
		this.sabotage.disarm();
		assertAllIsWell();
	}

	@Test
	void sessionOfTheClientLivesOn() {
		long session = this.victim.sessionId();
		this.sabotage.arm(Request.LIST, false, 1, () -> new OutOfMemoryError("injected"));
		use(this.victim, this.key);
		assertAllIsWell();
		assertThat(this.victim.sessionId()).isEqualTo(session);
	}

	// For longer than the lease.
	private void awaitHeartbeats() {
		long before = heartbeats();
		Awaitility.await().until(() -> heartbeats() >= before + 6);
	}

	private long heartbeats() {
		return this.network.requests().count(ZooKeeperOperation.SET_DATA, "~sessions")
				+ this.network.requests().count(ZooKeeperOperation.CREATE, "~sessions");
	}

	private void useManyTimes() throws Exception {
		LockHandle held = this.rival.locks().acquire(request(WAIT));
		List<CompletableFuture<Void>> calls = new ArrayList<>();
		for (int i = 0; i < CALLS; i++) {
			LockMode mode = (i % 2 == 0) ? LockMode.EXCLUSIVE : LockMode.READ;
			calls.add(use(request(Duration.ofSeconds(10)).withMode(mode)));
		}
		calls.add(use(request(Duration.ZERO)));
		held.releaseAsync().get(WAIT.toSeconds(), TimeUnit.SECONDS);
		calls.forEach(this::answered);
	}

	// Requests for many keys at once go out together.
	private void useManyKeys() {
		IntStream.range(0, MANY_KEYS)
			.mapToObj((i) -> use(LockRequest.of(this.key + "-beside-" + i).withWait(Duration.ofSeconds(10))))
			.toList()
			.forEach(this::answered);
	}

	private CompletableFuture<Void> use(LockRequest request) {
		return this.victim.locks().acquireAsync(request).thenCompose(LockHandle::releaseAsync);
	}

	private LockRequest request(Duration wait) {
		return LockRequest.of(this.key).withWait(wait);
	}

	private void answered(CompletableFuture<?> call) {
		try {
			call.orTimeout(WAIT.toSeconds(), TimeUnit.SECONDS).join();
		}
		catch (CompletionException ex) {
			assertThat(ex.getCause()).isInstanceOf(LockException.class);
		}
	}

	private void use(LockClient<ZooKeeperLockProvider> client, String name) {
		use(client, name, WAIT);
	}

	private void use(LockClient<ZooKeeperLockProvider> client, String name, Duration wait) {
		try {
			client.locks().acquire(LockRequest.of(name).withWait(wait)).release();
		}
		catch (LockException ex) {
			assertThat(this.sabotage.thrown()).isPositive();
		}
	}

	private void assertAllIsWell() {
		for (LockClient<ZooKeeperLockProvider> client : List.of(this.victim, this.rival)) {
			for (LockMode mode : List.of(LockMode.EXCLUSIVE, LockMode.READ)) {
				LockHandle handle = client.locks().acquire(request(WAIT).withMode(mode));
				assertThat(handle.isHeld()).isTrue();
				handle.release();
			}
		}
		Awaitility.await().atMost(WAIT).untilAsserted(() -> {
			assertThat(server.children("/locks")).filteredOn((name) -> name.startsWith(this.key))
				.allSatisfy((name) -> assertThat(server.children("/locks/" + name)).isEmpty());
			assertThat(this.victim.locks().heldLocks()).isZero();
			assertThat(this.victim.locks().pendingDeletes()).isZero();
			assertThat(this.victim.locks().engine.queues.withoutNode(this.key)).isZero();
		});
	}

	private final class FailingAcls implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.OPEN_ACL_UNSAFE;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			Supplier<? extends Error> error = FailedStepTests.this.aclError;
			if (error != null && path.contains(FailedStepTests.this.aclPath)) {
				FailedStepTests.this.refusals.incrementAndGet();
				throw error.get();
			}
			return getDefaultAcl();
		}

	}

}
