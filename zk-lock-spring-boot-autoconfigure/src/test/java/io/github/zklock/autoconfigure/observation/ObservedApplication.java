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

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * An application with metrics, spans and locks.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ObservedApplication {

	static ConfigurableApplicationContext start(ZooKeeperServerFixture server, WebApplicationType type, int sampling) {
		List<String> all = new ArrayList<>(List.of("zk-lock.connect-string=" + server.connectString(), "server.port=0",
				"server.address=127.0.0.1", "spring.main.banner-mode=off", "zk-lock.lease.server-tick=200ms",
				"zk-lock.try-timeout=30s", "management.endpoints.web.exposure.include=prometheus",
				"spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration"));
		all.add("management.tracing.sampling.probability=" + sampling);
		// The properties of all tests say that there is no web.
		all.add("spring.main.web-application-type=" + type);
		return new SpringApplicationBuilder(ObservedApplication.class)
			.run(all.stream().map((property) -> "--" + property).toArray(String[]::new));
	}

	static String scrape(ConfigurableApplicationContext application) throws Exception {
		String port = application.getEnvironment().getProperty("local.server.port");
		URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/prometheus");
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
	}

	@Bean
	Orders orders() {
		return new Orders();
	}

	@Bean
	Jobs jobs() {
		return new Jobs();
	}

	@Bean
	RecordedSpans recordedSpans() {
		return new RecordedSpans();
	}

	@Bean
	SpanProcessor recordingSpanProcessor(RecordedSpans spans) {
		return SimpleSpanProcessor.create(spans);
	}

	static class Orders {

		@DistributedLock(key = "order:#{#id}", name = "orders", waitMs = 30_000)
		void place(String id, Runnable work) {
			work.run();
		}

	}

	@EnableScheduling
	static class Jobs {

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@DistributedLock(key = "yearly", name = "yearly")
		void yearly() {
		}

	}

	static class RecordedSpans implements SpanExporter {

		final Queue<SpanData> all = new ConcurrentLinkedQueue<>();

		@Override
		public CompletableResultCode export(Collection<SpanData> spans) {
			this.all.addAll(spans);
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode flush() {
			return CompletableResultCode.ofSuccess();
		}

		@Override
		public CompletableResultCode shutdown() {
			return CompletableResultCode.ofSuccess();
		}

	}

}
