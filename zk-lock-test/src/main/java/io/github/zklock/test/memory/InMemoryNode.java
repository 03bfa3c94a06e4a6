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

package io.github.zklock.test.memory;

import java.time.Duration;

import io.github.zklock.core.LockHolder;
import org.jspecify.annotations.Nullable;

/**
 * One of the processes that compete for locks in memory. Whether it is connected changes
 * under the monitor of the queues only.
 */
final class InMemoryNode {

	private final @Nullable String name;

	private volatile boolean connected = true;

	/**
	 * Create a process.
	 * @param name its name in messages, or {@code null} for the process under test, which
	 * messages name by its threads
	 */
	InMemoryNode(@Nullable String name) {
		this.name = name;
	}

	/**
	 * Return whether this is not the process under test, but one that a test plays.
	 */
	boolean isPlayed() {
		return this.name != null;
	}

	boolean isConnected() {
		return this.connected;
	}

	void connected(boolean connected) {
		this.connected = connected;
	}

	LockHolder holder(String thread, String lock, Duration queuedFor) {
		LockHolder.Builder holder = (this.name != null) ? LockHolder.of(this.name).instance(this.name)
				: LockHolder.of("in-memory").instance(thread).pid(ProcessHandle.current().pid()).thread(thread);
		return holder.name(lock).queuedFor(queuedFor).build();
	}

}
