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

package io.github.zklock.observation.internal;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.internal.LockObserver;
import io.github.zklock.core.internal.LockWaitObserver;
import io.github.zklock.observation.LockObservationContext;
import io.github.zklock.observation.LockObservationContext.Outcome;
import io.github.zklock.observation.LockObservationConvention;
import io.github.zklock.observation.LockObservationDocumentation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Observes waits that are real, and locks that are held, for spans. The parent of both is
 * the observation that the calling thread had at its request. A thread that runs under
 * the lock is in the scope of the observation. A chain of Project Reactor finds it in its
 * context.
 *
 * @since 0.1.0
 */
public final class LockObservations implements LockObserver {

	private static final LockObservationConvention WAIT = new LockObservationConvention.Wait();

	private static final LockObservationConvention HOLD = new LockObservationConvention.Hold();

	private final ObservationRegistry registry;

	private final boolean keyShown;

	/**
	 * Create the observations.
	 * @param registry where they go
	 */
	public LockObservations(ObservationRegistry registry) {
		this(registry, false);
	}

	/**
	 * Create the observations.
	 * @param registry where they go
	 * @param keyShown whether spans show the key and the message of a failure, which
	 * contains it
	 */
	public LockObservations(ObservationRegistry registry, boolean keyShown) {
		this.registry = registry;
		this.keyShown = keyShown;
	}

	@Override
	public LockObserver follow(LockRequest request) {
		return this.registry.isNoop() ? this
				: new Follower(this.registry, this.keyShown, this.registry.getCurrentObservation());
	}

	private static final class Follower implements LockWaitObserver {

		private final ObservationRegistry registry;

		private final boolean keyShown;

		private final @Nullable Observation parent;

		private final AtomicBoolean waitEnded = new AtomicBoolean();

		private volatile @Nullable Observed waiting;

		private volatile @Nullable Consumer<Observed> answer;

		private volatile @Nullable Observed holding;

		Follower(ObservationRegistry registry, boolean keyShown, @Nullable Observation parent) {
			this.registry = registry;
			this.keyShown = keyShown;
			this.parent = parent;
		}

		// The notice may come after the answer.
		@Override
		public void waits(LockRequest request) {
			if (this.answer == null) {
				this.waiting = start(LockObservationDocumentation.WAIT, WAIT, request, null);
				endWait();
			}
		}

		@Override
		public void acquired(LockRequest request, LockHandle handle, Duration waited) {
			answer((wait) -> {
				wait.context().setHandle(handle);
				wait.end(Outcome.ACQUIRED);
			});
			this.holding = start(LockObservationDocumentation.HOLD, HOLD, request, handle);
		}

		@Override
		public void notAcquired(LockRequest request, LockException exception) {
			answer((wait) -> {
				// The node that ran a tick is not looked up, since that takes a request.
				if (exception instanceof LockNotAcquiredException refusal && refusal.getTick() == null) {
					wait.context().setHolder(refusal.getHolder());
				}
				wait.observation().error(this.keyShown ? exception : new LockRefusedException(exception));
				wait.end(Outcome.of(exception));
			});
		}

		@Override
		public void withdrawn(LockRequest request, Duration waited) {
			answer((wait) -> wait.end(Outcome.WITHDRAWN));
		}

		private void answer(Consumer<Observed> answer) {
			this.answer = answer;
			endWait();
		}

		// Called by the second of two threads: handlers run, so neither waits.
		private void endWait() {
			Observed wait = this.waiting;
			Consumer<Observed> answer = this.answer;
			if (wait != null && answer != null && this.waitEnded.compareAndSet(false, true)) {
				answer.accept(wait);
			}
		}

		@Override
		public @Nullable Runnable entered(LockRequest request, LockHandle handle) {
			Observed held = this.holding;
			return (held != null) ? held.observation().openScope()::close : null;
		}

		@Override
		public Map<Object, Object> context(LockRequest request, LockHandle handle) {
			Observed held = this.holding;
			return (held != null) ? Map.of(ObservationThreadLocalAccessor.KEY, held.observation()) : Map.of();
		}

		@Override
		public void lost(LockRequest request, LockHandle handle) {
			Observed held = this.holding;
			if (held != null) {
				held.observation().event(Observation.Event.of("lost"));
			}
		}

		@Override
		public void released(LockRequest request, LockHandle handle, Duration held) {
			Observed holding = this.holding;
			if (holding != null) {
				holding.end((handle.state() == LockState.LOST) ? Outcome.LOST : Outcome.RELEASED);
			}
		}

		private Observed start(LockObservationDocumentation what, LockObservationConvention convention,
				LockRequest request, @Nullable LockHandle handle) {
			LockObservationContext context = new LockObservationContext(request, this.keyShown);
			if (handle != null) {
				context.setHandle(handle);
			}
			Observation observation = what.observation(null, convention, () -> context, this.registry);
			if (this.parent != null) {
				observation.parentObservation(this.parent);
			}
			return new Observed(observation.start(), context);
		}

	}

	// A span shows the message of a failure, and the messages of locks contain the key.
	@SuppressWarnings("serial")
	private static final class LockRefusedException extends RuntimeException {

		LockRefusedException(LockException refusal) {
			super(refusal.getClass().getName(), null, false, false);
		}

	}

	private record Observed(Observation observation, LockObservationContext context) {

		void end(Outcome outcome) {
			this.context.setOutcome(outcome);
			this.observation.stop();
		}

	}

}
