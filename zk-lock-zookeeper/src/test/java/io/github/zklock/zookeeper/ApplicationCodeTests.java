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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Code of the application that the engine needs for a request, its {@link ACLProvider}
 * and its trace, runs on the thread of the caller before any lock of the engine is taken.
 */
@Tag("server")
class ApplicationCodeTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration SHORT = Duration.ofMillis(300);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ExecutorService callers = Executors.newCachedThreadPool((task) -> new Thread(task, "caller"));

	private final Set<String> threads = ConcurrentHashMap.newKeySet();

	private final AtomicReference<String> blocked = new AtomicReference<>();

	private final CountDownLatch blocking = new CountDownLatch(1);

	private final CountDownLatch end = new CountDownLatch(1);

	private volatile RuntimeException failure;

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator)
					.serverTick(ZooKeeperServerFixture.TICK)
					.aclProvider(new Acls())
					.traceId(this::trace)
					.build());
	}

	@AfterEach
	void disconnect() {
		this.end.countDown();
		this.client.close();
		this.callers.shutdown();
	}

	@Test
	void applicationIsAskedOnTheThreadsOfCallersOnly() throws Exception {
		LockRequest plain = LockRequest.of("asked").withWait(WAIT);
		List<LockRequest> requests = List.of(plain, plain.withMode(LockMode.READ), plain.withCache(true),
				plain.withCache(true), plain.withLockAtLeastFor(Duration.ofMillis(1)),
				plain.withTick(LockTick.every("Jobs.asked", Duration.ofHours(1))));
		for (LockRequest request : requests) {
			acquire(request).get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
		}
		LockHandle held = acquire(plain).get(WAIT.toSeconds(), TimeUnit.SECONDS);
		Awaitility.await().until(() -> !server.children("/locks/~sessions").isEmpty());
		CompletableFuture<LockHandle> waiting = acquire(plain.withMode(LockMode.WRITE).withOwner("another"));
		Awaitility.await().until(() -> !this.client.locks().snapshot().waiting().isEmpty());
		this.client.giveUpSession();
		waiting.get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
		held.release();
		assertThat(this.threads).contains("caller")
			.noneMatch((name) -> name.endsWith("-EventThread") || name.contains("timer"));
	}

	@Test
	void aclProviderThatBlocksCostsItsOwnRequestOnly() throws Exception {
		LockHandle held = this.client.locks().acquire(LockRequest.of("held").withWait(WAIT));
		LockRequest slow = LockRequest.of("slow").withWait(WAIT);
		CompletableFuture<LockHandle> blocked = acquireBlocked(slow, "slow");
		CompletableFuture<LockHandle> beside = acquire(slow.withWait(Duration.ofSeconds(10)));
		beside.get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.client.locks().acquire(LockRequest.of("held").withOwner("another").withWait(SHORT)));
		Awaitility.await()
			.during(SESSION_TIMEOUT.multipliedBy(2))
			.atMost(WAIT)
			.until(() -> held.state() != LockState.LOST);
		assertThat(blocked).isNotDone();
		this.end.countDown();
		blocked.get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
		held.release();
	}

	@Test
	void traceThatBlocksCostsItsOwnRequestOnly() throws Exception {
		LockRequest cached = LockRequest.of("cached").withCache(true).withWait(WAIT);
		// It is not known at once that no other client waits.
		Awaitility.await().until(() -> isTakenAtOnce(cached));
		CompletableFuture<LockHandle> blocked = acquireBlocked(cached, "trace");
		acquire(cached).get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
		assertThat(blocked).isNotDone();
		this.end.countDown();
		blocked.get(WAIT.toSeconds(), TimeUnit.SECONDS).release();
	}

	@Test
	void aclProviderThatThrowsFailsItsOwnRequestWithItsCause() {
		this.failure = new IllegalStateException("the directory of users is down");
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.client.locks().acquire(LockRequest.of("refused").withWait(WAIT)))
			.withMessageContaining("the ACL provider of the application failed")
			.withMessageContaining("the directory of users is down")
			.withCause(this.failure);
		assertThat(this.client.locks().acquireAsync(LockRequest.of("refused").withWait(WAIT))).failsWithin(WAIT)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(LockUnavailableException.class);
		assertThat(server.children("/locks")).doesNotContain("refused");
		this.failure = null;
		this.client.locks().acquire(LockRequest.of("refused").withWait(WAIT)).release();
	}

	private boolean isTakenAtOnce(LockRequest request) {
		LockHandle here = this.client.locks().acquireHere(request, Thread.currentThread());
		((here != null) ? here : this.client.locks().acquire(request)).release();
		return here != null;
	}

	private CompletableFuture<LockHandle> acquire(LockRequest request) {
		return CompletableFuture.supplyAsync(() -> this.client.locks().acquire(request), this.callers);
	}

	private CompletableFuture<LockHandle> acquireBlocked(LockRequest request, String where)
			throws InterruptedException {
		this.blocked.set(where);
		CompletableFuture<LockHandle> handle = acquire(request);
		assertThat(this.blocking.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		return handle;
	}

	private String trace() {
		asked("trace");
		return null;
	}

	// The first time only.
	private void asked(String what) {
		this.threads.add(Thread.currentThread().getName());
		String where = this.blocked.get();
		if (where != null && what.contains(where) && this.blocked.compareAndSet(where, null)) {
			this.blocking.countDown();
			try {
				this.end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private final class Acls implements ACLProvider {

		@Override
		public List<ACL> getDefaultAcl() {
			return Ids.OPEN_ACL_UNSAFE;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			asked(path);
			if (ApplicationCodeTests.this.failure != null) {
				throw ApplicationCodeTests.this.failure;
			}
			return getDefaultAcl();
		}

	}

}
