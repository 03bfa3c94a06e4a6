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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Those who want to know that a lock is lost do not depend on one another.
 */
@Tag("server")
class LossListenersTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void listenerThatThrowsAnErrorSilencesNoOther() {
		List<String> told = new CopyOnWriteArrayList<>();
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(10), (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle handle = client.locks().acquire(LockRequest.of("key").withWait(WAIT));
			handle.onLost((lost) -> told.add("first"));
			handle.onLost((lost) -> {
				told.add("second");
				throw new StackOverflowError("injected");
			});
			handle.onLost((lost) -> told.add("third"));
			client.giveUpSession();
			Awaitility.await()
				.atMost(WAIT)
				.untilAsserted(() -> assertThat(told).containsExactlyInAnyOrder("first", "second", "third"));
		}
	}

	@Test
	void lossIsToldOnceAlsoToALogThatFails() {
		FailingAppender appender = new FailingAppender();
		Logger logger = (Logger) LoggerFactory.getLogger("io.github.zklock.zookeeper.local");
		logger.addAppender(appender);
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(10), (curator) -> ZooKeeperLockProvider.builder(curator).build())) {
			LockHandle handle = client.locks().acquire(LockRequest.of("logged").withWait(WAIT));
			client.giveUpSession();
			Awaitility.await().atMost(WAIT).until(() -> handle.state() == LockState.LOST);
			Awaitility.await().atMost(WAIT).until(() -> appender.losses.get() > 0);
			// What was left of the loss comes before.
			client.locks().acquire(LockRequest.of("after the loss").withWait(WAIT)).release();
		}
		finally {
			logger.detachAppender(appender);
		}
		assertThat(appender.losses).hasValue(1);
	}

	@Test
	void logThatBlocksDelaysNoOtherLoss() throws Exception {
		BlockingAppender appender = new BlockingAppender();
		Logger logger = (Logger) LoggerFactory.getLogger("io.github.zklock.zookeeper.local");
		logger.addAppender(appender);
		CountDownLatch told = new CountDownLatch(2);
		EngineClock clock = new EngineClock();
		try (LockClient<ZooKeeperLockProvider> client = LockClient.connect(server.connectString(),
				Duration.ofSeconds(10), (curator) -> clock.build(ZooKeeperLockProvider.builder(curator)))) {
			for (String key : List.of("one", "two")) {
				client.locks().acquire(LockRequest.of(key).withWait(WAIT)).onLost((lost) -> told.countDown());
			}
			// The timer notices that the lease of both is over.
			clock.forward(Duration.ofSeconds(10));
			boolean inTime = told.await(30, TimeUnit.SECONDS);
			appender.goOn.countDown();
			assertThat(inTime).isTrue();
			Awaitility.await().atMost(WAIT).until(() -> appender.losses.get() == 2);
		}
		finally {
			logger.detachAppender(appender);
		}
	}

	private static final class BlockingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final AtomicInteger losses = new AtomicInteger();

		@Override
		public void doAppend(ILoggingEvent event) {
			if (event.getFormattedMessage().contains(" is lost: ")) {
				try {
					this.goOn.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				this.losses.incrementAndGet();
			}
		}

		@Override
		protected void append(ILoggingEvent event) {
		}

	}

	private static final class FailingAppender extends AppenderBase<ILoggingEvent> {

		private final AtomicInteger losses = new AtomicInteger();

		@Override
		public void doAppend(ILoggingEvent event) {
			if (event.getFormattedMessage().contains(" is lost: ")) {
				this.losses.incrementAndGet();
				throw new IllegalStateException("injected");
			}
		}

		@Override
		protected void append(ILoggingEvent event) {
		}

	}

}
