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

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.ProxyContractAnswers.AnswerBean;
import io.github.zklock.interceptor.ProxyContractAnswers.Answers;
import io.github.zklock.interceptor.ProxyContractResults.ResultBean;
import io.github.zklock.interceptor.ProxyContractResults.Results;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.awaitility.Awaitility;
import reactor.core.Disposable;

import org.springframework.beans.BeanUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The part of the {@link ProxyContract} about what a caller gets, and when.
 */
final class ProxyContractOutcomes {

	private static final String RESULT = "the caller has the result";

	private static final String EXCEPTION = "the caller has the exception";

	private static final String CANCELLED = "the caller cancels it";

	// Written in Kotlin, which is compiled after Java.
	private static final String COROUTINES = "io.github.zklock.interceptor.ProxyContractCoroutines";

	private ProxyContractOutcomes() {
	}

	static Stream<ProxyContractRow<?>> results() {
		return Stream.concat(futures(), Stream.concat(publishers(), coroutines()));
	}

	private static Stream<ProxyContractRow<?>> futures() {
		return Stream.of(result("a `CompletableFuture`", (bean, events) -> {
			var future = bean.future().thenRun(() -> events.add(RESULT));
			await(events, "body");
			bean.complete();
			future.join();
		}).then("lock future", "body", "the future completes", "unlock", RESULT),
				result("a `CompletableFuture`, which fails", (bean, events) -> {
					var future = bean.future().whenComplete((value, failure) -> events.add(EXCEPTION));
					await(events, "body");
					bean.fail();
					assertThat(future).failsWithin(Duration.ofSeconds(30));
				}).then("lock future", "body", "the future fails", "unlock", EXCEPTION),
				result("a `CompletableFuture`, which the caller cancels", (bean, events) -> {
					var future = bean.future();
					await(events, "body");
					future.cancel(true);
					events.add(CANCELLED);
					bean.complete();
				}).then("lock future", "body", CANCELLED, "the future completes", "unlock"),
				result("a `CompletableFuture`, with `@Transactional`: the transaction ends as without a lock",
						(bean, events) -> {
							var future = bean.transactionalFuture();
							await(events, "tx-commit");
							bean.complete();
							future.join();
						})
					.then("lock future", "tx-begin", "body", "tx-commit", "the future completes", "unlock"),
				result("a `CompletableFuture`, with `@Async`", (bean, events) -> {
					bean.asyncFuture().join();
					events.add(RESULT);
				}).then("lock future@async", "body@async", "the future completes", "unlock@async", RESULT));
	}

	// The method runs on another thread.
	private static void await(LockEvents events, String event) {
		Awaitility.await().until(() -> events.list().contains(event));
	}

	private static Stream<ProxyContractRow<?>> publishers() {
		return Stream.of(result("a `Mono`, without a subscriber", (bean, events) -> bean.mono()).then(),
				result("a `Mono`", (bean, events) -> bean.mono().doOnNext((value) -> events.add(RESULT)).block())
					.then("lock mono", "body", "value", "unlock", RESULT),
				result("a `Mono`, subscribed to twice", (bean, events) -> {
					var mono = bean.mono();
					mono.block();
					mono.block();
				}).then("lock mono", "body", "value", "unlock", "lock mono", "body", "value", "unlock"),
				result("a `Mono`, with `doFinally` in the method", (bean, events) -> bean.finallyMono().block())
					.then("lock mono", "body", "unlock", "`doFinally` of the method"),
				result("a `Mono` that blocks a thread of a Reactor scheduler, which the caller cancels",
						ProxyContractOutcomes::cancelBlocking)
					.then("lock mono", "body", "its work begins", CANCELLED, "its work ends", "unlock"),
				result("a `Flux`", (bean,
						events) -> bean.flux().doOnComplete(() -> events.add("the caller has the end")).blockLast())
					.then("lock flux", "body", "first", "second", "unlock", "the caller has the end"),
				result("a `Flux`, cancelled after the first value", (bean, events) -> bean.flux().blockFirst())
					.then("lock flux", "body", "first", "unlock"));
	}

