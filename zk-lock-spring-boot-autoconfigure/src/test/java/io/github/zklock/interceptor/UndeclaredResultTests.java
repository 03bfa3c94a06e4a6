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

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.reactivex.rxjava3.core.Single;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods whose return type does not tell that their work goes on.
 */
class UndeclaredResultTests {

	private final GuardedProxy proxy = new GuardedProxy();

	private final Bean bean = this.proxy.of(new Bean());

	@ParameterizedTest
	@MethodSource
	void workThatGoesOnIsRefused(Object result) {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> this.bean.run(result))
			.satisfies((ex) -> assertThat(ex.getDescription())
				.isEqualTo("The @DistributedLock method " + Bean.class.getName() + ".run(Object) is declared to return "
						+ "an Object, but returned a " + ClassUtils.getShortName(result.getClass())
						+ ", whose work goes on after the method has returned and released its lock."))
			.satisfies(
					(ex) -> assertThat(ex.getAction()).isEqualTo("Declare the type: the lock of a method that returns "
							+ "a CompletableFuture, a Mono or a Flux is held until it completes."));
		assertThat(this.proxy.events().list()).containsExactly("lock any", "call", "unlock");
	}

	static Stream<Object> workThatGoesOnIsRefused() {
		return Stream.of(CompletableFuture.completedFuture("done"), Mono.just("done"), Flux.just("done"),
				Single.just("done"), new NamedCallable());
	}

	@Test
	void typeVariableIsNoDeclaration() {
		Generic<CompletableFuture<String>> generic = this.proxy.of(new OfFutures());
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> generic.run(CompletableFuture.completedFuture("done")));
	}

	@Test
	void finishedResultIsReturned() {
		assertThat(this.bean.run("done")).isEqualTo("done");
		assertThat(this.bean.run(null)).isNull();
	}

	static class Bean {

		@DistributedLock("any")
		Object run(Object result) {
			return result;
		}

	}

	static class Generic<T> {

		@DistributedLock("any")
		T run(T result) {
			return result;
		}

	}

	static class OfFutures extends Generic<CompletableFuture<String>> {

	}

	static class NamedCallable implements Callable<String> {

		@Override
		public String call() {
			return "done";
		}

	}

}
