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

package io.github.zklock.zookeeper.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.RequestLog;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A process that uses new keys faster than the servers delete their nodes deletes them
 * itself.
 */
class NewDirectoriesTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	private static final int KEYS = 20;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final LockRequest request = LockRequest.of(UUID.randomUUID().toString()).withWait(WAIT);

	private FaultScenario scenario;

	@BeforeEach
	void connect() {
		this.scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);
		useUpBudget(this.scenario.victim());
		useUpBudget(this.scenario.rival());
	}

	@AfterEach
	void disconnect() {
		this.scenario.close();
	}

	@Test
	void soManyAMinuteAreLeftToTheServers() {
		NewDirectories directories = new NewDirectories(new KnownDirectories(), Runnable::run, System::nanoTime);
		long now = System.nanoTime();
		assertThat(left(directories, now)).isEqualTo(NewDirectories.LEFT_PER_MINUTE);
		assertThat(left(directories, now + TimeUnit.SECONDS.toNanos(30)))
			.isBetween(NewDirectories.LEFT_PER_MINUTE / 2 - 1, NewDirectories.LEFT_PER_MINUTE / 2 + 1);
		assertThat(left(directories, now + TimeUnit.HOURS.toNanos(1))).isEqualTo(NewDirectories.LEFT_PER_MINUTE);
	}

	@Test
	void nodeOfAKeyIsDeletedTogetherWithItsLock() throws Exception {
		Map<ZooKeeperOperation, Long> requests = this.scenario.network().requests().during(this.request.key(), () -> {
			this.scenario.victim().locks().acquire(this.request).release();
			Awaitility.await().until(() -> !server.children("/locks").contains(this.request.key()));
			return null;
		});
		assertThat(requests).isEqualTo(Map.of(ZooKeeperOperation.MULTI, 1L, ZooKeeperOperation.DELETE, 2L));
		this.scenario.victim().locks().acquire(this.request).release();
	}

	@Test
	void nodesOfKeysThatAreUsedQuicklyAreDeleted() {
		useKeys();
		Awaitility.await().until(() -> keysLeft() == 0);
	}

	@Test
	void nodesOfKeysThatEndAtOnceAreDeletedTogether() throws Exception {
		List<LockHandle> handles = IntStream.range(0, KEYS)
			.mapToObj((i) -> this.scenario.victim().locks().acquire(key(i)))
			.toList();
		Map<ZooKeeperOperation, Long> requests = this.scenario.network().requests().during(this.request.key(), () -> {
			handles.forEach(LockHandle::releaseAsync);
			Awaitility.await().until(() -> keysLeft() == 0);
			return null;
		});
		assertThat(requests.getOrDefault(ZooKeeperOperation.DELETE, 0L)).isLessThan(KEYS / 2);
	}

	@Test
	void nodeThatCannotBeDeletedKeepsNoOtherFromIt() {
		LockHandle holder = this.scenario.victim().locks().acquire(key(0));
		CompletableFuture<LockHandle> waiting = this.scenario.rival().locks().acquireAsync(key(0));
		Awaitility.await().until(() -> server.children("/locks/" + key(0).key()).size() == 2);
		holder.release();
		useKeys();
		Awaitility.await().until(() -> keysLeft() == 1);
		assertThat(waiting.join().isValid()).isTrue();
	}

	@Test
	void nodeOfAKeyWithARecordIsNeverDeleted() {
		LockRequest before = key(0);
		LockHandle holder = this.scenario.victim().locks().acquire(before);
		CompletableFuture<LockHandle> waiting = this.scenario.victim().locks().acquireAsync(tick(before));
		Awaitility.await().until(() -> server.children("/locks/" + before.key()).size() == 2);
		holder.release();
		waiting.join().release();
		LockRequest alone = LockRequest.of("tick-" + this.request.key());
		this.scenario.victim().locks().acquire(tick(alone)).release();
		this.scenario.victim().locks().acquire(alone).release();
		RequestLog requests = this.scenario.network().requests();
		long deletes = requests.count(ZooKeeperOperation.DELETE, alone.key());
		useKeys();
		Awaitility.await().until(() -> keysLeft() == 1);
		assertThat(server.children("/locks")).contains(alone.key());
		assertThat(deletes).as("its two locks").isEqualTo(2);
		assertThat(requests.count(ZooKeeperOperation.DELETE, alone.key())).isEqualTo(deletes);
	}

	private static LockRequest tick(LockRequest request) {
		return request.withTick(LockTick.at("Jobs.report", Instant.EPOCH));
	}

	private void useKeys() {
		for (int i = 1; i < KEYS; i++) {
			this.scenario.victim().locks().acquire(key(i)).release();
			// While its node is about to be deleted.
			this.scenario.victim().locks().acquire(key(i)).release();
		}
	}

	private LockRequest key(int index) {
		return LockRequest.of(this.request.key() + "-" + index).withWait(WAIT);
	}

	private long keysLeft() {
		return server.children("/locks").stream().filter((key) -> key.startsWith(this.request.key())).count();
	}

	@Test
	void nodeOfAKeyThatWasThereBeforeStays() {
		this.scenario.victim().locks().acquire(this.scenario.request(WAIT)).release();
		this.scenario.victim().locks().acquire(this.request).release();
		Awaitility.await().until(() -> !server.children("/locks").contains(this.request.key()));
		assertThat(server.children("/locks")).contains(this.scenario.request(WAIT).key());
	}

	@Test
	void nodeOfAKeyThatOthersWaitForStays() {
		LockHandle holder = this.scenario.victim().locks().acquire(this.request);
		CompletableFuture<LockHandle> waiting = this.scenario.rival().locks().acquireAsync(this.request);
		Awaitility.await().until(() -> server.children(directory()).size() == 2);
		holder.release();
		LockHandle next = waiting.join();
		assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
		assertThat(server.children(directory())).hasSize(1);
		assertThat(next.isValid()).isTrue();
		next.release();
	}

	@Test
	void timeThatAKeyIsKeptForIsKept() {
		LockRequest kept = this.request.withAtLeast(Duration.ofMinutes(5));
		this.scenario.victim().locks().acquire(kept).release();
		assertThat(server.children(directory())).isNotEmpty();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.scenario.rival().locks().acquire(this.request.withWait(Duration.ZERO)));
	}

	private String directory() {
		return "/locks/" + this.request.key();
	}

	private static int left(NewDirectories directories, long now) {
		return (int) IntStream.range(0, 3 * NewDirectories.LEFT_PER_MINUTE)
			.filter((i) -> directories.isLeftToServers(now))
			.count();
	}

	static void useUpBudget(LockClient<?> client) {
		EngineParts engine = EngineParts.of((ZooKeeperLockProvider) client.locks());
		engine.contenders().created().isLeftToServers(System.nanoTime() + TimeUnit.DAYS.toNanos(1));
	}

}
