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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What a lock costs the server. The requests are counted on their way, so the figures do
 * not depend on the machine.
 */
@Tag("server")
class RequestCountTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final int MANY = 300;

	private static final Map<ZooKeeperOperation, Long> ONE_PACKET = Map.of(ZooKeeperOperation.MULTI_READ, 1L);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@Test
	void freeKeyTakesOneReadAndTwoWrites() throws Exception {
		lockAndUnlock(this.scenario.request(WAIT));
		assertThat(requests(() -> lockAndUnlock(this.scenario.request(WAIT)))).isEqualTo(Map
			.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN, 1L, ZooKeeperOperation.DELETE, 1L));
	}

	@Test
	void firstUseOfAKeyTakesOneWriteMore() throws Exception {
		this.scenario.rival().curator().create().creatingParentsIfNeeded().forPath("/locks/known");
		lockAndUnlock(LockRequest.of("known").withWait(WAIT));
		assertThat(firstUse()).isEqualTo(Map.of(ZooKeeperOperation.CREATE_CONTAINER, 1L, ZooKeeperOperation.CREATE, 1L,
				ZooKeeperOperation.GET_CHILDREN, 1L, ZooKeeperOperation.DELETE, 1L));
	}

	private Map<ZooKeeperOperation, Long> firstUse() throws Exception {
		LockRequest request = LockRequest.of(UUID.randomUUID().toString()).withWait(WAIT);
		return this.scenario.network().requests().during(request.key(), () -> lockAndUnlock(request));
	}

	@Test
	void keyThatWasReapedIsCreatedAgain() throws Exception {
		server.reapContainers();
		Awaitility.await().until(() -> !server.children("/locks").contains(this.scenario.request(WAIT).key()));
		lockAndUnlock(this.scenario.request(WAIT));
		assertThat(server.children("/locks")).contains(this.scenario.request(WAIT).key());
	}

	@Test
	void tryOfAKeyThatOthersHoldTakesOneReadAndOneMoreForTheirName() throws Exception {
		LockHandle holder = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		assertThat(requests(() -> {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> locks().acquire(this.scenario.request(Duration.ZERO)));
			// What was sent before has arrived when this is answered.
			return this.scenario.victim().curator().checkExists().forPath("/");
		})).isEqualTo(Map.of(ZooKeeperOperation.GET_CHILDREN, 1L, ZooKeeperOperation.GET_DATA, 1L));
		assertThat(server.watched("/locks")).isEmpty();
		holder.release();
	}

	@Test
	void requestsThatEndTogetherShareTheReadOfTheirHolder() throws Exception {
		LockHandle holder = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		LockRequest brief = this.scenario.request(Duration.ofSeconds(3));
		Map<ZooKeeperOperation, Long> sent = requests(() -> {
			List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
			for (int i = 0; i < MANY; i++) {
				waiting.add(locks().acquireAsync(brief));
			}
			return waiting.stream().map((each) -> catchThrowable(each::join)).toList();
		});
		// One watches the node of the holder. The others read its data, one a second.
		assertThat(sent.getOrDefault(ZooKeeperOperation.GET_DATA, 0L)).isBetween(1L, MANY / 10L);
		holder.release();
	}

	@Test
	void tryOfAFreeKeyTakesTheLock() throws Exception {
		lockAndUnlock(this.scenario.request(WAIT));
		assertThat(requests(() -> lockAndUnlock(this.scenario.request(Duration.ZERO)))).isEqualTo(Map
			.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN, 2L, ZooKeeperOperation.DELETE, 1L));
	}

	@Test
	void tryOfAKeyWithReadersTakesAReadLock() throws Exception {
		LockRequest read = this.scenario.request(WAIT).withMode(LockMode.READ);
		LockHandle reader = this.scenario.rival().locks().acquire(read);
		locks().acquire(read.withWait(Duration.ZERO)).release();
		CompletableFuture<LockHandle> writer = this.scenario.rival().locks().acquireAsync(this.scenario.request(WAIT));
		Awaitility.await().until(() -> this.scenario.left().size() == 2);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> locks().acquire(read.withWait(Duration.ZERO)));
		reader.release();
		writer.join().release();
	}

	@Test
	void handOffBetweenProcessesTakesTwoReadsBeforeAndNoneWhenItsTurnComes() throws Exception {
		LockHandle holder = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		assertThat(requests(() -> {
			CompletableFuture<LockHandle> next = locks().acquireAsync(this.scenario.request(WAIT));
			Awaitility.await().until(() -> !server.watched("/locks").isEmpty());
			holder.release();
			next.join().release();
			return next;
		})).isEqualTo(Map.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN, 1L,
				ZooKeeperOperation.GET_DATA, 1L, ZooKeeperOperation.DELETE, 1L));
	}

	@Test
	void handOffTakesNoMoreIfThePredecessorIsGoneBeforeItIsWatched() throws Exception {
		LockHandle holder = this.scenario.rival().locks().acquire(this.scenario.request(WAIT));
		Fault late = this.scenario.network().on(ZooKeeperOperation.GET_DATA, this.scenario.directory()).holdRequest();
		assertThat(requests(() -> {
			CompletableFuture<LockHandle> next = locks().acquireAsync(this.scenario.request(WAIT));
			late.awaitFired();
			holder.release();
			late.release();
			next.join().release();
			return next;
		})).isEqualTo(Map.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN, 1L,
				ZooKeeperOperation.GET_DATA, 1L, ZooKeeperOperation.DELETE, 1L));
	}

	@Test
	void tickTakesOneWriteMoreThanATry() throws Exception {
		lockAndUnlock(tick(Instant.EPOCH));
		for (int i = 1; i < 3; i++) {
			LockRequest request = tick(Instant.EPOCH.plusSeconds(i)).withWait(Duration.ZERO);
			assertThat(requests(() -> lockAndUnlock(request)))
				.isEqualTo(Map.of(ZooKeeperOperation.CREATE, 1L, ZooKeeperOperation.GET_CHILDREN, 1L,
						ZooKeeperOperation.MULTI_READ, 1L, ZooKeeperOperation.MULTI, 2L));
		}
	}

	@Test
	void tickThatHasRunTakesOnePacketHoweverLongTheWait() throws Exception {
		this.scenario.rival().locks().acquire(tick(Instant.EPOCH)).release();
		for (Duration wait : new Duration[] { Duration.ZERO, WAIT }) {
			assertThat(requests(() -> skipped(tick(Instant.EPOCH).withWait(wait)))).isEqualTo(ONE_PACKET);
		}
		assertThat(requests(() -> catchThrowable(() -> locks().acquireAsync(tick(Instant.EPOCH))
			.thenApply(LockHandle::key)
			.thenApply(String::length)
			.join()))).as("several stages").isEqualTo(ONE_PACKET);
		assertThat(server.watched("/locks")).isEmpty();
	}

	@Test
	void refusalOfATickNamesItsRunnerWithoutARequest() throws Exception {
		this.scenario.rival().locks().acquire(tick(Instant.EPOCH)).release();
		LockNotAcquiredException refusal = skipped(tick(Instant.EPOCH));
		assertThat(requests(() -> refusal.getMessage() + refusal.getHolder())).isEmpty();
		assertThat(refusal).hasMessageContaining("has run already; run by ");
		assertThat(refusal.getHolder()).isNotNull();
	}

	@Test
	void periodicRunThatAnotherNodeHasRunTakesOnePacket() throws Exception {
		for (int i = 0; i < 3; i++) {
			this.scenario.rival().locks().acquire(periodic()).release();
			assertThat(requests(() -> skipped(periodic()))).isEqualTo(ONE_PACKET);
		}
	}

	private LockRequest tick(Instant time) {
		return this.scenario.request(WAIT).withTick(LockTick.at("Jobs.report", time));
	}

	private LockRequest periodic() {
		return this.scenario.request(WAIT).withTick(LockTick.every("Jobs.report", Duration.ofDays(1)));
	}

	private LockNotAcquiredException skipped(LockRequest request) {
		return (LockNotAcquiredException) catchThrowable(() -> locks().acquire(request));
	}

	private Map<ZooKeeperOperation, Long> requests(Callable<?> code) throws Exception {
		return this.scenario.network().requests().during(this.scenario.directory(), code);
	}

	private LockHandle lockAndUnlock(LockRequest request) {
		LockHandle handle = locks().acquire(request);
		handle.release();
		return handle;
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
