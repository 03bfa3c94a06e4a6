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

package io.github.zklock.interceptor.operation;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MethodResult}.
 */
class MethodResultTests {

	@ParameterizedTest
	@MethodSource
	void isAnEmptyValueOfTheReturnType(String method, @Nullable Object expected) {
		assertThat(MethodResult.hasEmpty(method(Results.class, method))).isTrue();
		assertThat(MethodResult.empty(method(Results.class, method))).isEqualTo(expected);
	}

	static Stream<Arguments> isAnEmptyValueOfTheReturnType() {
		return Stream.of(Arguments.of("nothing", null), Arguments.of("object", null), Arguments.of("wrapper", null),
				Arguments.of("list", null), Arguments.of("optional", Optional.empty()),
				Arguments.of("optionalInt", OptionalInt.empty()), Arguments.of("optionalLong", OptionalLong.empty()),
				Arguments.of("optionalDouble", OptionalDouble.empty()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "future", "stage", "completable" })
	void futureIsCompleted(String method) throws Exception {
		assertThat(MethodResult.hasEmpty(method(Futures.class, method))).isTrue();
		assertThat(MethodResult.empty(method(Futures.class, method))).isInstanceOf(CompletableFuture.class);
		assertThat(((Future<?>) MethodResult.empty(method(Futures.class, method))).get()).isNull();
	}

	// A future that is shared could be completed or cancelled by one of its callers.
	@Test
	void futureIsOneOfItsOwn() {
		Method method = method(Futures.class, "completable");
		assertThat(MethodResult.empty(method)).isNotSameAs(MethodResult.empty(method));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mono", "flux", "publisher" })
	void publisherIsEmpty(String name) {
		Method method = method(Publishers.class, name);
		assertThat(MethodResult.hasEmpty(method)).isTrue();
		assertThat(MethodResult.empty(method)).isInstanceOf(method.getReturnType());
		assertThat(Flux.from((Publisher<?>) MethodResult.empty(method)).collectList().block()).isEmpty();
	}

	@Test
	void flowPublisherIsEmpty() {
		assertThat(isEmpty(MethodResult.empty(method(Futures.class, "flow")))).isTrue();
	}

	@Test
	void thereIsNoneForPrimitivesAndForWhatCannotBeMadeEmpty() {
		assertThat(MethodResult.hasEmpty(method(Results.class, "number"))).isFalse();
		assertThat(MethodResult.hasEmpty(method(Results.class, "flag"))).isFalse();
		assertThat(MethodResult.hasEmpty(method(Futures.class, "own"))).isFalse();
		assertThat(MethodResult.hasEmpty(method(Publishers.class, "parallel"))).isFalse();
	}

	@Test
	void needsNoReactor() throws Exception {
		try (URLClassLoader loader = new URLClassLoader(classPathWithoutReactor(),
				ClassLoader.getPlatformClassLoader())) {
			assertThat(loader.getResource("reactor/core/publisher/Mono.class")).isNull();
			assertThat(loader.getResource("org/reactivestreams/Publisher.class")).isNull();
			Method of = loader.loadClass(MethodResult.class.getName()).getDeclaredMethod("empty", Method.class);
			of.setAccessible(true);
			Class<?> futures = loader.loadClass(Futures.class.getName());
			assertThat(((Future<?>) of.invoke(null, method(futures, "stage"))).get()).isNull();
			assertThat(isEmpty(of.invoke(null, method(futures, "flow")))).isTrue();
			Class<?> results = loader.loadClass(Results.class.getName());
			assertThat(of.invoke(null, method(results, "optional"))).isEqualTo(Optional.empty());
			assertThat(of.invoke(null, method(results, "object"))).isNull();
		}
	}

	private static URL[] classPathWithoutReactor() throws MalformedURLException {
		List<URL> urls = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			String name = new File(entry).getName();
			if (!name.startsWith("reactor-") && !name.startsWith("reactive-streams")) {
				urls.add(new File(entry).toURI().toURL());
			}
		}
		return urls.toArray(URL[]::new);
	}

	private static boolean isEmpty(@Nullable Object publisher) {
		CompletableFuture<Boolean> empty = new CompletableFuture<>();
		((Flow.Publisher<?>) publisher).subscribe(new Flow.Subscriber<Object>() {

			@Override
			public void onSubscribe(Flow.Subscription subscription) {
				subscription.request(1);
			}

			@Override
			public void onNext(Object item) {
				empty.complete(false);
			}

			@Override
			public void onError(Throwable failure) {
				empty.completeExceptionally(failure);
			}

			@Override
			public void onComplete() {
				empty.complete(true);
			}

		});
		return empty.getNow(false);
	}

	private static Method method(Class<?> type, String name) {
		return Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

	interface Results {

		void nothing();

		Object object();

		Integer wrapper();

		List<String> list();

		Optional<String> optional();

		OptionalInt optionalInt();

		OptionalLong optionalLong();

		OptionalDouble optionalDouble();

		int number();

		boolean flag();

	}

	interface Futures {

		Future<String> future();

		CompletionStage<String> stage();

		CompletableFuture<String> completable();

		OwnFuture own();

		Flow.Publisher<String> flow();

	}

	interface Publishers {

		Mono<String> mono();

		Flux<String> flux();

		Publisher<String> publisher();

		ParallelFlux<String> parallel();

	}

	static class OwnFuture extends CompletableFuture<String> {

	}

}
