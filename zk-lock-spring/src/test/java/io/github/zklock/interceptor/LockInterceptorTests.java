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

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockInterceptor}, without an application context.
 */
class LockInterceptorTests {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockEvents events = new LockEvents();

	private final TestLockSettings settings = new TestLockSettings();

	private final Orders orders = proxy();

	@Test
	void runsTheMethodUnderItsLock() throws Exception {
		String result = this.orders.place(42, () -> {
			LockHandle handle = LockHandle.current();
			return handle.key() + " " + handle.mode() + " " + this.provider.keysInUse();
		});
		assertThat(result).isEqualTo("order:42 WRITE 1");
		assertThat(this.provider.keysInUse()).isZero();
		assertThat(this.events.requests()).extracting((request) -> request.withOwner(null))
			.containsExactly(LockRequest.of("order:42")
				.withMode(LockMode.WRITE)
				.withWait(TestLockSettings.DEFAULT_WAIT)
				.withName("orders-place")
				.withCache(false));
	}

	@Test
	void throwsWhenOthersHoldTheLock() {
		try (LockHandle other = holdByAnother("once")) {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.once(() -> "ran"))
				.withMessageContaining("Lock 'once' (EXCLUSIVE) not acquired at once; held by")
				.satisfies((ex) -> assertThat(ex.getHolder()).isNotNull());
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void skipsWithAnEmptyResult() throws Exception {
		assertThat(this.orders.find(() -> "found")).contains("found");
		assertThat(this.orders.refresh(() -> 7)).isEqualTo(7);
		try (LockHandle other = holdByAnother("skip")) {
			assertThat(this.orders.find(() -> "found")).isEmpty();
			assertThat(this.orders.refresh(() -> 7)).isNull();
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.events.list()).containsExactly("lock skip", "unlock", "lock skip", "unlock", "refused skip",
				"refused skip");
	}

	@Test
	void doesNotSkipWhenALockInsideTheBodyIsRefused() {
		try (LockHandle other = holdByAnother("once")) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.orders.find(() -> this.orders.once(() -> "ran")))
				.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("once"));
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void passesTheExceptionOfTheMethodOn() {
		Exception failure = new Exception("checked");
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> this.orders.once(() -> {
			throw failure;
		})).isSameAs(failure);
		assertThat(this.provider.keysInUse()).isZero();
	}

	@Test
	void failsWhenTheLockWasLost() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.once(() -> {
			this.provider.loseAll();
			return "ran";
		}));
	}

	@Test
	void asksNobodyWithoutAKey() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.orders.place(null, () -> "ran"));
		assertThat(this.events.list()).isEmpty();
	}

	@Test
	void runsWithoutALockThatIsDisabled() throws Exception {
		this.settings.unguarded.add("orders-once");
		assertThat(this.orders.once(() -> {
			LockHandle handle = LockHandle.current();
			handle.assertHeld();
			return handle.key() + " " + handle.state() + " " + this.provider.keysInUse();
		})).isEqualTo("orders-once HELD 0");
		assertThat(this.events.list()).isEmpty();
	}

	@Test
	void refusesACallThatCannotBeRepeated() throws Exception {
		MethodInvocation invocation = mock(MethodInvocation.class);
		given(invocation.getMethod()).willReturn(Orders.class.getDeclaredMethod("once", Callable.class));
		given(invocation.getThis()).willReturn(new Orders());
		assertThatIllegalStateException().isThrownBy(() -> interceptor().invoke(invocation))
			.withMessageStartingWith("The invocation is not one of a Spring proxy: ");
		assertThat(this.events.list()).isEmpty();
	}

	private LockHandle holdByAnother(String key) {
		return this.provider.acquire(LockRequest.of(key).withOwner("another"));
	}

	private LockInterceptor interceptor() {
		LockOperationSource source = new AnnotationLockOperationSource(() -> this.settings, () -> (text) -> text);
		return new LockInterceptor(source, new LockTemplate(this.provider, List.of(this.events)));
	}

	private Orders proxy() {
		ProxyFactory factory = new ProxyFactory(new Orders());
		factory.addAdvice(interceptor());
		return (Orders) factory.getProxy();
	}

	static class Orders {

		@DistributedLock(key = "order:#{#id}", mode = LockMode.WRITE)
		String place(@Nullable Integer id, Callable<String> body) throws Exception {
			return body.call();
		}

		@DistributedLock(key = "once", waitMs = 0)
		String once(Callable<String> body) throws Exception {
			return body.call();
		}

		@DistributedLock(key = "skip", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		Optional<String> find(Callable<String> body) throws Exception {
			return Optional.of(body.call());
		}

		@DistributedLock(key = "skip", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		@Nullable Integer refresh(Callable<Integer> body) throws Exception {
			return body.call();
		}

	}

}
