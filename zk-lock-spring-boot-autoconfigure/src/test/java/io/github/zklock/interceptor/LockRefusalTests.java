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
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.interceptor.LockRefusalBeans.Fallbacks;
import io.github.zklock.interceptor.LockRefusalBeans.Orders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a call gets that is refused its lock.
 */
class LockRefusalTests {

	private final LockProxies proxies = new LockProxies();

	private final Orders orders = this.proxies.guard(new Orders());

	@Test
	void callsTheFallbackMethodOnTheTarget() throws Exception {
		assertThat(this.orders.place(7, () -> "placed")).isEqualTo("placed");
		try (LockHandle other = this.proxies.holdByAnother("order")) {
			assertThat(this.orders.place(7, () -> "placed")).isEqualTo("busy 7 target LockNotAcquiredException");
			assertThat(other.isValid()).isTrue();
		}
		assertThat(this.proxies.events.list()).containsExactly("lock order", "unlock", "refused order");
	}

	@Test
	void passesTheExceptionOfTheFallbackMethodOn() {
		try (LockHandle other = this.proxies.holdByAnother("order")) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.orders.place(-1, () -> "placed"))
				.withMessage("busy");
			assertThat(other.isValid()).isTrue();
		}
	}

	@Test
	void callsTheFallbackMethodOfABeanThroughTheBean() throws Exception {
		this.proxies.beanFactory.registerSingleton("fallbacks", this.proxies.guard(new Fallbacks()));
		assertThat(this.orders.delegate("x")).isEqualTo("placed x");
		try (LockHandle other = this.proxies.holdByAnother("delegate")) {
			assertThat(this.orders.delegate("x")).isEqualTo("instead of x: lock fallback");
			assertThat(other.isValid()).isTrue();
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
	void outageSkipsWhenThatIsSaidAndContentionStillThrows() throws Exception {
		assertThat(this.orders.find(() -> "found")).contains("found");
		try (LockHandle other = this.proxies.holdByAnother("find")) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.find(() -> "found"));
			assertThat(other.isValid()).isTrue();
		}
		this.proxies.outage.set(true);
		assertThat(this.orders.find(() -> "found")).isEmpty();
	}

	@Test
	void outageIsTreatedAsContentionWhenThatIsSaid() throws Exception {
		this.proxies.outage.set(true);
		assertThat(this.orders.either(1)).isEqualTo(-1);
		assertThat(this.orders.other(1)).isEqualTo("LockUnavailableException");
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
			assertThat(other.isValid()).isTrue();
		}
	}

	@Test
	void asksTheHandlerOnlyForMethodsThatSayNothing() throws Exception {
		AtomicReference<LockRefusal> refusal = handle("handled");
		try (LockHandle order = this.proxies.holdByAnother("order");
				LockHandle once = this.proxies.holdByAnother("once");
				LockHandle find = this.proxies.holdByAnother("find");
				LockHandle tick = this.proxies.holdByAnother("tick")) {
			assertThat(this.orders.place(7, () -> "placed")).startsWith("busy");
			assertThat(this.orders.tryOnce(() -> "tried")).isNull();
			this.orders.tick();
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.orders.strict(() -> "tried"));
			assertThat(refusal).hasNullValue();
			assertThat(this.orders.silent("a")).isEqualTo("handled");
			assertThat(List.of(order, once, find, tick)).allMatch(LockHandle::isValid);
		}
		assertThat(refusal.get().method().getName()).isEqualTo("silent");
		assertThat(refusal.get().arguments()).containsExactly("a");
		assertThat(refusal.get().target()).isExactlyInstanceOf(Orders.class);
		assertThat(refusal.get().exception()).isInstanceOf(LockNotAcquiredException.class);
		assertThat(refusal.get().emptyResult()).isNull();
	}

	@Test
	void handlerThatReturnsSomethingElseIsToldSo() {
		handle(5L);
		try (LockHandle other = this.proxies.holdByAnother("once")) {
			assertThatIllegalStateException().isThrownBy(() -> this.orders.silent("a"))
				.withMessageMatching("The LockNotAcquiredHandler \\S+ returned a java.lang.Long for "
						+ "\\S+Orders.silent\\(String\\), which returns java.lang.String: return a value of that type, or "
						+ "throw the exception")
				.withCauseInstanceOf(LockNotAcquiredException.class);
			this.orders.nothing();
			handle(null);
			assertThatIllegalStateException().isThrownBy(() -> this.orders.count())
				.withMessageContaining("returned null for")
				.withMessageContaining("which returns int");
			assertThat(other.isValid()).isTrue();
		}
	}

	@Test
	void handlerIsAskedAboutAnOutageOnlyWhenThatIsSaid() throws Exception {
		handle("handled");
		this.proxies.outage.set(true);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.silent("a"));
		assertThat(this.orders.robust()).isEqualTo("handled");
	}

	private AtomicReference<LockRefusal> handle(@Nullable Object result) {
		AtomicReference<LockRefusal> asked = new AtomicReference<>();
		LockNotAcquiredHandler handler = (refusal) -> {
			asked.set(refusal);
			return result;
		};
		this.proxies.beanFactory.destroySingleton("handler");
		this.proxies.beanFactory.registerSingleton("handler", handler);
		return asked;
	}

}
