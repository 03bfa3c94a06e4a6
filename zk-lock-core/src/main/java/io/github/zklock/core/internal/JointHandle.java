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

package io.github.zklock.core.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLoss;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.UnusedRelease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several locks held as one. Its state is the worst of their states.
 */
final class JointHandle implements LockHandle, UnusedRelease {

	private static final Logger logger = LoggerFactory.getLogger(JointHandle.class);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final List<LockHandle> handles;

	JointHandle(List<LockHandle> handles) {
		this.handles = List.copyOf(handles);
	}

	@Override
	public List<LockHandle> handles() {
		return this.handles;
	}

	@Override
	public String key() {
		return this.handles.stream().map(LockHandle::key).collect(Collectors.joining(", "));
	}

	@Override
	public LockMode mode() {
		return this.handles.stream()
			.map(LockHandle::mode)
			.filter((mode) -> mode != LockMode.READ)
			.findFirst()
			.orElse(LockMode.READ);
	}

	@Override
	public long fencingToken() {
		throw new IllegalStateException("Locks '" + LockKeys.abbreviate(key())
				+ "' have a fencing token each, and none that is good for all: take the token of the key you need from handles()");
	}

	@Override
	public LockState state() {
		return Stream.of(LockState.LOST, LockState.UNCERTAIN, LockState.RELEASED)
			.filter((state) -> this.handles.stream().anyMatch((handle) -> handle.state() == state))
			.findFirst()
			.orElse(LockState.HELD);
	}

	@Override
	public @Nullable LockLoss loss() {
		return this.handles.stream().map(LockHandle::loss).filter(Objects::nonNull).findFirst().orElse(null);
	}

	@Override
	public void assertHeld() {
		this.handles.forEach(LockHandle::assertHeld);
	}

	@Override
	public CompletableFuture<LockState> whenCertain() {
		return CompletableFuture
			.allOf(this.handles.stream().map(LockHandle::whenCertain).toArray(CompletableFuture[]::new))
			.thenApply((certain) -> state());
	}

	@Override
	public void onLost(Consumer<? super LockHandle> listener) {
		AtomicBoolean told = new AtomicBoolean();
		this.handles.forEach((handle) -> handle.onLost((lost) -> {
			if (told.compareAndSet(false, true)) {
				listener.accept(this);
			}
		}));
	}

	@Override
	public void release() {
		end((handle) -> {
			handle.release();
			return DONE;
		});
	}

	@Override
	public void close() {
		end((handle) -> {
			handle.close();
			return DONE;
		});
	}

	@Override
	public CompletableFuture<Void> releaseAsync() {
		return end(LockHandle::releaseAsync);
	}

	@Override
	public CompletableFuture<Void> releaseUnused() {
		return end(UnusedRelease::of);
	}

	// A release that throws must not stop the others. Without memory or stack it throws,
	// and may be repeated.
	private CompletableFuture<Void> end(Function<LockHandle, CompletableFuture<Void>> way) {
		List<CompletableFuture<?>> released = new ArrayList<>();
		Error failure = null;
		for (int i = this.handles.size() - 1; i >= 0; i--) {
			LockHandle handle = this.handles.get(i);
			Throwable thrown = Failures.thrownBy(() -> released.add(way.apply(handle)));
			if (thrown instanceof Error error) {
				failure = error;
			}
			else if (thrown != null) {
				logger.error(Failures.NOT_RELEASED, handle, thrown);
			}
		}
		if (failure != null) {
			throw failure;
		}
		return CompletableFuture.allOf(released.toArray(CompletableFuture[]::new));
	}

	@Override
	public String toString() {
		return this.handles.toString();
	}

}
