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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.ReentryAndRelease;
import io.github.zklock.support.Interleaving;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.zookeeper.request.CombinableRequest;
import io.github.zklock.zookeeper.request.RequestCombiner;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.IdleTasks;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What threads do to one another inside of one step, which a simulation on one thread
 * cannot show.
 */
@Tag("server")
class InterleavingTests {

	private static final Duration LONGEST = Duration.ofMinutes(10);

	private static final LockRequest REQUEST = LincheckScene.REQUEST;

	private static final List<Class<? extends Interleaving>> ALL = List.of(TwoSenders.class, SenderAndAnswer.class,
			ArrivalAtAQueueThatEnds.class, HandOn.class, ReleaseAndLoss.class, ListenerAndLoss.class,
			KeptNodeInterleavings.Loss.class, KeptNodeInterleavings.Delete.class, KeptNodeInterleavings.End.class,
			ReentryAndRelease.class);

	private static JavaProcess process;

	@BeforeAll
	static void start() {
		process = JavaProcess.start(InterleavingProcess.class.getName(), List.of(),
				ALL.stream().map(Class::getName).toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		process.close();
	}

	static List<Class<? extends Interleaving>> all() {
		return ALL;
	}

	@ParameterizedTest
	@MethodSource("all")
	void holdsInAnyOrder(Class<? extends Interleaving> interleaving) {
		String verdict = process.awaitLine(interleaving.getName() + " ", LONGEST);
		assertThat(verdict).as(() -> String.join(System.lineSeparator(), process.output())).endsWith(" holds");
	}

	/** Requests that two threads send go out, and one thread sends at a time. */
	public static class TwoSenders extends Interleaving {

		private Sender sender;

		@Override
		public void begin() {
			this.sender = new Sender();
		}

		@Override
		public void one() {
			this.sender.send();
		}

		@Override
		public void other() {
			this.sender.send();
		}

		@Override
		public void end() {
			require(this.sender.sent.get() == 2, "both are sent");
		}

	}

	/** A request that has to wait goes out when an earlier one is answered. */
	public static class SenderAndAnswer extends Interleaving {

		private static final int WINDOW = 4;

		private Sender sender;

		@Override
		public void begin() {
			this.sender = new Sender();
			for (int i = 0; i < WINDOW; i++) {
				this.sender.send();
			}
		}

		@Override
		public void one() {
			this.sender.send();
		}

		@Override
		public void other() {
			this.sender.answers.remove().run();
		}

		@Override
		public void end() {
			require(this.sender.sent.get() == WINDOW + 1, "the one that has waited is sent");
		}

	}

	/** Who comes while a queue ends waits where the next one finds it. */
	public static class ArrivalAtAQueueThatEnds extends Interleaving {

		private LincheckScene scene;

		private LockAttempt leaving;

		@Override
		public void begin() {
			this.scene = new LincheckScene();
			this.leaving = this.scene.enter(REQUEST);
		}

		@Override
		public void one() {
			this.leaving.expire();
		}

		@Override
		public void other() {
			this.scene.enter(REQUEST);
		}

		@Override
		public void end() {
			require(this.leaving.isDecided(), "who has left has a verdict");
			require(this.scene.queues().withoutNode(REQUEST.key()) == 1, "who has come can be found");
		}

	}

	/**
	 * A lock is handed on, with its node, to who still waits for it, and to nobody else.
	 */
	public static class HandOn extends Interleaving {

		private LincheckScene scene;

		private LockAttempt next;

		private ZooKeeperLockHandle handle;

		@Override
		public void begin() {
			this.scene = new LincheckScene();
			LockAttempt first = this.scene.enter(REQUEST);
			this.next = this.scene.enter(REQUEST);
			this.handle = this.scene.grant(first);
		}

		@Override
		public void one() {
			this.handle.releaseAsync();
		}

		@Override
		public void other() {
			this.next.expire();
		}

		@Override
		public void end() {
			require(this.next.isDecided(), "who has waited has a verdict");
			int holders = (this.next.verdict().join().handle() != null) ? 1 : 0;
			require(this.scene.held().size() == holders, "the lock is held by who was told so");
			require(this.scene.deleted() == 1 - holders, "its node is there as long as it is held");
		}

	}

	/** A lock is released or lost, not both, and nobody holds it then. */
	public static class ReleaseAndLoss extends Interleaving {

		private final AtomicInteger told = new AtomicInteger();

		private LincheckScene scene;

		private ZooKeeperLockHandle handle;

		@Override
		public void begin() {
			this.scene = new LincheckScene();
			this.handle = this.scene.grant(this.scene.enter(REQUEST));
			this.handle.onLost((lost) -> this.told.incrementAndGet());
		}

		@Override
		public void one() {
			this.handle.releaseAsync();
		}

		@Override
		public void other() {
			this.scene.session().lose();
		}

		@Override
		public void end() {
			boolean lost = this.handle.state() == LockState.LOST;
			require(this.told.get() == (lost ? 1 : 0), "a loss is told, once");
			require((this.handle.loss() != null) == lost, "a loss has a cause");
			require(this.scene.held().size() == 0, "nobody holds it");
		}

		// What may go wrong goes wrong in one of them only.
		@Override
		public int orders() {
			return 3 * super.orders();
		}

	}

	/** Who begins to listen while a lock is lost is told, once. */
	public static class ListenerAndLoss extends Interleaving {

		private final AtomicInteger told = new AtomicInteger();

		private LincheckScene scene;

		private ZooKeeperLockHandle handle;

		@Override
		public void begin() {
			this.scene = new LincheckScene();
			this.handle = this.scene.grant(this.scene.enter(REQUEST));
		}

		@Override
		public void one() {
			this.handle.onLost((lost) -> this.told.incrementAndGet());
		}

		@Override
		public void other() {
			this.scene.session().lose();
		}

		@Override
		public void end() {
			require(this.told.get() == 1, "the loss is told, once");
		}

	}

	/**
	 * Sends requests that are too large to go out together.
	 */
	private static final class Sender {

		private static final String LARGE = "/locks/" + "a".repeat(300 * 1024);

		private static final SilentZooKeeper CLIENT = SilentZooKeeper.create();

		private final RequestCombiner combiner = new RequestCombiner(CLIENT, new EngineTasks(new IdleTasks()));

		private final AtomicInteger sending = new AtomicInteger();

		private final AtomicInteger sent = new AtomicInteger();

		private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();

		Sender() {
			CLIENT.begin(this::deletes);
		}

		void send() {
			this.combiner.send(CombinableRequest.removal("/locks", LARGE, (rc, path, context) -> {
			}));
		}

		private void deletes(VoidCallback answer) {
			Interleaving.require(this.sending.incrementAndGet() == 1, "one thread sends at a time");
			this.answers.add(() -> answer.processResult(0, LARGE, null));
			this.sent.incrementAndGet();
			this.sending.decrementAndGet();
		}

	}

}
