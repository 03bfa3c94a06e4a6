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

package io.github.zklock.interceptor;

import java.io.IOException;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.interceptor.LockRefusalBeans.Orders;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a call gets that is refused its lock.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockRefusalTests {

	private final LockProxies proxies = new LockProxies();

	private final Orders orders = this.proxies.guard(new Orders());

	@Test
	void callsTheFallbackMethodOnTheTarget() throws Exception {
		assertThat(this.orders.place(7, () -> "placed")).isEqualTo("placed");
		try (LockHandle other = this.proxies.holdByAnother("order")) {
			assertThat(this.orders.place(7, () -> "placed")).isEqualTo("busy 7 target LockNotAcquiredException");
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.proxies.events.list()).containsExactly("lock order", "unlock", "refused order");
	}

	@Test
	void passesTheExceptionOfTheFallbackMethodOn() {
		try (LockHandle other = this.proxies.holdByAnother("order")) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.orders.place(-1, () -> "placed"))
				.withMessage("busy");
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void outageThrowsUnlessTheMethodIsScheduled() {
		this.proxies.outage.set(true);
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.orders.place(7, () -> "placed"));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.tryOnce(() -> "tried"));
		assertThatCode(this.orders::tick).doesNotThrowAnyException();
	}

	@Test
	void skippedMethodIsLoggedAgainOnlyAfterACallThatWasAnswered(CapturedOutput output) {
		this.proxies.outage.set(true);
		this.orders.tick();
		this.orders.tick();
		this.proxies.outage.set(false);
		this.proxies.outage.set(true);
		this.orders.tick();
		assertThat(skips(output)).as("two outages without a call between them").isOne();
		this.proxies.outage.set(false);
		try (LockHandle other = this.proxies.holdByAnother("tick")) {
			this.orders.tick();
			assertThat(other.isHeld()).isTrue();
		}
		this.proxies.outage.set(true);
		this.orders.tick();
		this.orders.tick();
		assertThat(skips(output)).isEqualTo(2);
	}

	private static long skips(CapturedOutput output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("WARN") && line.contains("tick() is skipped: "))
			.count();
	}

	@Test
	void outageSkipsWhenThatIsSaidAndContentionStillThrows() throws Exception {
		assertThat(this.orders.find(() -> "found")).contains("found");
		try (LockHandle other = this.proxies.holdByAnother("find")) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.find(() -> "found"));
			assertThat(other.isHeld()).isTrue();
		}
		this.proxies.outage.set(true);
		assertThat(this.orders.find(() -> "found")).isEmpty();
	}

	@Test
	void fallbackMethodThatReturnsNullForAPrimitiveIsReported() {
		assertThat(this.orders.count()).isEqualTo(1);
		try (LockHandle other = this.proxies.holdByAnother("once")) {
			assertThatIllegalStateException().isThrownBy(this.orders::count)
				.withMessageContaining("returned null for")
				.withMessageContaining("which returns int")
				.withCauseInstanceOf(LockNotAcquiredException.class);
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void exceptionThatComesOutOfTheBodyIsNoRefusal() {
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.find(() -> {
			this.proxies.outage.set(true);
			return this.orders.tryOnce(() -> "tried");
		})).satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("once"));
		this.proxies.outage.set(false);
		try (LockHandle other = this.proxies.holdByAnother("once")) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.orders.place(1, () -> this.orders.strict(() -> "tried")))
				.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("once"));
			assertThat(other.isHeld()).isTrue();
		}
	}

}
