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
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.EngineParts;
import io.github.zklock.zookeeper.FaultScenario;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The timers of deletes that are repeated.
 */
@Tag("server")
class SweeperTests {

	private static final int MANY = 20;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Timers timers = new Timers();

	@Test
	void otherDeletesLeaveNoTimersBesideARefusal() {
		try (FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT)) {
			EngineParts engine = EngineParts.of((ZooKeeperLockProvider) scenario.victim().locks());
			Sweeper sweeper = new Sweeper(engine.tracker(), new EngineTasks(this.timers));
			Delete refused = new Delete(sweeper, "/locks/refused") {

				@Override
				void answer() {
					sweeper.refused(this, "NOAUTH", "DELETE");
				}

			};
			sweeper.add(refused);
			for (int i = 0; i < MANY; i++) {
				sweeper.add(new Delete(sweeper, "/locks/repeated"));
				this.timers.next();
			}
			assertThat(sweeper.size()).isOne();
			while (refused.sent < MANY) {
				this.timers.next();
			}
			assertThat(this.timers.open).hasSize(1);
		}
	}

	/**
	 * A delete whose first outcome is open.
	 */
	private static class Delete extends Sweeper.Work {

		private final Sweeper sweeper;

		private int sent;

		Delete(Sweeper sweeper, String directory) {
			super(sweeper, directory);
			this.sweeper = sweeper;
		}

		@Override
		void send(LockSession session) {
			this.sent++;
			answer();
		}

		void answer() {
			if (this.sent == 1) {
				this.sweeper.again(this);
			}
			else {
				this.sweeper.remove(this);
			}
		}

	}

	private record Timer(long at, Runnable action) implements Comparable<Timer> {

		@Override
		public int compareTo(Timer other) {
			return Long.compare(this.at, other.at);
		}

	}

	/**
	 * Timers that end when the test says so.
	 */
	private static final class Timers implements Tasks {

		private final Queue<Timer> open = new PriorityQueue<>();

		private long now = Duration.ofDays(1).toNanos();

		void next() {
			Timer timer = this.open.remove();
			this.now = timer.at;
			timer.action.run();
		}

		@Override
		public long nanoTime() {
			return this.now;
		}

		@Override
		public Future<?> schedule(Runnable action, long delay) {
			this.open.add(new Timer(this.now + delay, action));
			return new CompletableFuture<>();
		}

		@Override
		public void repeat(Runnable action, long pause) {
		}

		@Override
		public void callBack(Runnable code) {
			code.run();
		}

		@Override
		public void onStepThread(Runnable step) {
			step.run();
		}

		@Override
		public boolean isReplyThread() {
			return true;
		}

		@Override
		public void stop() {
		}

	}

}
