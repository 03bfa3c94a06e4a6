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

package io.github.zklock.autoconfigure.observation;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.zklock.autoconfigure.observation.ObservedApplication.Orders;
import io.github.zklock.autoconfigure.observation.ObservedApplication.RecordedSpans;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.observation.LockObservationContext;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The spans of locks, of two applications.
 */
@Tag("server")
class LockSpanTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static Node one;

	private static Node other;

	@BeforeAll
	static void start() {
		one = new Node(ObservedApplication.start(server, WebApplicationType.NONE, 1));
		other = new Node(ObservedApplication.start(server, WebApplicationType.NONE, 1));
	}

	@AfterAll
	static void stop() {
		one.application.close();
		other.application.close();
	}

	@Test
	void bodyRunsInTheSpanOfTheLockAndThatInTheSpanOfTheCaller() {
		one.observe("caller", () -> one.application.getBean(Orders.class).place("1", () -> one.observe("work", () -> {
		})));
		SpanData caller = one.span("caller");
		SpanData hold = one.span("lock hold orders");
		assertThat(hold.getParentSpanId()).isEqualTo(caller.getSpanId());
		assertThat(one.span("work").getParentSpanId()).isEqualTo(hold.getSpanId());
		assertThat(one.span("work").getTraceId()).isEqualTo(caller.getTraceId());
		assertThat(attribute(hold, "zk.lock.key")).isNull();
		assertThat(attribute(hold, "zk.lock.token")).matches("[1-9][0-9]*");
		assertThat(attribute(hold, "name")).isEqualTo("orders");
		assertThat(attribute(hold, "mode")).isEqualTo("exclusive");
		assertThat(attribute(hold, "outcome")).isEqualTo("released");
		assertThat(one.spans.all).noneMatch((span) -> span.getName().equals("lock wait orders"));
	}

	@Test
	void realWaitHasASpanBesideThatOfTheLock() throws Exception {
		LockRequest request = LockRequest.of("wait").withName("wait").withWait(WAIT);
		LockHandle held = other.locks.acquire(List.of(request));
		CompletableFuture<Void> waiter = CompletableFuture
			.runAsync(() -> one.observe("waiter", () -> one.locks.execute(request, (handle) -> null)));
		Awaitility.await().until(() -> server.children("/locks/wait").size() == 2);
		Awaitility.await().until(() -> one.waits.begun.contains("wait"));
		held.release();
		waiter.get(30, TimeUnit.SECONDS);
		SpanData wait = one.span("lock wait wait");
		assertThat(wait.getParentSpanId()).isEqualTo(one.span("waiter").getSpanId());
		assertThat(one.span("lock hold wait").getParentSpanId()).isEqualTo(wait.getParentSpanId());
		assertThat(attribute(wait, "outcome")).isEqualTo("acquired");
	}

	@Test
	void refusalNamesTheTraceOfTheHolderInAnotherApplication() {
		LockRequest request = LockRequest.of("refused").withName("refused");
		other.observe("holder", () -> other.locks.execute(request, (handle) -> {
			// On another thread, since this one is in the trace.
			LockNotAcquiredException refusal = CompletableFuture.supplyAsync(() -> refusalWithASpan(request)).join();
			String trace = other.application.getBean(Tracer.class).currentSpan().context().traceId();
			assertThat(refusal.getHolder().traceId()).isEqualTo(trace);
			assertThat(refusal).hasMessageContaining("trace " + trace);
			return null;
		}));
		SpanData wait = one.refusals("refused").findFirst().orElseThrow();
		assertThat(attribute(wait, "zk.lock.holder.trace_id")).isEqualTo(other.span("holder").getTraceId())
			.isNotEqualTo(wait.getTraceId());
	}

	// A short wait may be over before it is known, and before its span begins.
	private static LockNotAcquiredException refusalWithASpan(LockRequest request) {
		return Awaitility.await()
			.until(() -> Refusal.of(() -> one.locks.acquire(List.of(request.withWait(Duration.ofSeconds(1))))),
					(refusal) -> one.refusals(request.name()).findFirst().isPresent());
	}

	private static String attribute(SpanData span, String key) {
		return span.getAttributes().get(AttributeKey.stringKey(key));
	}

	/**
	 * Knows which waits have begun.
	 */
	private static final class Waits implements ObservationHandler<LockObservationContext> {

		private final Queue<String> begun = new ConcurrentLinkedQueue<>();

		@Override
		public void onStart(LockObservationContext context) {
			if (context.getName().endsWith(".wait")) {
				this.begun.add(context.getRequest().name());
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof LockObservationContext;
		}

	}

	private record Node(ConfigurableApplicationContext application, LockTemplate locks, RecordedSpans spans,
			Waits waits) {

		Node(ConfigurableApplicationContext application) {
			this(application, application.getBean(LockTemplate.class), application.getBean(RecordedSpans.class),
					new Waits());
			application.getBean(ObservationRegistry.class).observationConfig().observationHandler(this.waits);
		}

		void observe(String name, Runnable work) {
			Observation.createNotStarted(name, this.application.getBean(ObservationRegistry.class)).observe(work);
		}

		Stream<SpanData> refusals(String name) {
			return this.spans.all.stream()
				.filter((span) -> span.getName().equals("lock wait " + name))
				.filter((span) -> "not_acquired".equals(attribute(span, "outcome")))
				.filter((span) -> attribute(span, "zk.lock.holder.trace_id") != null);
		}

		SpanData span(String name) {
			return Awaitility.await()
				.until(() -> this.spans.all.stream().filter((span) -> span.getName().equals(name)).findFirst(),
						(found) -> found.isPresent())
				.get();
		}

	}

}
