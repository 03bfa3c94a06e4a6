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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.ConcurrentTests;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.Waited;
import io.github.zklock.support.WorkerProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.AtLeastScene.End;
import io.github.zklock.zookeeper.node.AtLeastStamp;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A key stays taken for a time although its holder is gone: its provider closed, its
 * client closed without a word, its session expired, its process killed.
 */
@Tag("server")
class AtLeastTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TestFactory
	Stream<DynamicTest> keysThatAreKept() {
		return new ConcurrentTests()
			.add("killed process keeps its key, session timeout", List.of(Duration.ofSeconds(4)),
					this::killedProcessKeepsItsKey)
			.add("who saw the lock waits for the rest of its time", List.of(End.values()),
					this::whoSawTheLockWaitsForTheRestOfItsTime)
			.add("process that comes later waits the whole time", List.of(End.CLOSED_PROVIDER, End.CLOSED_CLIENT),
					this::processThatComesLaterWaitsTheWholeTime)
			.add("client of", List.of(Case.values()), this::run)
			.stream();
	}

	private void run(Case each) throws Exception {
		try (AtLeastScene scene = new AtLeastScene(server)) {
			each.play.run(scene);
		}
	}

	private void killedProcessKeepsItsKey(Duration sessionTimeout) {
		Duration atLeast = sessionTimeout.multipliedBy(2);
		LockRequest request = LockRequest.of(UUID.randomUUID().toString()).withWait(Duration.ofSeconds(60));
		try (AtLeastScene scene = new AtLeastScene(server);
				WorkerProcess worker = WorkerProcess.start(server.connectString(), sessionTimeout)) {
			long start = System.nanoTime();
			assertThat(worker.ask("acquire " + request.key() + " 10000 " + atLeast.toMillis())).startsWith("acquired");
			CompletableFuture<LockHandle> waiting = scene.other().locks().acquireAsync(request);
			worker.kill();
			waiting.orTimeout(60, TimeUnit.SECONDS).join().release();
			assertThat(AtLeastScene.since(start)).isGreaterThanOrEqualTo(atLeast);
			AtLeastScene.eventually().until(() -> server.children("/locks/" + request.key()).isEmpty());
		}
	}

	private void whoSawTheLockWaitsForTheRestOfItsTime(End end) {
		try (AtLeastScene scene = new AtLeastScene(server)) {
			long start = System.nanoTime();
			LockHandle handle = scene.take();
			scene.assertOtherIsRefused();
			end.happen(scene);
			LockHandle next = scene.other().locks().acquire(scene.request());
			assertThat(AtLeastScene.since(start)).isGreaterThanOrEqualTo(AtLeastScene.AT_LEAST);
			AtLeastScene.eventually().until(() -> handle.state() != LockState.HELD);
			next.release();
			scene.awaitNothingLeft();
		}
	}

	private void processThatComesLaterWaitsTheWholeTime(End end) {
		try (AtLeastScene scene = new AtLeastScene(server)) {
			scene.take();
			end.happen(scene);
			scene.awaitStampOnly();
			long start = System.nanoTime();
			scene.assertOtherIsRefused();
			LockHandle next = scene.other().locks().acquire(scene.request());
			assertThat(AtLeastScene.since(start)).isGreaterThanOrEqualTo(AtLeastScene.AT_LEAST);
			next.release();
			scene.awaitNothingLeft();
		}
	}

	private static void nodeAndStampAreThereUntilTheTimeIsOver(AtLeastScene scene) {
		long start = System.nanoTime();
		LockHandle handle = scene.take();
		// A stamp that was confirmed late is replaced, and the old one is seen for a
		// moment.
		AtLeastScene.eventually().until(() -> scene.left().size() == 2);
		handle.release();
		assertThat(scene.holder().locks().heldLocks()).isZero();
		scene.awaitNothingLeft();
		assertThat(AtLeastScene.since(start)).isGreaterThanOrEqualTo(AtLeastScene.AT_LEAST);
		AtLeastScene.eventually().until(() -> scene.holder().locks().pendingDeletes() == 0);
	}

	private static void stampIsGoneWhenTheTimeIsOverAlthoughTheLockIsHeld(AtLeastScene scene) {
		LockHandle handle = scene.take();
		AtLeastScene.eventually().until(() -> scene.left().size() == 1);
		assertThat(scene.left()).singleElement().asString().doesNotContain("least");
		assertThat(handle.isHeld()).isTrue();
		handle.release();
		scene.awaitNothingLeft();
	}

	private static void processThatSawTheLockOnlyBeforeKnowsThatItsTimeIsOver(AtLeastScene scene) {
		scene.take();
		scene.assertOtherIsRefused();
		long seen = System.nanoTime();
		End.CLOSED_CLIENT.happen(scene);
		scene.awaitStampOnly();
		AtLeastScene.eventually()
			.until(() -> AtLeastScene.since(seen).compareTo(AtLeastScene.AT_LEAST.plusMillis(100)) > 0);
		scene.awaitStampOnly();
		scene.other().locks().acquire(scene.request().withWait(Duration.ofMillis(7500))).release();
		scene.awaitNothingLeft();
	}

	private static void lockThatIsReleasedWhileItsProviderClosesLeavesItsStamp(AtLeastScene scene) {
		LockHandle handle = scene.take();
		handle.release();
		long start = System.nanoTime();
		End.CLOSED_PROVIDER.happen(scene);
		scene.awaitStampOnly();
		scene.other().locks().acquire(scene.request()).release();
		assertThat(AtLeastScene.since(start)).isGreaterThanOrEqualTo(AtLeastScene.AT_LEAST);
		scene.awaitNothingLeft();
	}

	private static void nextHolderKeepsTheKeyForItsOwnTime(AtLeastScene scene) {
		scene.take();
		End.CLOSED_CLIENT.happen(scene);
		scene.awaitStampOnly();
		String old = scene.left().get(0);
		scene.other().locks().acquire(scene.request().withLockAtLeastFor(AtLeastScene.AT_LEAST)).release();
		AtLeastScene.eventually().until(() -> !scene.left().contains(old));
		scene.assertOtherIsRefused();
		scene.awaitNothingLeft();
	}

	private static void stampWhoseTimeIsOverGoesAlthoughAReaderWasBeforeTheNextHolder(AtLeastScene scene) {
		LockRequest read = scene.request().withMode(LockMode.READ);
		scene.holder().locks().acquire(read.withLockAtLeastFor(AtLeastScene.AT_LEAST));
		scene.assertOtherIsRefused();
		long seen = System.nanoTime();
		End.CLOSED_CLIENT.happen(scene);
		AtLeastScene.eventually().until(() -> scene.left().size() == 1);
		long time = AtLeastStamp.parse(scene.left().get(0)).nanos();
		try (LockClient<ZooKeeperLockProvider> third = LockClient.connect(server.connectString(),
				FaultScenario.SESSION_TIMEOUT, (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle reader = third.locks().acquire(read);
			AtLeastScene.eventually().until(() -> System.nanoTime() - seen > time);
			CompletableFuture<LockHandle> next = scene.other().locks().acquireAsync(scene.request());
			AtLeastScene.eventually().until(() -> server.watched("/locks").contains(readersNode(scene)));
			reader.release();
			next.join().release();
			scene.awaitNothingLeft();
		}
	}

	private static String readersNode(AtLeastScene scene) {
		return scene.directory() + "/"
				+ scene.left().stream().filter((name) -> name.contains("__READ__")).findAny().orElseThrow();
	}

	private static void directoryIsNotReapedWhileTheStampIsThere(AtLeastScene scene) {
		scene.take();
		End.CLOSED_CLIENT.happen(scene);
		scene.awaitStampOnly();
		server.reapContainers();
		scene.awaitStampOnly();
		scene.other().locks().acquire(scene.request()).release();
		scene.awaitNothingLeft();
		String parent = scene.directory().substring(0, scene.directory().lastIndexOf('/'));
		String name = scene.directory().substring(parent.length() + 1);
		assertThat(server.children(parent)).contains(name);
		server.reapContainers();
		AtLeastScene.eventually().until(() -> !server.children(parent).contains(name));
	}

	private static void shortWaitEndsInTime(AtLeastScene scene) throws Exception {
		Duration wait = Duration.ofMillis(300);
		scene.holder().locks().acquire(scene.request().withLockAtLeastFor(Duration.ofMinutes(5)));
		End.CLOSED_CLIENT.happen(scene);
		AtLeastScene.eventually().until(() -> scene.left().size() == 1);
		Waited.atLeast(wait,
				() -> assertThat(Refusal.of(() -> scene.other().locks().acquire(scene.request().withWait(wait))))
					.hasMessageContaining("not acquired within 300ms")
					.hasMessageContaining("keeps it at least 5m"));
		// One try is refused without waiting for anything.
		Waited.notForever(() -> assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> scene.other().locks().acquire(scene.request().withWait(Duration.ZERO)))
			.withMessageContaining("not acquired at once"));
		assertThat(scene.left()).singleElement().asString().contains("-least-300000-");
	}

	private static void mutexWaitsForTheNodeAndIsNotConfusedByTheStamp(AtLeastScene scene) throws Exception {
		long start = System.nanoTime();
		scene.take().release();
		InterProcessMutex mutex = new InterProcessMutex(scene.other().curator(),
				scene.other().locks().pathOf(scene.request().key()));
		assertThat(mutex.acquire(30, TimeUnit.SECONDS)).isTrue();
		assertThat(AtLeastScene.since(start)).isGreaterThanOrEqualTo(AtLeastScene.AT_LEAST);
		mutex.release();
		scene.take();
		End.CLOSED_CLIENT.happen(scene);
		scene.awaitStampOnly();
		long left = System.nanoTime();
		// It knows nothing of stamps; ours waits for both.
		assertThat(mutex.acquire(30, TimeUnit.SECONDS)).isTrue();
		scene.assertOtherIsRefused();
		mutex.release();
		scene.other().locks().acquire(scene.request().withMode(LockMode.READ)).release();
		assertThat(AtLeastScene.since(left)).isGreaterThanOrEqualTo(AtLeastScene.AT_LEAST);
		scene.awaitNothingLeft();
	}

	enum Case {

		RELEASED_KEY(AtLeastTests::nodeAndStampAreThereUntilTheTimeIsOver),

		LONG_HOLDER(AtLeastTests::stampIsGoneWhenTheTimeIsOverAlthoughTheLockIsHeld),

		STAMP_SEEN_BEFORE(AtLeastTests::processThatSawTheLockOnlyBeforeKnowsThatItsTimeIsOver),

		SHUTDOWN_AFTER_RELEASE(AtLeastTests::lockThatIsReleasedWhileItsProviderClosesLeavesItsStamp),

		NEXT_HOLDER(AtLeastTests::nextHolderKeepsTheKeyForItsOwnTime),

		STAMP_BESIDE_A_READER(AtLeastTests::stampWhoseTimeIsOverGoesAlthoughAReaderWasBeforeTheNextHolder),

		REAPED_DIRECTORY(AtLeastTests::directoryIsNotReapedWhileTheStampIsThere),

		SHORT_WAIT(AtLeastTests::shortWaitEndsInTime),

		CURATOR_MUTEX(AtLeastTests::mutexWaitsForTheNodeAndIsNotConfusedByTheStamp);

		private final ConcurrentTests.Test<AtLeastScene> play;

		Case(ConcurrentTests.Test<AtLeastScene> play) {
			this.play = play;
		}

	}

}
