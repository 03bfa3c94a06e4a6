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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.support.DelegatingTasks;
import io.github.zklock.zookeeper.tasks.Tasks;

/**
 * The clock of an engine, which a test puts forward instead of sleeping. What the engine
 * has scheduled still comes after its real delay.
 */
public final class EngineClock {

	private final AtomicLong passed = new AtomicLong();

	/**
	 * Build a provider with this clock.
	 * @param builder its builder
	 * @return the provider
	 */
	public ZooKeeperLockProvider build(ZooKeeperLockProviderBuilder builder) {
		return builder.tasks(new Ahead(builder.tasks())).build();
	}

	/**
	 * Build a provider whose clock stands still.
	 * @param builder its builder
	 * @return the provider
	 */
	public static ZooKeeperLockProvider standStill(ZooKeeperLockProviderBuilder builder) {
		return builder.tasks(new DelegatingTasks(builder.tasks()) {

			@Override
			public long nanoTime() {
				return 0;
			}

		}).build();
	}

	/**
	 * Put the clock forward.
	 * @param time by how much
	 */
	public void forward(Duration time) {
		this.passed.addAndGet(time.toNanos());
	}

	private final class Ahead extends DelegatingTasks {

		Ahead(Tasks tasks) {
			super(tasks);
		}

		@Override
		public long nanoTime() {
			return super.nanoTime() + EngineClock.this.passed.get();
		}

	}

}
