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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.Fault;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A single try of several keys has one bound for all of them.
 */
@Tag("server")
class SeveralKeysTryTests {

	private static final Duration TRY_TIMEOUT = Duration.ofSeconds(3);

	// Each answer comes in time, but not all of them do.
	private static final Duration DELAY = TRY_TIMEOUT.multipliedBy(2).dividedBy(3);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final List<LockRequest> requests = Stream.of("slow-1", "slow-2", "slow-3")
		.map((key) -> LockRequest.of(key).withWait(Duration.ZERO))
		.toList();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Fault> delays = new ArrayList<>();

	@AutoClose
	private final FaultScenario scenario = new FaultScenario(server,
			(curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(TRY_TIMEOUT).build());

	private LockTemplate template;

	@BeforeEach
	void connect() {
		this.template = new LockTemplate(this.scenario.victim().locks());
		this.template.acquire(this.requests.stream().map((each) -> each.withWait(Duration.ofSeconds(30))).toList())
			.release();
		delay("slow-1");
		delay("slow-2");
	}

	@AfterEach
	void disconnect() {
		this.delays.forEach(Fault::release);
		this.threads.shutdownNow();
	}

	@Test
	void triesTogetherTakeNoLongerThanOne() {
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.template.acquire(this.requests));
	}

	@Test
	void triesWithoutAThreadThatWaitsTakeNoLongerTogetherThanOne() {
		CompletableFuture<LockHandle> handle = this.template.acquireAsync(this.requests);
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> handle.get(30, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockUnavailableException.class);
	}

	private void delay(String key) {
		Fault late = this.scenario.network().on(ZooKeeperOperation.GET_CHILDREN, key).holdReply();
		this.delays.add(late);
		CompletableFuture.runAsync(late::awaitFired, this.threads)
			.thenRunAsync(late::release,
					CompletableFuture.delayedExecutor(DELAY.toMillis(), TimeUnit.MILLISECONDS, this.threads));
	}

}
