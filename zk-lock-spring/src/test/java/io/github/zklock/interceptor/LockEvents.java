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

package io.github.zklock.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockListener;

/**
 * Records what happens, in order, and on which kind of thread.
 */
class LockEvents implements LockListener {

	private final List<String> events = new CopyOnWriteArrayList<>();

	private final List<LockRequest> requests = new CopyOnWriteArrayList<>();

	void add(String event) {
		String thread = Thread.currentThread().getName();
		this.events.add(thread.startsWith("async-") ? event + "@async" : event);
	}

	List<String> list() {
		return List.copyOf(this.events);
	}

	void clear() {
		this.events.clear();
		this.requests.clear();
	}

	List<LockRequest> requests() {
		return List.copyOf(this.requests);
	}

	@Override
	public void acquired(LockRequest request, LockHandle handle, Duration waited) {
		this.requests.add(request);
		add("lock " + request.key());
	}

	@Override
	public void notAcquired(LockRequest request, LockException exception) {
		this.requests.add(request);
		add("refused " + request.key());
	}

	@Override
	public void released(LockRequest request, LockHandle handle, Duration held) {
		add("unlock");
	}

}
