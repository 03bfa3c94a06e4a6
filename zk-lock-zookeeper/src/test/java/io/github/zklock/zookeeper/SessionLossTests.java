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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.Fault;
import io.github.zklock.support.Waited;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The session ends on the server, so its nodes are gone before the client knows; or the
 * client gives it up, so its nodes stay until the server does the same. Both happen.
 */
@Tag("server")
class SessionLossTests {

	private static final int PATIENCE_SECONDS = 30;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> endOfTheSession() {
		return new ConcurrentTests()
			.add("holder is told and its owner must not reenter", List.of(End.values()),
					this::holderIsToldAndItsOwnerMustNotReenter)
			.add("normal return becomes a failure", List.of(End.values()), this::normalReturnBecomesAFailure)
			.add("waiter enters the queue again", List.of(End.values()), this::waiterEntersTheQueueAgain)
			.add("waiter waits no longer for it", List.of(End.values()), this::waiterWaitsNoLongerForIt)
			.add("session that ends before a reply is not mistaken for a lock", List.of(Step.values()),
					this::sessionThatEndsBeforeAReplyIsNotMistakenForALock)
			.stream();
	}

	private void holderIsToldAndItsOwnerMustNotReenter(End end) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.victim().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			List<LockHandle> told = new CopyOnWriteArrayList<>();
			holder.onLost(told::add);
			end.happen(scenario);
			Awaitility.await().untilAsserted(() -> assertThat(told).containsExactly(holder));
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> scenario.victim().locks().acquire(scenario.request(FaultScenario.PATIENCE)));
			LockHandle next = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			holder.release();
			assertThat(next.isHeld()).isTrue();
			assertThat(scenario.left()).hasSize(1);
			next.release();
			scenario.assertNothingLeft();
		}
	}

	private void normalReturnBecomesAFailure(End end) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockTemplate template = new LockTemplate(scenario.victim().locks());
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> template.execute(scenario.request(FaultScenario.PATIENCE), (handle) -> {
					end.happen(scenario);
					Awaitility.await().until(() -> handle.state() == LockState.LOST);
					return "done";
				}));
			scenario.assertNothingLeft();
		}
	}

	private void waiterEntersTheQueueAgain(End end) throws Exception {
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			CompletableFuture<LockHandle> waiting = waitBehind(scenario, Duration.ofSeconds(30));
			long before = scenario.victim().sessionId();
			end.happen(scenario);
			Awaitility.await()
				.atMost(FaultScenario.PATIENCE)
				.untilAsserted(() -> assertThat(owners(scenario)).hasSize(2).doesNotContain(before));
			assertThat(waiting).isNotDone();
			holder.release();
			LockHandle granted = waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
			assertThat(owners(scenario)).containsExactly(scenario.victim().sessionId());
			granted.release();
			scenario.assertNothingLeft();
		}
	}

	private void waiterWaitsNoLongerForIt(End end) throws Exception {
		Duration wait = Duration.ofSeconds(3);
		try (FaultScenario scenario = ours()) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			Waited.atLeast(wait, () -> {
				CompletableFuture<LockHandle> waiting = waitBehind(scenario, wait);
				end.happen(scenario);
				assertThat(catchThrowable(() -> waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS))).cause()
					.isInstanceOfAny(LockNotAcquiredException.class, LockUnavailableException.class);
			});
			holder.release();
			scenario.assertNothingLeft();
		}
	}

	private void sessionThatEndsBeforeAReplyIsNotMistakenForALock(Step step) throws Exception {
		try (FaultScenario scenario = ours()) {
			Fault held = scenario.network().on(step.operation, scenario.directory()).holdReply();
			CompletableFuture<LockHandle> acquiring = CompletableFuture
				.supplyAsync(() -> scenario.victim().locks().acquire(scenario.request(Duration.ofSeconds(30))));
			held.awaitFired();
			step.end.happen(scenario);
			held.release();
			LockHandle granted = acquiring.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
			// It may have been granted before anybody could know, but not for long.
			Awaitility.await()
				.atMost(FaultScenario.PATIENCE)
				.until(() -> (granted.state() == LockState.LOST) ? scenario.left().isEmpty()
						: owners(scenario).equals(List.of(scenario.victim().sessionId())));
			granted.release();
			scenario.assertNothingLeft();
		}
	}

	@Test
	void restartOfTheServerKeepsHolderTokenAndOrder() throws Exception {
		try (ZooKeeperServerFixture restarted = new ZooKeeperServerFixture().start();
				FaultScenario scenario = new FaultScenario(restarted,
						(curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle holder = scenario.rival().locks().acquire(scenario.request(FaultScenario.PATIENCE));
			long token = holder.fencingToken();
			CompletableFuture<LockHandle> waiting = waitBehind(scenario, Duration.ofSeconds(30));
			List<String> queue = scenario.left();
			restarted.stop();
			Awaitility.await().until(() -> holder.state() == LockState.UNCERTAIN);
			restarted.start();
			Awaitility.await().until(holder::isHeld);
			assertThat(holder.fencingToken()).isEqualTo(token);
			assertThat(scenario.victim().sessionId()).isNotZero();
			assertThat(scenario.left()).isEqualTo(queue);
			assertThat(waiting).isNotDone();
			holder.release();
			waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS).release();
			scenario.assertNothingLeft();
		}
	}

	private static CompletableFuture<LockHandle> waitBehind(FaultScenario scenario, Duration wait) {
		CompletableFuture<LockHandle> waiting = scenario.victim().locks().acquireAsync(scenario.request(wait));
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> scenario.left().size() == 2);
		return waiting;
	}

	private static List<Long> owners(FaultScenario scenario) {
		return scenario.left().stream().map((name) -> server.owner(scenario.directory() + "/" + name)).toList();
	}

	private static FaultScenario ours() {
		return new FaultScenario(server, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	enum End {

		BY_SERVER, BY_CLIENT;

		void happen(FaultScenario scenario) {
			if (this == BY_SERVER) {
				server.killSession(scenario.victim().sessionId());
			}
			else {
				scenario.giveUpSession();
			}
		}

	}

	enum Step {

		CREATE_BY_SERVER(ZooKeeperOperation.CREATE, End.BY_SERVER),

		CREATE_BY_CLIENT(ZooKeeperOperation.CREATE, End.BY_CLIENT),

		LIST_BY_SERVER(ZooKeeperOperation.GET_CHILDREN, End.BY_SERVER),

		LIST_BY_CLIENT(ZooKeeperOperation.GET_CHILDREN, End.BY_CLIENT);

		private final ZooKeeperOperation operation;

		private final End end;

		Step(ZooKeeperOperation operation, End end) {
			this.operation = operation;
			this.end = end;
		}

	}

}
