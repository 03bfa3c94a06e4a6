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

package io.github.zklock.leader;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.leader.LeaderNode.Cleaner;
import io.github.zklock.leader.LeaderNode.Gate;
import io.github.zklock.leader.LeaderNode.Indexer;
import io.github.zklock.leader.LeaderNode.LateIndexer;
import io.github.zklock.leader.LeaderNode.Mailer;
import io.github.zklock.leader.LeadershipRevoked.Reason;
import io.github.zklock.leader.internal.ElectedRoles;
import io.github.zklock.leader.internal.LeaderSettings;
import io.github.zklock.leader.internal.LeaderStatus;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.PayloadApplicationEvent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Beans that run on one node of a cluster, which is played in memory.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderRoleTests {

	private static final String KEY = "leader:indexer";

	private final InMemoryLockProvider cluster = new InMemoryLockProvider();

	private final InMemoryLockTesting locks = new InMemoryLockTesting(this.cluster);

	private final LeaseProvider one = new LeaseProvider(this.cluster.another("one"));

	private final LeaseProvider two = new LeaseProvider(this.cluster.another("two"));

	@AfterEach
	void nothingIsLeft() {
		await().until(() -> this.cluster.keysInUse() == 0);
	}

	@Test
	void beanRunsOnOneNodeAndThenOnTheNext() {
		LeaderNode first = indexer(this.one).start().awaitStarted("indexer");
		try (LeaderNode second = indexer(this.two).start()) {
			this.locks.awaitWaiting(KEY, 1);
			long token = first.current("indexer").fencingToken();
			assertThat(second.leads("indexer")).isFalse();
			assertThat(second.roles().current("indexer")).isEmpty();
			first.close();
			second.awaitStarted("indexer");
			assertThat(first.journal()).containsExactly("granted indexer", "start indexer", "revoked indexer SHUT_DOWN",
					"stop indexer");
			assertThat(second.current("indexer").fencingToken()).isGreaterThan(token);
		}
	}

	@Test
	void everyNodeKnowsWhoLeads() {
		try (LeaderNode first = indexer(this.one).start().awaitStarted("indexer");
				LeaderNode second = indexer(this.two).start()) {
			this.locks.awaitWaiting(KEY, 1);
			assertThat(Stream.of(first, second).map((node) -> node.roles().leader("indexer")))
				.allSatisfy((leader) -> assertThat(leader).map(LockHolder::application).contains("one"));
			assertThat(second.roles().leader("unknown")).isEmpty();
			assertThat(second.roles().roles()).containsExactly("indexer");
		}
		assertThat(this.cluster.keysInUse()).isZero();
	}

	@Test
	void roleOfNoBeanIsRefused() {
		try (LeaderNode node = indexer(this.one).start()) {
			assertThatIllegalArgumentException().isThrownBy(() -> node.roles().isLeader("indexr"))
				.withMessage("No bean has @LeaderRole(\"indexr\"): the roles are [indexer]");
		}
	}

	@Test
	void bodyRunsUnderTheLockOfTheRole() {
		try (LeaderNode node = indexer(this.one).start().awaitStarted("indexer")) {
			Leadership led = node.current("indexer");
			assertThat(led.<Long, RuntimeException>call((handle) -> LockHandle.current().fencingToken()))
				.isEqualTo(led.fencingToken());
		}
	}

	@Test
	void roleIsRevokedWhileTheLeaseIsLeftForStop() {
		this.one.lease = Duration.ofMillis(300);
		Gate flushed = new Gate();
		try (LeaderNode first = indexer(this.one).onStop(flushed::pass).start().awaitStarted("indexer");
				LeaderNode second = indexer(this.two).start();
				flushed) {
			this.locks.awaitWaiting(KEY, 1);
			Leadership led = first.current("indexer");
			InMemoryLockTesting.Outage outage = new InMemoryLockTesting(this.one.locks).interruptConnection();
			this.one.lease = Duration.ofMillis(100);
			first.awaitJournal("stop indexer");
			assertThat(first.revoked()).singleElement().satisfies((event) -> {
				assertThat(event.reason()).isEqualTo(Reason.LEASE_ENDS);
				assertThat(event.deadline()).hasMillis(100);
			});
			assertThat(first.leads("indexer")).isFalse();
			assertThat(first.roles().current("indexer")).containsSame(led);
			led.assertLeader();
			assertThat(second.journal()).isEmpty();
			flushed.open();
			second.awaitStarted("indexer");
			assertThatExceptionOfType(LockLostException.class).isThrownBy(led::assertLeader);
			assertThat(led.remaining()).isZero();
			outage.close();
		}
	}

	// A node without a lock knows little of its lease when it gets the role.
	@Test
	void timeForStopGrowsWithTheLease() {
		this.one.lease = Duration.ofMillis(90);
		try (LeaderNode node = indexer(this.one).start().awaitStarted("indexer")) {
			this.one.lease = Duration.ofMillis(900);
			int before = this.one.reads.get();
			await().until(() -> this.one.reads.get() > before + 3);
			this.one.lease = Duration.ofMillis(250);
			InMemoryLockTesting.Outage outage = new InMemoryLockTesting(this.one.locks).interruptConnection();
			node.awaitJournal("revoked indexer LEASE_ENDS");
			outage.close();
		}
	}

	@Test
	void shortInterruptionRevokesNothing() {
		this.one.lease = Duration.ofMillis(150);
		try (LeaderNode node = indexer(this.one).start().awaitStarted("indexer")) {
			InMemoryLockTesting.Outage outage = new InMemoryLockTesting(this.one.locks).interruptConnection();
			int before = this.one.reads.get();
			await().until(() -> this.one.reads.get() > before + 6);
			node.current("indexer").assertLeader();
			outage.close();
			assertThat(node.leads("indexer")).isTrue();
			assertThat(node.revoked()).isEmpty();
		}
	}

	@Test
	void beansStartWithTheClassLoaderOfTheContext() {
		ClassLoader loader = new ClassLoader(getClass().getClassLoader()) {
		};
		AtomicReference<ClassLoader> seen = new AtomicReference<>();
		try (LeaderNode node = indexer(this.one)
			.onStart(() -> seen.set(Thread.currentThread().getContextClassLoader()))) {
			node.context().setClassLoader(loader);
			node.start().awaitStarted("indexer");
		}
		assertThat(seen.get()).isSameAs(loader);
	}

	@Test
	void stopThatOutlivesTheLeaseIsOneErrorWithItsStack(CapturedOutput output) {
		Gate stopped = new Gate();
		try (LeaderNode first = indexer(this.one).onStop(() -> waitAtTheBottom(stopped))
			.start()
			.awaitStarted("indexer"); LeaderNode second = indexer(this.two).start(); stopped) {
			this.locks.awaitWaiting(KEY, 1);
			Leadership led = first.current("indexer");
			first.roles().yield("indexer");
			first.awaitJournal("stop indexer");
			this.one.locks.loseAll();
			second.awaitStarted("indexer");
			await().until(() -> status(first).overruns() == 1);
			assertThat(led.remaining()).isZero();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(led::assertLeader);
			assertThat(output.toString()).contains("LeaderRoleTests.waitAtTheBottom")
				.containsOnlyOnce("The beans of role 'indexer' had not stopped when its lease ended (token "
						+ led.fencingToken() + ", its session has ended")
				.contains("Let stop() return sooner");
			stopped.open();
			this.locks.awaitWaiting(KEY, 1);
			assertThat(status(first).overruns()).isEqualTo(1);
		}
	}

	@Test
	void roleThatWasLostUnnoticedIsReportedEvenIfStopIsQuick(CapturedOutput output) {
		try (LeaderNode node = indexer(this.one).start().awaitStarted("indexer")) {
			this.one.locks.loseAll();
			node.awaitJournal("revoked indexer LOST", "stop indexer");
			await().until(() -> status(node).overruns() == 1);
			assertThat(output.toString()).containsOnlyOnce("had not stopped when its lease ended")
				.contains("They were notified only after it: look for a pause of the process")
				.doesNotContain("Let stop() return sooner");
			await().until(() -> node.leads("indexer"));
		}
	}

	@Test
	void failedStartGivesTheRoleToAnotherNodeAndIsTriedAgain(CapturedOutput output) {
		AtomicInteger starts = new AtomicInteger();
		try (LeaderNode first = indexer(this.one).onStart(() -> {
			if (starts.incrementAndGet() == 1) {
				this.locks.awaitWaiting(KEY, 1);
				throw new IllegalStateException("The index is damaged");
			}
		}).start()) {
			first.awaitJournal("granted indexer");
			LeaderNode second = indexer(this.two).start().awaitStarted("indexer");
			assertThat(first.journal()).containsExactly("granted indexer", "start indexer",
					"revoked indexer START_FAILED");
			assertThat(output.toString()).contains("Role 'indexer' is given up", "The index is damaged");
			this.locks.awaitWaiting(KEY, 1);
			second.close();
			await().until(() -> starts.get() == 2 && first.leads("indexer"));
		}
	}

	@Test
	void failedListenerOfTheGrantGivesTheRoleUp() {
		AtomicInteger grants = new AtomicInteger();
		try (LeaderNode node = new LeaderNode(this.one, (context) -> context.addApplicationListener((event) -> {
			if (event instanceof PayloadApplicationEvent<?> payload && payload.getPayload() instanceof LeadershipGranted
					&& grants.incrementAndGet() == 1) {
				throw new IllegalStateException("Not now");
			}
		}), Indexer.class)) {
			node.start();
			node.awaitJournal("revoked indexer START_FAILED", "start indexer");
			assertThat(grants).hasValue(2);
		}
	}

	@Test
	void startThatRunsWhenTheRoleIsRevokedIsInterrupted() {
		Gate never = new Gate();
		AtomicInteger starts = new AtomicInteger();
		try (LeaderNode node = indexer(this.one).onStart(() -> {
			if (starts.incrementAndGet() == 1) {
				never.pass();
			}
		}).start(); never) {
			node.awaitJournal("start indexer");
			this.one.locks.loseAll();
			node.awaitJournal("revoked indexer LOST");
			await().until(() -> starts.get() == 2);
		}
	}

	@Test
	void yieldedRoleGoesToTheNodeThatWaits() {
		try (LeaderNode first = indexer(this.one).start().awaitStarted("indexer");
				LeaderNode second = indexer(this.two).start()) {
			this.locks.awaitWaiting(KEY, 1);
			assertThat(second.roles().yield("indexer")).isFalse();
			assertThat(first.roles().yield("indexer")).isTrue();
			second.awaitStarted("indexer");
			assertThat(first.journal()).endsWith("revoked indexer YIELDED", "stop indexer");
			this.locks.awaitWaiting(KEY, 1);
			second.roles().yield("indexer");
			await().until(() -> first.leads("indexer"));
		}
	}

	@Test
	void nodeWhoseRoleIsDisabledDoesNotAskForIt() {
		LeaderSettings disabled = (role) -> !role.equals("indexer");
		try (LeaderNode first = new LeaderNode(this.one,
				(context) -> context.registerBean(LeaderSettings.class, () -> disabled), Indexer.class,
				Cleaner.class)) {
			first.start().awaitStarted("cleaner");
			assertThat(status(first).state()).isEqualTo(LeaderStatus.State.OUT);
			LeaderNode second = indexer(this.two).start().awaitStarted("indexer");
			assertThat(this.locks.waiting(KEY)).isZero();
			second.close();
		}
	}

	@Test
	void beansOfARoleStartInTheOrderOfTheirPhasesAndStopInReverse() {
		LeaderNode node = new LeaderNode(this.one, LateIndexer.class, Indexer.class).start();
		await().until(() -> node.journal().contains("start late") && node.leads("indexer"));
		node.close();
		assertThat(node.journal()).containsExactly("granted indexer", "start indexer", "start late",
				"revoked indexer SHUT_DOWN", "stop late", "stop indexer");
	}

	// Every node waits for all roles. A node that has got one waits behind the others.
	@Test
	void rolesSpreadOverTheNodes() {
		List<LeaderNode> nodes = Stream.of(this.one, this.two, new LeaseProvider(this.cluster.another("three")))
			.map((provider) -> new LeaderNode(provider, Indexer.class, Cleaner.class, Mailer.class))
			.toList();
		Map<String, LockHandle> taken = new LinkedHashMap<>();
		Stream.of("indexer", "cleaner", "mailer").forEach((role) -> taken.put(role, this.locks.hold("leader:" + role)));
		nodes.forEach(LeaderNode::start);
		try {
			taken.keySet().forEach((role) -> this.locks.awaitWaiting("leader:" + role, 3));
			taken.forEach((role, lock) -> {
				lock.release();
				await().until(() -> nodes.stream().anyMatch((node) -> node.journal().contains("start " + role)));
			});
			assertThat(nodes).allSatisfy((node) -> assertThat(node.led()).isEqualTo(1));
		}
		finally {
			taken.values().forEach(LockHandle::release);
			nodes.forEach(LeaderNode::close);
		}
	}

	@Test
	void oneNodeLeadsAllRolesOneAfterTheOther() {
		try (LeaderNode node = new LeaderNode(this.one, Indexer.class, Cleaner.class, Mailer.class).start()) {
			await().until(() -> node.led() == 3);
		}
	}

	@Test
	void leaseOfLocksWithoutOneIsForever() {
		try (LeaderNode node = indexer(this.cluster.another("one")).start().awaitStarted("indexer")) {
			assertThat(node.current("indexer").remaining()).isEqualTo(LockRequest.FOREVER);
		}
	}

	@Test
	void contextWithoutARoleHasNone() {
		try (LeaderNode node = new LeaderNode(this.one).start()) {
			assertThat(node.roles().roles()).isEmpty();
			assertThat(node.roles().leader("indexer")).isEqualTo(Optional.empty());
		}
	}

	private static void waitAtTheBottom(Gate gate) throws InterruptedException {
		gate.pass();
	}

	private static LeaderNode indexer(LockProvider provider) {
		return new LeaderNode(provider, Indexer.class);
	}

	private static LeaderStatus status(LeaderNode node) {
		return node.context()
			.getBean(ElectedRoles.class)
			.status()
			.stream()
			.filter((status) -> status.role().equals("indexer"))
			.findFirst()
			.orElseThrow();
	}

}
