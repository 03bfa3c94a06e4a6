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

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.zookeeper.curator.ZookeeperCuratorLockProvider;
import org.apache.curator.framework.CuratorFramework;

/**
 * The locks of ShedLock, which knows no waiting.
 */
final class ShedLockContender implements Contender {

	private final ZookeeperCuratorLockProvider provider;

	ShedLockContender(CuratorFramework client) {
		this.provider = new ZookeeperCuratorLockProvider(client, "/shedlock");
	}

	@Override
	public Held lock(String key) throws Exception {
		Held held = tryLock(key);
		while (held == null) {
			TimeUnit.MILLISECONDS.sleep(1);
			held = tryLock(key);
		}
		return held;
	}

	@Override
	public Held tryLock(String key) {
		Optional<SimpleLock> lock = this.provider
			.lock(new LockConfiguration(Instant.now(), key, Duration.ofMinutes(5), Duration.ZERO));
		return lock.<Held>map((held) -> held::unlock).orElse(null);
	}

}
