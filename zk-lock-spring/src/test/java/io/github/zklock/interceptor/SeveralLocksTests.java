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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several keys by one annotation, and several annotations.
 */
class SeveralLocksTests {

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final LockEvents events = new LockEvents();

	@ParameterizedTest
	@MethodSource
	void allAreTakenInOrder(Consumer<Orders> call, List<String> expected) {
		call.accept(proxy(new Orders()));
		assertThat(this.events.list().stream().filter((event) -> event.startsWith("lock "))).isEqualTo(expected);
		assertThat(this.provider.keysInUse()).isZero();
	}

	static Stream<Arguments> allAreTakenInOrder() {
		return Stream.of(row((orders) -> orders.collection(List.of(7L, 3L, 7L)), "lock 3", "lock 7"),
				row((orders) -> orders.array(9, 1), "lock 1", "lock 9"),
				row((orders) -> orders.projection(Set.of("x")), "lock order-x"),
				row((orders) -> orders.projection(Set.of("y", "x")), "lock order-x", "lock order-y"),
				row((orders) -> orders.repeated("b", "a"), "lock a", "lock b"),
				row((orders) -> orders.repeated("a", "a"), "lock a"),
				row(Orders::composedOfTwo, "lock composed-1", "lock composed-2"),
				row(Orders::composedTwice, "lock customer", "lock order"),
				row((orders) -> orders.mixed(List.of("c", "a")), "lock a", "lock b", "lock c", "lock customer"));
	}

	@Test
	void modesOfRepeatedAnnotationsAreTheirOwn() {
		proxy(new Orders()).repeated("b", "a");
		assertThat(this.events.requests()).extracting(LockRequest::mode)
			.containsExactly(LockMode.READ, LockMode.EXCLUSIVE);
	}

	@Test
	void annotationsOfTheClassAreAllTaken() {
		proxy(new Guarded()).run();
		assertThat(this.events.list()).containsSequence("lock class-1", "lock class-2")
			.contains("ran class-1, class-2");
	}

	@Test
	void annotationOfTheMethodReplacesAllOfTheClass() {
		proxy(new Guarded()).own();
		assertThat(this.events.list()).containsExactly("lock own", "unlock");
	}

	@Test
	void noneIsHeldWhenOneIsRefused() {
		LockHandle holder = this.provider.acquire(LockRequest.of("b").withOwner("another"));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> proxy(new Orders()).repeated("b", "a"))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("b"));
		assertThat(this.provider.keysInUse()).isOne();
		holder.release();
	}

	@Test
	void noKeyIsNoReasonToRunWithoutLock() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> proxy(new Orders()).collection(List.of()))
			.withMessageContaining("gives no key at all");
		assertThat(this.events.list()).isEmpty();
	}

	private static Arguments row(Consumer<Orders> call, String... expected) {
		return Arguments.of(call, List.of(expected));
	}

	@SuppressWarnings("unchecked")
	private <T> T proxy(T target) {
		if (target instanceof Guarded guarded) {
			guarded.events = this.events;
		}
		LockOperationSource source = new AnnotationLockOperationSource(TestLockSettings::new, () -> (text) -> text);
		ProxyFactory factory = new ProxyFactory(target);
		factory.addAdvice(new LockInterceptor(source, new LockTemplate(this.provider, List.of(this.events))));
		return (T) factory.getProxy();
	}

	@DistributedLock("composed-2")
	@DistributedLock("composed-1")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OfTwo {

	}

	@DistributedLock
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.METHOD)
	@interface OnOrder {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String order() default "order";

	}

	@DistributedLock
	@Retention(RetentionPolicy.RUNTIME)
	@Target(ElementType.METHOD)
	@interface OnCustomer {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String customer() default "customer";

	}

	static class Orders {

		@DistributedLock("#ids")
		void collection(List<Long> ids) {
		}

		@DistributedLock("#ids")
		void array(int... ids) {
		}

		@DistributedLock("#ids.!['order-' + #this]")
		void projection(Set<String> ids) {
		}

		@DistributedLock(key = "#first", waitMs = 0)
		@DistributedLock(key = "#second", mode = LockMode.READ)
		void repeated(String first, String second) {
		}

		@OfTwo
		void composedOfTwo() {
		}

		@OnOrder
		@OnCustomer
		void composedTwice() {
		}

		@DistributedLock("#ids")
		@DistributedLock("b")
		@OnCustomer
		void mixed(List<String> ids) {
		}

	}

	@DistributedLock("class-2")
	@DistributedLock("class-1")
	static class Guarded {

		private LockEvents events;

		void run() {
			this.events.add("ran " + LockHandle.current().key());
		}

		@DistributedLock("own")
		void own() {
		}

	}

}
