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
import java.time.Instant;
import java.util.List;

import io.github.zklock.core.spi.LockListener;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the log says of a nested request that asks for what only the outermost one can
 * have.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockNestingLogTests {

	private final InMemoryLockProvider locks = new InMemoryLockProvider();

	@Test
	void nestedAtLeastWithoutEffectIsLogged(CapturedOutput output) {
		LockHandle outer = this.locks.acquire(LockRequest.of("job"));
		this.locks.acquire(LockRequest.of("job")).release();
		assertThat(output.toString()).doesNotContain("has no effect");
		this.locks.acquire(LockRequest.of("job").withLockAtLeastFor(Duration.ofSeconds(30))).release();
		assertThat(output.toString())
			.contains("lockAtLeastFor of the nested request has no effect: the outermost request decides");
		outer.release();
	}

	@Test
	void nestedTickWithoutEffectIsLoggedOnce(CapturedOutput output) {
		LockHandle outer = this.locks.acquire(LockRequest.of("job"));
		for (int i = 0; i < 2; i++) {
			LockTick tick = LockTick.at("Jobs.nightly", Instant.parse("2026-10-05T02:00:00Z"));
			this.locks.acquire(LockRequest.of("job").withTick(tick)).release();
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("has no effect") && line.contains("WARN")))
			.singleElement()
			.asString()
			.contains("tick 2026-10-05T02:00:00Z of Jobs.nightly of the nested request");
		outer.release();
	}

	@Test
	void closeOfSeveralLostLocksNamesEach(CapturedOutput output) {
		LockListener listener = new LockListener() {
		};
		LockTemplate template = new LockTemplate(this.locks, List.of(listener));
		try (LockHandle handle = template.acquire(List.of(LockRequest.of("a"), LockRequest.of("b")))) {
			this.locks.loseAll();
			assertThat(handle.state()).isEqualTo(LockState.LOST);
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("was closed after its loss"))).hasSize(2)
			.anyMatch((line) -> line.contains("Lock 'a'"))
			.anyMatch((line) -> line.contains("Lock 'b'"));
	}

	@Test
	void bodyThatReportsItsLossHasNoWarning(CapturedOutput output) {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> new LockTemplate(this.locks).executeWithoutResult("a", (handle) -> this.locks.loseAll()));
		assertThat(output.toString()).doesNotContain("was closed after its loss");
	}

	@Test
	void eachLockAndEachJobHasALineOfItsOwn(CapturedOutput output) {
		LockHandle outer = this.locks.acquire(LockRequest.of("job"));
		for (String name : new String[] { "first", "second", "first" }) {
			LockRequest request = LockRequest.of("job").withName(name);
			this.locks.acquire(request.withTick(LockTick.at(name, Instant.parse("2026-10-05T02:00:00Z")))).release();
			this.locks.acquire(request.withLockAtLeastFor(Duration.ofSeconds(30))).release();
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("has no effect") && line.contains("WARN")))
			.hasSize(4);
		outer.release();
	}

}
