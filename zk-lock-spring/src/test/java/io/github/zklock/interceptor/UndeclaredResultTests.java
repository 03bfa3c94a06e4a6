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

import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.reactivex.rxjava3.core.Single;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods whose return type does not tell that their work goes on.
 */
class UndeclaredResultTests {

	private final GuardedProxy proxy = new GuardedProxy();

	private final Bean bean = this.proxy.of(new Bean());

	private static final String GOES_ON = ", whose work goes on after the method has returned and released its lock.";

	private static final String DECLARE = "Declare the type: the lock of a method that returns a CompletableFuture, a Mono "
			+ "or a Flux is held until it completes.";

	private static final String FINISH = "Annotate the method that does the work instead, in another bean; or return a "
			+ "CompletableFuture or a Mono of the finished result, until whose completion the lock is held.";

	@ParameterizedTest
	@MethodSource
	void workThatGoesOnIsRefused(Object result) {
		isRefused("run(Object) is declared to return an Object, but returned a " + name(result), DECLARE,
				() -> this.bean.run(result));
		assertThat(this.proxy.events().list()).containsExactly("lock any", "call", "unlock");
	}

	static Stream<Object> workThatGoesOnIsRefused() {
		return Stream.of(CompletableFuture.completedFuture("done"), Mono.just("done"), Flux.just("done"),
				Single.just("done"), new NamedCallable());
	}

	@ParameterizedTest
	@MethodSource
	void workThatTheWebEndsIsRefused(Object result) {
		isRefused("run(Object) is declared to return an Object, but returned a " + name(result), FINISH,
				() -> this.bean.run(result));
		isRefused("later(Object) is declared to return a Mono, but returned a " + name(result), FINISH,
				() -> this.bean.later(result).block());
		isRefused("future(Object) is declared to return a CompletableFuture, but returned a " + name(result), FINISH,
				() -> join(this.bean.future(result)));
		isRefused("async(Object) is declared to return a Future, but returned a " + name(result), FINISH,
				() -> this.bean.async(result));
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	static Stream<Object> workThatTheWebEndsIsRefused() {
		StreamingResponseBody body = (output) -> {
		};
		return Stream.of(new DeferredResult<>(), body, new SseEmitter(), new WebAsyncTask<>(() -> "done"));
	}

	@ParameterizedTest
	@MethodSource
	void entityWhoseBodyComesLaterIsRefused(Object body) {
		String returned = "but returned a " + name(body) + " in an HttpEntity";
		isRefused("entity(Object) is declared to return a ResponseEntity, " + returned, FINISH,
				() -> this.bean.entity(body));
		isRefused("run(Object) is declared to return an Object, " + returned, FINISH,
				() -> this.bean.run(ResponseEntity.ok(body)));
		isRefused("later(Object) is declared to return a Mono, " + returned, FINISH,
				() -> this.bean.later(new HttpEntity<>(body)).block());
		isRefused("future(Object) is declared to return a CompletableFuture, " + returned, FINISH,
				() -> join(this.bean.future(ResponseEntity.ok(body))));
	}

	static Stream<Object> entityWhoseBodyComesLaterIsRefused() {
		return Stream.concat(workThatGoesOnIsRefused(), workThatTheWebEndsIsRefused());
	}

	@Test
	void resultInsideATransactionIsRefused() {
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID())));
		isRefused(
				"entity(Object) is declared to return a ResponseEntity, but returned a DeferredResult in an HttpEntity",
				FINISH, () -> transaction.execute((status) -> this.bean.entity(new DeferredResult<>())));
		assertThat(this.proxy.provider().keysInUse()).isZero();
	}

	private static void isRefused(String problem, String action, ThrowingCallable call) {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.getDescription())
				.isEqualTo("The @DistributedLock method " + Bean.class.getName() + "." + problem + GOES_ON))
			.satisfies((ex) -> assertThat(ex.getAction()).isEqualTo(action));
	}

	private static String name(Object result) {
		return ClassUtils.getShortName(result.getClass());
	}

	private static void join(CompletableFuture<?> future) throws Throwable {
		try {
			future.get(30, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw ex.getCause();
		}
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
		assertThat(this.bean.entity("done").getBody()).isEqualTo("done");
		assertThat(this.bean.later(ResponseEntity.ok().build()).block()).isEqualTo(ResponseEntity.ok().build());
	}

	static class Bean {

		@DistributedLock("any")
		Object run(Object result) {
			return result;
		}

		@DistributedLock("any")
		ResponseEntity<?> entity(Object body) {
			return ResponseEntity.ok(body);
		}

		@DistributedLock("any")
		Mono<Object> later(Object result) {
			return Mono.just(result);
		}

		@DistributedLock("any")
		CompletableFuture<Object> future(Object result) {
			return CompletableFuture.completedFuture(result);
		}

		@Async
		@DistributedLock("any")
		Future<Object> async(Object result) {
			return CompletableFuture.completedFuture(result);
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
