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

package io.github.zklock.core;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.zklock.support.LockBackend;
import io.github.zklock.support.Refusal;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the groups of the provider contract share. The two clients have names of their own
 * as owners, so a backend with one provider for both takes part as well.
 */
@ExtendWith(AbstractLockContract.OuterBackend.class)
public abstract class AbstractLockContract {

	/** Only ends a test that hangs. */
	static final Duration PATIENCE = Duration.ofSeconds(30);

	private final String key = "orders/" + UUID.randomUUID();

	private final ExecutorService otherThread = Executors.newCachedThreadPool();

	private LockBackend backend;

	/**
	 * Return the backend under test.
	 * @return the backend, the same one during a test
	 */
	LockBackend backend() {
		return this.backend;
	}

	@AfterEach
	void leaveNothingBehind() throws InterruptedException {
		this.otherThread.shutdownNow();
		assertThat(this.otherThread.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		eventually().untilAsserted(() -> assertThat(backend().left(this.key)).isEmpty());
	}

	String key() {
		return this.key;
	}

	LockRequest request(LockMode mode, Duration wait) {
		return LockRequest.of(this.key).withMode(mode).withWait(wait).withName("orders");
	}

	LockHandle first(LockMode mode) {
		return backend().first().acquire(request(mode, PATIENCE).withOwner("first"));
	}

	LockHandle second(LockMode mode) {
		return second(mode, PATIENCE);
	}

	LockHandle second(LockMode mode, Duration wait) {
		return backend().second().acquire(request(mode, wait).withOwner("second"));
	}

	CompletableFuture<LockHandle> secondAsync(LockMode mode) {
		return backend().second().acquireAsync(request(mode, PATIENCE));
	}

	void assertTaken(LockMode mode) {
		Refusal.of(() -> second(mode, Duration.ZERO));
	}

	void assertFree() {
		// A request that was withdrawn deletes its node in the background.
		second(LockMode.EXCLUSIVE).release();
	}

	<T> Future<T> onOtherThread(Callable<T> task) {
		return this.otherThread.submit(task);
	}

	static ConditionFactory eventually() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
	}

	static <T> T resultOf(Future<T> future) throws Exception {
		return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
	}

	static LockHandle get(CompletableFuture<LockHandle> future) {
		try {
			return future.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof LockException cause) ? cause : ex;
		}
	}

	/**
	 * Takes the backend from the class around the test.
	 */
	static final class OuterBackend implements BeforeEachCallback {

		@Override
		public void beforeEach(ExtensionContext context) {
			LockBackend.Source source = context.getRequiredTestInstances()
				.findInstance(LockBackend.Source.class)
				.orElseThrow();
			((AbstractLockContract) context.getRequiredTestInstance()).backend = source.backend();
		}

	}

}
