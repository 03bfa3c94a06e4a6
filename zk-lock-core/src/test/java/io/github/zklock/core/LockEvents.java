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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.core.spi.LockListener;

/**
 * Records the keys that a listener is told of.
 */
final class LockEvents implements LockListener {

	final List<String> acquired = new CopyOnWriteArrayList<>();

	final List<String> refused = new CopyOnWriteArrayList<>();

	final List<String> released = new CopyOnWriteArrayList<>();

	final List<String> lost = new CopyOnWriteArrayList<>();

	@Override
	public void acquired(LockRequest request, LockHandle handle, Duration waited) {
		this.acquired.add(request.key());
	}

	@Override
	public void notAcquired(LockRequest request, LockException exception) {
		this.refused.add(request.key());
	}

	@Override
	public void released(LockRequest request, LockHandle handle, Duration held) {
		this.released.add(request.key());
	}

	@Override
	public void lost(LockRequest request, LockHandle handle) {
		this.lost.add(request.key());
	}

}
