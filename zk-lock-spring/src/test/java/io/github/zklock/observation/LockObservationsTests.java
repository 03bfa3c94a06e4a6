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

package io.github.zklock.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.LockWaitObserver;
import io.github.zklock.observation.LockObservationContext.Outcome;
import io.github.zklock.observation.internal.LockObservations;
import io.micrometer.observation.Observation.Context;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The observation of a wait, of which another thread tells than of its end.
 */
class LockObservationsTests {

	// The common pool of a machine with two processors has one thread.
	private static final Executor THREADS = (task) -> new Thread(task).start();

	private static final LockRequest REQUEST = LockRequest.of("key");

	private final Slow handler = new Slow();

	private final LockWaitObserver follower = follower(this.handler);

	@Test
	void answerDoesNotWaitForAHandlerThatIsToldOfTheWait() throws Exception {
		CompletableFuture<Void> notice = CompletableFuture.runAsync(() -> this.follower.waits(REQUEST), THREADS);
		await(this.handler.begun);
		CompletableFuture.runAsync(() -> this.follower.withdrawn(REQUEST, Duration.ZERO), THREADS)
			.get(60, TimeUnit.SECONDS);
		assertThat(this.handler.ended).isEmpty();
		this.handler.goOn.countDown();
		notice.get(60, TimeUnit.SECONDS);
		assertThat(this.handler.ended).containsExactly(Outcome.WITHDRAWN);
	}

	@Test
	void waitEndsOnceWithTheAnswer() {
		this.handler.goOn.countDown();
		this.follower.waits(REQUEST);
		assertThat(this.handler.ended).isEmpty();
		this.follower.withdrawn(REQUEST, Duration.ZERO);
		assertThat(this.handler.ended).containsExactly(Outcome.WITHDRAWN);
	}

	@Test
	void noticeAfterTheAnswerIsNoWait() {
		this.follower.withdrawn(REQUEST, Duration.ZERO);
		this.follower.waits(REQUEST);
		assertThat(this.handler.begun.getCount()).isOne();
		assertThat(this.handler.ended).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void keyIsShownOnlyIfThatIsWanted(boolean keyShown) {
		Queue<LockObservationContext> contexts = new ConcurrentLinkedQueue<>();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<LockObservationContext>() {

			@Override
			public boolean supportsContext(Context context) {
				return contexts.add((LockObservationContext) context);
			}

		});
		LockRequest request = LockRequest.of("iban-of-a-person");
		LockWaitObserver follower = (LockWaitObserver) new LockObservations(registry, keyShown).follow(request);
		follower.waits(request);
		follower.notAcquired(request, new LockNotAcquiredException(request, Duration.ZERO, null));
		LockObservationContext wait = contexts.element();
		assertThat(wait.getError()).isNotNull();
		String shown = wait.getAllKeyValues() + " " + wait.getError();
		if (keyShown) {
			assertThat(wait.getHighCardinalityKeyValue("zk.lock.key").getValue()).isEqualTo(request.key());
			assertThat(wait.getError()).hasMessageContaining(request.key());
		}
		else {
			assertThat(shown).doesNotContain(request.key()).contains(LockNotAcquiredException.class.getName());
		}
	}

	@Test
	void conventionOfTheApplicationReplacesTheDefault() {
		List<LockObservationContext> contexts = new ArrayList<>();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationConvention(new LockObservationConvention() {

			@Override
			public String getContextualName(LockObservationContext context) {
				return "ours";
			}

		}).observationHandler(new ObservationHandler<LockObservationContext>() {

			@Override
			public void onStop(LockObservationContext context) {
				contexts.add(context);
			}

			@Override
			public boolean supportsContext(Context context) {
				return true;
			}

		});
		LockWaitObserver follower = (LockWaitObserver) new LockObservations(registry).follow(REQUEST);
		follower.waits(REQUEST);
		follower.withdrawn(REQUEST, Duration.ZERO);
		assertThat(contexts).singleElement().extracting(Context::getContextualName).isEqualTo("ours");
	}

	private static LockWaitObserver follower(ObservationHandler<LockObservationContext> handler) {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(handler);
		return (LockWaitObserver) new LockObservations(registry).follow(REQUEST);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class Slow implements ObservationHandler<LockObservationContext> {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		private final Queue<Outcome> ended = new ConcurrentLinkedQueue<>();

		@Override
		public boolean supportsContext(Context context) {
			return context instanceof LockObservationContext;
		}

		@Override
		public void onStart(LockObservationContext context) {
			this.begun.countDown();
			await(this.goOn);
		}

		@Override
		public void onStop(LockObservationContext context) {
			Outcome outcome = context.getOutcome();
			assertThat(outcome).isNotNull();
			this.ended.add(outcome);
		}

	}

}
