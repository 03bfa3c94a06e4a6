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

package io.github.zklock.autoconfigure;

import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;

/**
 * The lock space of each lock, named like its nodes. Two applications that share an
 * ensemble share the tokens of its locks, whatever names their providers have.
 */
class FenceLockSpaces implements Function<LockHandle, String> {

	private final Supplier<? extends Collection<ZooKeeperLockProvider>> providers;

	private final String other;

	/**
	 * Create the lock spaces.
	 * @param providers the providers, looked up for each lock
	 * @param other the lock space of locks that are not in ZooKeeper
	 */
	FenceLockSpaces(Supplier<? extends Collection<ZooKeeperLockProvider>> providers, String other) {
		this.providers = providers;
		this.other = other;
	}

	@Override
	public String apply(LockHandle handle) {
		return this.providers.get()
			.stream()
			.flatMap((provider) -> provider.lockSpaceOf(handle).stream())
			.findFirst()
			.orElse(this.other);
	}

}
