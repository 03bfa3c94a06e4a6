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

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import org.jspecify.annotations.Nullable;

/**
 * No jobs: for locks that are turned off, so that an application starts as with them. A
 * call that would change a job fails.
 *
 * @since 0.1.0
 */
public final class NoOpLockJobs implements LockJobs {

	@Override
	public List<LockJob> list() {
		return List.of();
	}

	@Override
	public LockJob get(String name) {
		throw turnedOff(name);
	}

	@Override
	public void pause(String name, @Nullable String by) {
		throw turnedOff(name);
	}

	@Override
	public void resume(String name) {
		throw turnedOff(name);
	}

	@Override
	public CompletableFuture<@Nullable Void> run(String name) {
		return CompletableFuture.failedFuture(turnedOff(name));
	}

	@Override
	public CompletableFuture<@Nullable Void> run(String name, int shard) {
		return CompletableFuture.failedFuture(turnedOff(name));
	}

	private static IllegalStateException turnedOff(String name) {
		return new IllegalStateException("Job '" + name + "' is not known: locks are turned off by "
				+ "zk-lock.enabled=false, so its method runs on every node. Turn locks on to pause, resume or run it");
	}

}
