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

import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.LockBackend;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Nested;

/**
 * The provider contract for {@link InMemoryLockProvider}.
 */
class InMemoryLockContractTests implements LockBackend.Source {

	private final LockBackend backend = new InMemoryBackend();

	@Override
	public LockBackend backend() {
		return this.backend;
	}

	@Nested
	class Modes extends AbstractLockModesTests {

	}

	@Nested
	class Views extends AbstractLockViewTests {

	}

	@Nested
	class Order extends AbstractLockOrderTests {

	}

	@Nested
	class Waiting extends AbstractLockWaitTests {

	}

	@Nested
	class Owner extends AbstractLockOwnerTests {

	}

	@Nested
	class Reentrancy extends AbstractLockReentrancyTests {

	}

	@Nested
	class Permits extends AbstractLockPermitsTests {

	}

	@Nested
	class AtLeast extends AbstractLockAtLeastTests {

	}

	@Nested
	class Ticks extends AbstractLockTickTests {

	}

	@Nested
	class Attempts extends AbstractLockAttemptTests {

	}

	@Nested
	class Handles extends AbstractLockHandleTests {

	}

	@Nested
	class Async extends AbstractLockAsyncTests {

	}

	@Nested
	class Template extends AbstractLockTemplateTests {

	}

	@Nested
	class Several extends AbstractSeveralLocksTests {

	}

	@Nested
	class SeveralFailing extends AbstractSeveralLocksFailureTests {

	}

	@Nested
	class Loss extends AbstractOnLostTests {

	}

	private static final class InMemoryBackend implements LockBackend {

		private final InMemoryLockProvider provider = new InMemoryLockProvider();

		private final InMemoryLockProvider another = this.provider.another("another");

		@Override
		public LockProvider first() {
			return this.provider;
		}

		@Override
		public LockProvider second() {
			return this.another;
		}

		@Override
		public List<String> left(String key) {
			try {
				LockRequest probe = LockRequest.of(key).withWait(Duration.ZERO).withOwner("probe");
				this.provider.acquire(probe).release();
				return List.of();
			}
			catch (LockNotAcquiredException ex) {
				return List.of("holder");
			}
		}

		@Override
		public void awaitMembers(String key, int members) {
			// Whoever asks is a member before the call returns.
		}

		@Override
		public void loseFirst() {
			this.provider.loseAll();
		}

	}

}
