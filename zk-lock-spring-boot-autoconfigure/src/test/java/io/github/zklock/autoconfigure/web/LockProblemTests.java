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

package io.github.zklock.autoconfigure.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import jakarta.servlet.Servlet;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers of applications with Spring MVC and WebFlux over real HTTP.
 */
class LockProblemTests {

	private static final String TAKEN = "\"detail\":\"Another request works on this. Try again in a moment.\"";

	@TempDir
	private Path directory;

	@ParameterizedTest
	@EnumSource
	void takenLockIsAConflict(Web web) {
		web.run(this.directory, new Class<?>[0], (http) -> {
			HttpResponse<String> answer = http.get("/order", "application/json");
			assertThat(answer.statusCode()).isEqualTo(409);
			assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
			assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
			assertThat(answer.body()).contains(TAKEN, "\"status\":409").doesNotContain("order-key");
		});
	}

	@ParameterizedTest
	@EnumSource
	void lockThatIsUnavailableIsAnUnavailableService(Web web) {
		web.run(this.directory, new Class<?>[0], (http) -> {
			HttpResponse<String> answer = http.get("/down", "*/*");
			assertThat(answer.statusCode()).isEqualTo(503);
			assertThat(answer.body()).contains("\"detail\":\"This does not work at the moment. Try again later.\"");
		});
	}

	@ParameterizedTest
	@EnumSource
	void browserGetsTheStatus(Web web) {
		web.run(this.directory, new Class<?>[0], (http) -> {
			HttpResponse<String> answer = http.get("/order", "text/html,*/*;q=0.8");
			assertThat(answer.statusCode()).isEqualTo(409);
			assertThat(answer.body()).doesNotContain("order-key");
		});
	}

	@ParameterizedTest
	@EnumSource
	void handlerOfTheApplicationWins(Web web) {
		web.run(this.directory, new Class<?>[] { Advice.class },
				(http) -> assertThat(http.get("/order", "*/*").statusCode()).isEqualTo(418));
	}

	@ParameterizedTest
	@EnumSource
	void statusOfAnExceptionOfTheApplicationWins(Web web) {
		web.run(this.directory, new Class<?>[0],
				(http) -> assertThat(http.get("/own", "*/*").statusCode()).isEqualTo(423));
	}

	@ParameterizedTest
	@EnumSource
	void otherExceptionIsAnErrorStill(Web web) {
		web.run(this.directory, new Class<?>[0],
				(http) -> assertThat(http.get("/wrapped", "*/*").statusCode()).isEqualTo(500));
	}

	enum Web {

		MVC, WEBFLUX;

		void run(Path directory, Class<?>[] beans, Exchange exchange) {
			if (this == MVC) {
				run(new WebApplicationContextRunner().withUserConfiguration(Mvc.class), beans, directory,
						(context) -> new DispatcherServlet((WebApplicationContext) context), exchange);
			}
			else {
				run(new ReactiveWebApplicationContextRunner().withUserConfiguration(Flux.class), beans, directory,
						(context) -> new ServletHttpHandlerAdapter(
								WebHttpHandlerBuilder.applicationContext(context).build()),
						exchange);
			}
		}

		private static void run(AbstractApplicationContextRunner<?, ?, ?> runner, Class<?>[] beans, Path directory,
				Function<ApplicationContext, Servlet> servlet, Exchange exchange) {
			runner
				.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class,
						ZkLockAutoConfiguration.class, ZkLockWebAutoConfiguration.class))
				.withBean(InMemoryLockProvider.class)
				.withBean(Orders.class)
				.withUserConfiguration(beans)
				.run((context) -> {
					assertThat(context.getBean(LockProvider.class)
						.acquire(LockRequest.of("order-key").withOwner("other"))
						.isHeld()).isTrue();
					exchange(directory, servlet.apply(context), exchange);
				});
		}

		private static void exchange(Path directory, Servlet servlet, Exchange exchange) throws Exception {
			Tomcat tomcat = new Tomcat();
			tomcat.setBaseDir(directory.toString());
			tomcat.setPort(0);
			tomcat.getConnector();
			Context application = tomcat.addContext("", directory.toString());
			Tomcat.addServlet(application, "application", servlet).setAsyncSupported(true);
			application.addServletMappingDecoded("/", "application");
			tomcat.start();
			try {
				exchange.run(new Http("http://localhost:" + tomcat.getConnector().getLocalPort()));
			}
			finally {
				tomcat.stop();
				tomcat.destroy();
			}
		}

	}

	interface Exchange {

		void run(Http http) throws Exception;

	}

	record Http(String url) {

		HttpResponse<String> get(String path, String accepted) throws Exception {
			return HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create(this.url + path))
					.header("Accept", accepted)
					.timeout(Duration.ofSeconds(30))
					.build(), HttpResponse.BodyHandlers.ofString());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class Mvc {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class Flux {

	}

	@RestController
	static class Orders {

		@GetMapping("/order")
		@DistributedLock(key = "order-key", waitMs = 0)
		String order() {
			return "done";
		}

		@GetMapping("/down")
		String down() {
			throw new LockUnavailableException(LockRequest.of("order-key"), Duration.ZERO, "no connection", null);
		}

		@GetMapping("/own")
		Mono<String> own() {
			return Mono.error(new OrderTakenException());
		}

		@GetMapping("/wrapped")
		Mono<String> wrapped() {
			return Mono.error(new IllegalStateException(
					new LockNotAcquiredException(LockRequest.of("order-key"), Duration.ZERO, null)));
		}

	}

	@RestControllerAdvice
	static class Advice {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		String taken(LockException ex) {
			return "own";
		}

	}

	@ResponseStatus(HttpStatus.LOCKED)
	@SuppressWarnings("serial")
	static class OrderTakenException extends LockNotAcquiredException {

		OrderTakenException() {
			super(LockRequest.of("order-key"), Duration.ZERO, null);
		}

	}

}
