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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockState;
import io.github.zklock.support.PlainLockHandle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The release of several locks, of which one has no stack left the first time.
 */
class JointHandleTests {

	private final AtomicBoolean failed = new AtomicBoolean();

	private final PlainLockHandle first = new PlainLockHandle("a", LockMode.EXCLUSIVE, 1);

	private final PlainLockHandle last = new PlainLockHandle("b", LockMode.EXCLUSIVE, 2) {

		@Override
		public void release() {
			if (JointHandleTests.this.failed.compareAndSet(false, true)) {
				throw new StackOverflowError("injected");
			}
			super.release();
		}

	};

	private final JointHandle joint = new JointHandle(List.of(this.first, this.last));

	@Test
	void releaseThatFailsReleasesTheOthersAndCanBeRepeated() {
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.joint::release);
		assertThat(this.first.state()).isEqualTo(LockState.RELEASED);
		assertThat(this.last.state()).isEqualTo(LockState.HELD);
		this.joint.release();
		assertThat(this.last.state()).isEqualTo(LockState.RELEASED);
	}

	@Test
	void releaseAfterABodyIsRepeatedOnAnotherThread() {
		LockRun.release(this.joint);
		Awaitility.await().untilAsserted(() -> assertThat(this.last.state()).isEqualTo(LockState.RELEASED));
	}

	@Test
	void asynchronousReleaseIsRepeatedOnAnotherThread() {
		CompletableFuture<Void> released = LockRun.releaseAsync(this.joint);
		assertThat(released).succeedsWithin(Duration.ofSeconds(30));
		assertThat(this.last.state()).isEqualTo(LockState.RELEASED);
	}

}
