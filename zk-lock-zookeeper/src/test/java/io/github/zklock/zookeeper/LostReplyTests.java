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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.DelegatingTasks;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a request when there is no memory left just as its reply comes: between
 * the callback of ZooKeeper's client and the step of the engine that it leads to.
 */
@Tag("server")
class LostReplyTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final int WINDOW = 4;

	// For longer than the lease.
	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final AtomicReference<String> place = new AtomicReference<>();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> victim = LockClient.connect(server.connectString(), SESSION_TIMEOUT,
			this::build);

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> other = LockClient.connect(server.connectString(), SESSION_TIMEOUT,
			this::build);

	@ParameterizedTest
	@ValueSource(strings = { "NodeCreation.lambda$entry", "Predecessors.listed" })
	void callerGetsTheLockThoughAReplyCouldNotBeTaken(String caller) {
		String key = caller.substring(0, caller.indexOf('.'));
		use(this.victim, "warm-up");
		failAt(caller);
		use(this.victim, key);
		assertFailed();
		use(this.other, key);
		Awaitility.await().untilAsserted(() -> assertThat(server.children("/locks/" + key)).isEmpty());
	}

	@Test
	void nodeOfACallerThatHasLeftGoesThoughTheReplyCouldNotBeTaken() {
		use(this.victim, "left");
		failAt("NodeCreation.lambda$entry");
		CompletableFuture<LockHandle> unwanted = this.victim.locks().acquireAsync(request("left"));
		unwanted.cancel(false);
		Awaitility.await().until(() -> this.place.get() == null);
		use(this.other, "left");
		Awaitility.await().untilAsserted(() -> assertThat(server.children("/locks/left")).isEmpty());
	}

	@Test
	void lockIsHandedOnThoughTheListingOfItsQueueCouldNotBeTaken() throws Exception {
		LockHandle first = this.victim.locks().acquire(request("handed-on"));
		failAt("OthersBehind");
		CompletableFuture<LockHandle> next = this.victim.locks().acquireAsync(request("handed-on"));
		Awaitility.await().until(() -> this.place.get() == null);
		first.release();
		next.get().release();
	}

	@Test
	void lockIsLostAndTheNextOneWorksThoughTheReplyToAHeartbeatCouldNotBeTaken() {
		LockHandle handle = this.victim.locks().acquire(request("heartbeat"));
		failAt("HeartbeatNode");
		Awaitility.await().until(() -> handle.state() == LockState.LOST);
		assertFailed();
		handle.release();
		use(this.victim, "heartbeat");
	}

	@Test
	void requestsGoOutThoughAnswersCouldNotBeCounted() {
		use(this.victim, "counted");
		for (int i = 0; i < WINDOW; i++) {
			failAt("RequestBatch.lambda$sendAlone");
			useWhenPossible("counted-" + i);
			assertFailed();
		}
		useWhenPossible("counted");
	}

	// A lock that is granted while a step fails is lost.
	private void useWhenPossible(String key) {
		Awaitility.await()
			.ignoreExceptionsInstanceOf(LockUnavailableException.class)
			.untilAsserted(() -> use(this.victim, key));
	}

	private void failAt(String caller) {
		this.place.set(caller);
	}

	private void assertFailed() {
		assertThat(this.place).as("the place at which a reply was to fail").hasValue(null);
	}

	private static void use(LockClient<ZooKeeperLockProvider> client, String key) {
		client.locks().acquire(request(key)).release();
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withWait(WAIT);
	}

	private ZooKeeperLockProvider build(CuratorFramework curator) {
		ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider.builder(curator)
			.serverTick(ZooKeeperServerFixture.TICK);
		return builder.tasks(new ForgetfulTasks(builder.tasks())).build();
	}

	/**
	 * Has no memory once when a reply is taken at the place, as any allocation there may
	 * find.
	 */
	private final class ForgetfulTasks extends DelegatingTasks {

		private static final int FRAMES = 14;

		ForgetfulTasks(Tasks tasks) {
			super(tasks);
		}

		@Override
		public boolean isReplyThread() {
			String caller = LostReplyTests.this.place.get();
			if (caller != null && isTaking(caller) && LostReplyTests.this.place.compareAndSet(caller, null)) {
				throw new OutOfMemoryError("A test has no memory");
			}
			return super.isReplyThread();
		}

		private boolean isTaking(String caller) {
			String stack = StackWalker.getInstance()
				.walk((frames) -> frames.limit(FRAMES)
					.map((frame) -> frame.getClassName() + "." + frame.getMethodName())
					.toList())
				.toString();
			return (stack.contains("QueueMutex.runReply") || stack.contains("EngineTasks.runReply"))
					&& stack.contains(caller);
		}

	}

}
