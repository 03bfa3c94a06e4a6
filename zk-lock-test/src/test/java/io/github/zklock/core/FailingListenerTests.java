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
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.zklock.core.spi.LockListener;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.Refusal;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A listener that throws harms nobody, whatever it throws.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailingListenerTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockEvents events = new LockEvents();

	static Stream<Throwable> failures() {
		return Stream.of(new IllegalStateException("unchecked"), new StackOverflowError("thrown by a test"),
				new OutOfMemoryError("thrown by a test"), new NoClassDefFoundError("thrown by a test"),
				new Error("thrown by a test"), new Exception("checked"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void bodyRunsAndItsLockIsReleased(Throwable failure) {
		String result = template(failure).execute(request("key"), (handle) -> "result");
		assertThat(result).isEqualTo("result");
		assertThat(this.provider.keysInUse()).isZero();
		assertThat(this.events.acquired).containsExactly("key");
		assertThat(this.events.released).containsExactly("key");
	}

	@ParameterizedTest
	@MethodSource("failures")
	void asynchronousBodyRunsAndItsLockIsReleased(Throwable failure) {
		CompletableFuture<String> result = template(failure).executeAsync(request("key"),
				(handle) -> CompletableFuture.completedFuture("result"));
		assertThat(result).succeedsWithin(PATIENCE).isEqualTo("result");
		assertThat(this.provider.keysInUse()).isZero();
		assertThat(this.events.released).containsExactly("key");
	}

	@ParameterizedTest
	@MethodSource("failures")
	void refusalComesOutUnchanged(Throwable failure) {
		LockHandle holder = this.provider.acquire(request("key").withOwner("other"));
		Refusal.of(() -> template(failure).acquire(List.of(request("key"))));
		String instead = template(failure).execute(request("key"), (handle) -> "body", (refused) -> "instead");
		assertThat(instead).isEqualTo("instead");
		assertThat(this.events.refused).contains("key");
		holder.release();
	}

	@ParameterizedTest
	@MethodSource("failures")
	void lossIsToldToAllOthers(Throwable failure) {
		LockHandle handle = template(failure).acquire(List.of(request("key")));
		this.provider.loseAll();
		assertThat(this.events.lost).containsExactly("key");
		handle.release();
	}

	@Test
	void failuresOfOneListenerAreToldOnce(CapturedOutput output) {
		LockTemplate template = template(new StackOverflowError("thrown by a test"));
		for (int i = 0; i < 10; i++) {
			template.execute(request("key"), (handle) -> "result");
		}
		assertThat(output.toString()).containsOnlyOnce("Lock listener " + Failing.class.getName());
	}

	private LockTemplate template(Throwable failure) {
		return new LockTemplate(this.provider, List.of(new Failing(failure), this.events));
	}

	private static LockRequest request(String key) {
		return LockRequest.of(key).withWait(Duration.ZERO);
	}

	private record Failing(Throwable failure) implements LockListener {

		@Override
		public void acquired(LockRequest request, LockHandle handle, Duration waited) {
			fail(this.failure);
		}

		@Override
		public void notAcquired(LockRequest request, LockException exception) {
			fail(this.failure);
		}

		@Override
		public void released(LockRequest request, LockHandle handle, Duration held) {
			fail(this.failure);
		}

		@Override
		public void lost(LockRequest request, LockHandle handle) {
			fail(this.failure);
		}

		@SuppressWarnings("unchecked")
		private static <E extends Throwable> void fail(Throwable failure) throws E {
			throw (E) failure;
		}

	}

}
