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
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Plain Curator recipes on the path of a key take part in the lock, in both directions.
 */
@Tag("server")
class InteroperabilityTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	static LockClient<ZooKeeperLockProvider> ours;

	static LockClient<ZooKeeperLockProvider> theirs;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final String key = "orders/" + UUID.randomUUID();

	@BeforeAll
	static void connect() {
		ours = client();
		theirs = client();
	}

	@AfterAll
	static void disconnect() {
		ours.close();
		theirs.close();
	}

	private static LockClient<ZooKeeperLockProvider> client() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).tryTimeout(PATIENCE).build());
	}

	static Stream<Arguments> cells() {
		return Stream.of(Arguments.of(LockMode.EXCLUSIVE, Recipe.MUTEX, false),
				Arguments.of(LockMode.READ, Recipe.READ, true), Arguments.of(LockMode.READ, Recipe.WRITE, false),
				Arguments.of(LockMode.WRITE, Recipe.READ, false), Arguments.of(LockMode.WRITE, Recipe.WRITE, false));
	}

	// Curator's own recipes ignore each other; ours ignores none of them.
	static Stream<Arguments> allCells() {
		return Stream.of(LockMode.values())
			.flatMap((mode) -> Stream.of(Recipe.values())
				.map((recipe) -> Arguments.of(mode, recipe, mode == LockMode.READ && recipe == Recipe.READ)));
	}

	@ParameterizedTest(name = "Curator''s {1} beside our {0}")
	@MethodSource("cells")
	void recipeComesSecond(LockMode mode, Recipe recipe, boolean shared) throws Exception {
		LockHandle handle = acquire(mode, PATIENCE);
		InterProcessLock lock = recipe.on(theirs.curator(), path());
		assertThat(lock.acquire(shared ? PATIENCE.toMillis() : 150, TimeUnit.MILLISECONDS)).isEqualTo(shared);
		handle.release();
		if (!shared) {
			assertThat(lock.acquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		lock.release();
		await().untilAsserted(() -> assertThat(server.children(path())).isEmpty());
	}

	@ParameterizedTest(name = "our {0} beside Curator''s {1}")
	@MethodSource("allCells")
	void recipeComesFirst(LockMode mode, Recipe recipe, boolean shared) throws Exception {
		InterProcessLock lock = recipe.on(theirs.curator(), path());
		assertThat(lock.acquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		if (shared) {
			acquire(mode, Duration.ZERO).release();
		}
		else {
			Refusal.of(() -> acquire(mode, Duration.ofMillis(100)));
		}
		CompletableFuture<LockHandle> waiting = ours.locks()
			.acquireAsync(LockRequest.of(this.key).withMode(mode).withWait(PATIENCE));
		if (!shared) {
			assertThat(waiting).isNotDone();
		}
		lock.release();
		waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).release();
		await().untilAsserted(() -> assertThat(server.children(path())).isEmpty());
	}

	@ParameterizedTest(name = "our {0} passes to Curator''s {1}")
	@MethodSource("cells")
	void releaseWakesTheRecipe(LockMode mode, Recipe recipe, boolean shared) throws Exception {
		LockHandle handle = acquire(mode, PATIENCE);
		CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> recipe.use(theirs.curator(), path()));
		if (!shared) {
			await().until(() -> server.children(path()).size() == 2);
		}
		handle.release();
		assertThat(waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void holderThatIsAnotherKindOfClientIsNamedAsSuch() throws Exception {
		InterProcessMutex mutex = new InterProcessMutex(theirs.curator(), path());
		mutex.acquire();
		LockNotAcquiredException refused = Refusal.of(() -> acquire(LockMode.EXCLUSIVE, Duration.ZERO));
		mutex.release();
		assertThat(refused.getHolder()).isNotNull();
		assertThat(refused).hasMessageContaining("; held by ");
	}

	private String path() {
		return ours.locks().pathOf(this.key);
	}

	private LockHandle acquire(LockMode mode, Duration wait) {
		return ours.locks().acquire(LockRequest.of(this.key).withMode(mode).withWait(wait));
	}

	enum Recipe {

		MUTEX, READ, WRITE;

		InterProcessLock on(CuratorFramework client, String path) {
			return switch (this) {
				case MUTEX -> new InterProcessMutex(client, path);
				case READ -> new InterProcessReadWriteLock(client, path).readLock();
				case WRITE -> new InterProcessReadWriteLock(client, path).writeLock();
			};
		}

		boolean use(CuratorFramework client, String path) {
			try {
				InterProcessLock lock = on(client, path);
				boolean acquired = lock.acquire(PATIENCE.toSeconds(), TimeUnit.SECONDS);
				lock.release();
				return acquired;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
