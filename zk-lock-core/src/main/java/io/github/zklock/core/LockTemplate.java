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

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.zklock.core.internal.LockOwners;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.internal.LockScope;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.internal.ObservedLocks;
import io.github.zklock.core.internal.StagedCall;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSettings;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks and calls bodies under them. The outcome of the body has priority: an
 * exception of the lock never replaces an exception of the body. Thread safe.
 *
 * @since 0.1.0
 */
public class LockTemplate implements LockOperations {

	private final LockProvider provider;

	private final Supplier<? extends List<? extends LockListener>> listeners;

	private final LockLimits limits;

	private final @Nullable LockSettings settings;

	private final ObservedLocks locks;

	private final @Nullable ConfiguredRequests configured;

	// For locks that the configuration has turned off.
	private final ObservedLocks unlocked = new ObservedLocks(new NoOpLockProvider(), List::of, LockLimits.DEFAULT);

	/**
	 * Create a template without listeners.
	 * @param provider the provider of locks
	 */
	public LockTemplate(LockProvider provider) {
		this(provider, List.of());
	}

	/**
	 * Create a template.
	 * @param provider the provider of locks
	 * @param listeners the listeners, which are notified in this order
	 */
	public LockTemplate(LockProvider provider, List<? extends LockListener> listeners) {
		this(provider, known(listeners));
	}

	/**
	 * Create a template with listeners that need not exist yet.
	 * @param provider the provider of locks
	 * @param listeners returns the listeners, which are notified in this order. Called
	 * for the first lock, and again for the next one if it throws
	 */
	public LockTemplate(LockProvider provider, Supplier<? extends List<? extends LockListener>> listeners) {
		this(provider, listeners, LockLimits.DEFAULT, null);
	}

	/**
	 * Create a template with limits and settings.
	 * @param provider the provider of locks
	 * @param listeners returns the listeners, which are called in this order. Called for
	 * the first lock, and again for the next one if it throws
	 * @param limits how many keys one call may lock
	 * @param settings what the configuration says for requests that leave it open, or
	 * {@code null}
	 */
	public LockTemplate(LockProvider provider, Supplier<? extends List<? extends LockListener>> listeners,
			LockLimits limits, @Nullable LockSettings settings) {
		this.provider = provider;
		this.listeners = listeners;
		this.limits = limits;
		this.settings = settings;
		this.locks = new ObservedLocks(provider, listeners, limits);
		this.configured = (settings != null) ? new ConfiguredRequests(settings) : null;
	}

	/**
	 * Return a template for another provider, with the listeners, the limits and the
	 * settings of this template. If {@code zk-lock.enabled=false} has turned locks off,
	 * they are turned off for the other provider as well.
	 * @param provider the other provider
	 * @return the template
	 */
	public LockTemplate withProvider(LockProvider provider) {
		return (this.provider instanceof NoOpLockProvider) ? this
				: new LockTemplate(provider, this.listeners, this.limits, this.settings);
	}

	@Override
	public LockHandle acquire(Collection<LockRequest> requests) {
		Collection<LockRequest> wanted = complete(requests);
		return locks(wanted)
			.acquire(LockOwners.ownByThread(wanted.isEmpty() ? requests : wanted, LockScope.ofThread()));
	}

	private Collection<LockRequest> complete(Collection<LockRequest> requests) {
		return (this.configured != null) ? this.configured.complete(requests) : requests;
	}

	// All of them may be turned off.
	private ObservedLocks locks(Collection<LockRequest> wanted) {
		return wanted.isEmpty() ? this.unlocked : this.locks;
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(Collection<LockRequest> requests) {
		Collection<LockRequest> wanted = complete(requests);
		return locks(wanted)
			.acquireAsync(LockOwners.own(wanted.isEmpty() ? requests : wanted, null, LockScope.ofThread()));
	}

	private static <T extends @Nullable Object> T finished(LockHandle handle, T result) {
		WorkRecords.returned(handle);
		return result;
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(Collection<LockRequest> requests,
			LockCallback<T, E> body) throws E {
		LockRun run = LockRun.ofThread(requests);
		run.begin(this);
		return run.execute((handle) -> finished(handle, body.doWithLock(handle)));
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(Collection<LockRequest> requests,
			LockCallback<T, E> body, NotAcquiredCallback<T, E> otherwise) throws E {
		LockRun run = LockRun.ofThread(requests);
		try {
			run.begin(this);
		}
		catch (LockNotAcquiredException ex) {
			return otherwise.doWithoutLock(ex);
		}
		return run.execute((handle) -> finished(handle, body.doWithLock(handle)));
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(Collection<LockRequest> requests,
			Function<? super LockHandle, ? extends CompletionStage<T>> body) {
		return new StagedCall<>(body, null).start(this, requests);
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(Collection<LockRequest> requests,
			Function<? super LockHandle, ? extends CompletionStage<T>> body,
			Function<? super LockException, ? extends CompletionStage<T>> otherwise) {
		return new StagedCall<>(body, otherwise).start(this, requests);
	}

	private static Supplier<List<LockListener>> known(List<? extends LockListener> listeners) {
		List<LockListener> known = List.copyOf(listeners);
		return () -> known;
	}

}
