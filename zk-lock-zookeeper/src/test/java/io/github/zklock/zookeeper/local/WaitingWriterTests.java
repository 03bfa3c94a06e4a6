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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A writer that waits for readers of its own process, and readers that come later.
 */
@Tag("server")
class WaitingWriterTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@AfterEach
	void leaveNothing() {
		this.scenario.assertNothingLeft();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "READ")
	void readersThatComeLaterDoNotOvertakeIt(LockMode mode) throws Exception {
		LockHandle reader = get(locks().acquireAsync(read(WAIT)));
		CompletableFuture<LockHandle> writer = queue(this.scenario.request(WAIT).withMode(mode));
		List<CompletableFuture<LockHandle>> later = Stream.generate(() -> locks().acquireAsync(read(WAIT)))
			.limit(3)
			.toList();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> locks().acquire(read(Duration.ZERO)));
		assertThat(later).noneMatch(CompletableFuture::isDone);
		reader.release();
		LockHandle written = get(writer);
		assertThat(later).noneMatch(CompletableFuture::isDone);
		written.release();
		for (CompletableFuture<LockHandle> each : later) {
			get(each).release();
		}
	}

	@Test
	void readersThatCameEarlierHoldTheLockTogether() throws Exception {
		LockHandle first = locks().acquire(this.scenario.request(WAIT));
		List<CompletableFuture<LockHandle>> readers = Stream.generate(() -> locks().acquireAsync(read(WAIT)))
			.limit(3)
			.toList();
		Awaitility.await().until(() -> this.scenario.left().size() == 2);
		CompletableFuture<LockHandle> writer = locks()
			.acquireAsync(this.scenario.request(WAIT).withMode(LockMode.WRITE));
		Awaitility.await().until(() -> this.scenario.left().size() == 3);
		first.release();
		for (CompletableFuture<LockHandle> each : readers) {
			assertThat(get(each).isHeld()).isTrue();
		}
		assertThat(writer).isNotDone();
		readers.forEach((each) -> each.join().release());
		get(writer).release();
	}

	@Test
	void readersShareTheLockAgainWhenItHasGivenUp() throws Exception {
		LockHandle reader = get(locks().acquireAsync(read(WAIT)));
		CompletableFuture<LockHandle> writer = queue(this.scenario.request(WAIT).withMode(LockMode.WRITE));
		CompletableFuture<LockHandle> later = locks().acquireAsync(read(WAIT));
		writer.cancel(false);
		get(later).release();
		assertThat(reader.isHeld()).isTrue();
		reader.release();
	}

	@Test
	void readerDoesNotOvertakeItByACachedLock() throws Exception {
		LockRequest cached = read(WAIT).withCache(true);
		locks().acquire(cached).release();
		locks().acquire(cached).release();
		LockHandle reader = locks().acquireAsync(cached).get(WAIT.toSeconds(), TimeUnit.SECONDS);
		CompletableFuture<LockHandle> writer = queue(this.scenario.request(WAIT).withMode(LockMode.WRITE));
		CompletableFuture<LockHandle> later = locks().acquireAsync(cached);
		assertThat(later).isNotDone();
		reader.release();
		get(writer).release();
		get(later).release();
		this.scenario.rival().locks().acquire(this.scenario.request(WAIT)).release();
	}

	private CompletableFuture<LockHandle> queue(LockRequest request) {
		int before = this.scenario.left().size();
		CompletableFuture<LockHandle> waiting = locks().acquireAsync(request);
		Awaitility.await().until(() -> this.scenario.left().size() == before + 1);
		return waiting;
	}

	private static LockHandle get(CompletableFuture<LockHandle> lock) throws Exception {
		return lock.get(WAIT.toSeconds(), TimeUnit.SECONDS);
	}

	private LockRequest read(Duration wait) {
		return this.scenario.request(wait).withMode(LockMode.READ);
	}

	private LockProvider locks() {
		return this.scenario.victim().locks();
	}

}
