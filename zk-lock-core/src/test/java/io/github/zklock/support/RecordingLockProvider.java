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

package io.github.zklock.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.AcquireContext;
import io.github.zklock.core.spi.HolderSource;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.UnusedRelease;

/**
 * Records in which order locks are asked for and given back.
 */
public final class RecordingLockProvider implements LockProvider, JobStore.Source, HolderSource {

	private final LockProvider delegate;

	private final List<String> events = new CopyOnWriteArrayList<>();

	private final List<Watch> watches = new CopyOnWriteArrayList<>();

	private final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	public RecordingLockProvider(LockProvider delegate) {
		this.delegate = delegate;
	}

	/**
	 * Return what was done, in order.
	 * @return like {@code acquire key} and {@code release key}
	 */
	public List<String> events() {
		return this.events;
	}

	/**
	 * Return what was asked for, in order.
	 * @return the requests
	 */
	public List<LockRequest> requests() {
		return this.requests;
	}

	@Override
	public CompletableFuture<?> whenHolderGone(String key) {
		this.events.add("watch " + key);
		CompletableFuture<?> gone = new CompletableFuture<>();
		this.watches.add(new Watch(key, gone));
		return gone;
	}

	/**
	 * Report that all holders that are watched are gone, on this thread.
	 */
	public void holdersAreGone() {
		holdersAreGone((key) -> true);
	}

	/**
	 * Report that the holders of some keys that are watched are gone, on this thread.
	 * @param keys which keys
	 */
	public void holdersAreGone(Predicate<String> keys) {
		List<Watch> gone = this.watches.stream().filter((watch) -> keys.test(watch.key)).toList();
		this.watches.removeAll(gone);
		gone.forEach((watch) -> watch.gone.complete(null));
	}

	@Override
	public CompletableFuture<?> whenResumed(JobStore.Job job) {
		this.events.add("watch " + job.schedule());
		return ((HolderSource) this.delegate).whenResumed(job);
	}

	@Override
	public JobStore jobs() {
		return ((JobStore.Source) this.delegate).jobs();
	}

	@Override
	public Runnable onSession(Runnable action) {
		action.run();
		return () -> this.events.add("forget");
	}

	@Override
	public LockHandle acquire(LockRequest request, AcquireContext context) {
		record(request);
		return recorded(this.delegate.acquire(request, context));
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, AcquireContext context) {
		record(request);
		return this.delegate.acquireAsync(request, context).thenApply(this::recorded);
	}

	private void record(LockRequest request) {
		this.requests.add(request);
		this.events.add("acquire " + request.key());
	}

	private LockHandle recorded(LockHandle handle) {
		return (LockHandle) Proxy.newProxyInstance(LockHandle.class.getClassLoader(),
				new Class<?>[] { LockHandle.class, UnusedRelease.class }, (proxy, method, args) -> {
					if (method.getName().startsWith("release")) {
						this.events.add("release " + handle.key());
					}
					try {
						return method.invoke(handle, args);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private record Watch(String key, CompletableFuture<?> gone) {

	}

}