	private static void cancelBlocking(Results bean, LockEvents events) {
		Disposable subscription = bean.blockingMono().subscribe();
		Awaitility.await().until(() -> events.list().contains("its work begins"));
		subscription.dispose();
		events.add(CANCELLED);
		bean.finish();
	}

	private static Stream<ProxyContractRow<?>> coroutines() {
		return ((Rows) BeanUtils
			.instantiateClass(ClassUtils.resolveClassName(COROUTINES, ProxyContractOutcomes.class.getClassLoader())))
			.get();
	}

	static Stream<ProxyContractRow<?>> answers() {
		return Stream.of(
				answer("`condition` is true", (bean, events) -> bean.conditional(true)).then("lock conditional", "body",
						"unlock"),
				answer("`condition` is false", (bean, events) -> bean.conditional(false)).then("body"),
				taken("not acquired", Answers::thrown).then("refused taken", EXCEPTION),
				taken("not acquired, `onNotAcquired = SKIP`", Answers::skipped).then("refused taken",
						"the caller has `null`"),
				taken("not acquired, `fallbackMethod`", Answers::withFallback).then("refused taken",
						"**fallback method**", RESULT),
				taken("not acquired, with `@Transactional`", Answers::transactional).then("refused taken", EXCEPTION),
				taken("not acquired, with `@Cacheable`", Answers::cached).then("refused taken", EXCEPTION));
	}

	static Stream<ProxyContractRow<?>> surroundings() {
		return Stream.of(
				ProxyContractRow.row("in a transaction", Answers.class, AnswerBean.class)
					.whenIn((context) -> inTransaction(context, Answers::inTransaction))
					.then("tx-begin", "lock inner", "body", "tx-commit", "unlock"),
				ProxyContractRow.row("in a transaction, `release = METHOD`", Answers.class, AnswerBean.class)
					.whenIn((context) -> inTransaction(context, Answers::untilReturn))
					.then("tx-begin", "lock inner", "body", "unlock", "tx-commit"),
				answer("under another lock", (bean, events) -> bean.nested(bean::untilReturn)).then("lock outer",
						"body", "lock inner", "body", "unlock", "unlock"),
				answer("under the same lock", (bean, events) -> bean.nested(() -> bean.nested(() -> {
				}))).then("lock outer", "body", "lock outer", "body", "unlock", "unlock"));
	}

	private static ProxyContractRow<?> result(String name, BiConsumer<Results, LockEvents> call) {
		return ProxyContractRow.row(name, Results.class, ResultBean.class)
			.whenIn((context) -> call.accept(context.getBean(Results.class), context.getBean(LockEvents.class)));
	}

	private static ProxyContractRow<?> answer(String name, BiConsumer<Answers, LockEvents> call) {
		return ProxyContractRow.row(name, Answers.class, AnswerBean.class)
			.whenIn((context) -> call.accept(context.getBean(Answers.class), context.getBean(LockEvents.class)));
	}

	private static ProxyContractRow<?> taken(String name, Function<Answers, String> call) {
		return ProxyContractRow.row(name, Answers.class, AnswerBean.class).whenIn((context) -> {
			context.getBean(InMemoryLockProvider.class).acquire(LockRequest.of("taken").withOwner("another"));
			LockEvents events = context.getBean(LockEvents.class);
			try {
				String result = call.apply(context.getBean(Answers.class));
				events.add((result != null) ? RESULT : "the caller has `null`");
			}
			catch (LockNotAcquiredException ex) {
				events.add(EXCEPTION);
			}
		});
	}

	private static void inTransaction(ApplicationContext context, Consumer<Answers> call) {
		new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> call.accept(context.getBean(Answers.class)));
	}

	/**
	 * More rows, in another language.
	 */
	interface Rows extends Supplier<Stream<ProxyContractRow<?>>> {

	}

}
