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

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;

/**
 * The handle of a lock that is held until it is released, and never lost. What a test or
 * a peer of the engine needs beyond that, it overrides.
 */
public class PlainLockHandle implements LockHandle {

	private final String key;

	private final LockMode mode;

	private final long token;

	private volatile LockState state = LockState.HELD;

	public PlainLockHandle(String key, LockMode mode, long token) {
		this.key = key;
		this.mode = mode;
		this.token = token;
	}

	public PlainLockHandle(LockRequest request, long token) {
		this(request.key(), request.mode(), token);
	}

	@Override
	public String key() {
		return this.key;
	}

	@Override
	public LockMode mode() {
		return this.mode;
	}

	@Override
	public long fencingToken() {
		return this.token;
	}

	@Override
	public LockState state() {
		return this.state;
	}

	public void changeTo(LockState changed) {
		this.state = changed;
	}

	@Override
	public void onLost(Consumer<? super LockHandle> listener) {
	}

	@Override
	public void release() {
		this.state = LockState.RELEASED;
	}

	@Override
	public CompletableFuture<Void> releaseAsync() {
		release();
		return CompletableFuture.completedFuture(null);
	}

}
