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

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The threads of the locks belong to nobody: what somebody has left in a thread that
 * needs them, as who is logged in, is not found there by those whose code they run.
 */
@Tag("server")
class UninheritedThreadsTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final InheritableThreadLocal<String> USER = new InheritableThreadLocal<>();

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private LockClient<ZooKeeperLockProvider> client;

	@BeforeEach
	void connect() {
		this.client = LockClient.connect(server.connectString(), Duration.ofSeconds(10),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Test
	void callbackDoesNotRunAsWhoeverWasTheFirstToUseALock() throws Exception {
		try (URLClassLoader foreign = new URLClassLoader(new URL[0])) {
			CompletableFuture<Map<String, String>> seen = new CompletableFuture<>();
			Thread first = new Thread(() -> {
				USER.set("somebody");
				Thread.currentThread().setContextClassLoader(foreign);
				seen.complete(seenByCallback());
			});
			first.setPriority(Thread.MAX_PRIORITY);
			first.start();
			first.join();
			assertThat(seen.join()).containsEntry("user", "null")
				.containsEntry("loader", String.valueOf(ZooKeeperLockProvider.class.getClassLoader()))
				.containsEntry("priority", Integer.toString(Thread.NORM_PRIORITY))
				.containsEntry("daemon", "true");
			assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().contains("zk-lock-"))
				.isNotEmpty()
				.allSatisfy((thread) -> assertThat(thread.getContextClassLoader()).isNotSameAs(foreign));
		}
	}

	private Map<String, String> seenByCallback() {
		LockRequest request = LockRequest.of("key").withWait(WAIT);
		LockHandle held = this.client.locks().acquire(request.withOwner("another"));
		// It is refused at once, so this thread makes the one that tells of it.
		assertThat(this.client.locks().acquireAsync(request.withWait(Duration.ZERO))).failsWithin(WAIT);
		CompletableFuture<Map<String, String>> seen = this.client.locks().acquireAsync(request).thenApply((next) -> {
			Thread thread = Thread.currentThread();
			next.releaseAsync();
			return Map.of("user", String.valueOf(USER.get()), "loader", String.valueOf(thread.getContextClassLoader()),
					"priority", Integer.toString(thread.getPriority()), "daemon", Boolean.toString(thread.isDaemon()));
		});
		held.release();
		return seen.orTimeout(WAIT.toSeconds(), TimeUnit.SECONDS).join();
	}

}
