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

package io.github.zklock.benchmarks.lock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.apache.curator.framework.recipes.locks.InterProcessLock;

/**
 * The locks of Curator.
 */
final class CuratorContender implements Contender {

	private final Function<String, InterProcessLock> locks;

	CuratorContender(Function<String, InterProcessLock> locks) {
		this.locks = locks;
	}

	static Function<String, InterProcessLock> shared(Function<String, InterProcessLock> locks) {
		Map<String, InterProcessLock> known = new ConcurrentHashMap<>();
		return (path) -> known.computeIfAbsent(path, locks);
	}

	@Override
	public Held lock(String key) throws Exception {
		InterProcessLock lock = this.locks.apply("/curator/" + key);
		lock.acquire();
		return lock::release;
	}

	@Override
	public Held tryLock(String key) throws Exception {
		InterProcessLock lock = this.locks.apply("/curator/" + key);
		return lock.acquire(0, TimeUnit.MILLISECONDS) ? lock::release : null;
	}

}
