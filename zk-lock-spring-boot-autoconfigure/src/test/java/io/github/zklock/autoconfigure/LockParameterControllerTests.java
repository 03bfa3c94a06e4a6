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

package io.github.zklock.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.core.LockHandle;
import io.github.zklock.test.InMemoryLockProvider;
import jakarta.servlet.Servlet;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Controllers whose methods take their lock as a parameter, asked over HTTP.
 */
class LockParameterControllerTests {

	private static final AutoConfigurations LOCKS = AutoConfigurations.of(ZkLockAutoConfiguration.class,
			ZkLockAopAutoConfiguration.class, ZkLockWebAutoConfiguration.class);

	@TempDir
	Path directory;

	@Test
	void springMvcLeavesThemToTheLock() {
		new WebApplicationContextRunner().withConfiguration(LOCKS)
			.withUserConfiguration(Mvc.class, Orders.class)
			.withBean(InMemoryLockProvider.class)
			.run((context) -> areFilledIn(new DispatcherServlet(context.getSourceApplicationContext())));
	}

	@Test
	void webFluxLeavesThemToTheLock() {
		new ReactiveWebApplicationContextRunner().withConfiguration(LOCKS)
			.withUserConfiguration(WebFlux.class, Orders.class)
			.withBean(InMemoryLockProvider.class)
			.run((context) -> areFilledIn(
					new ServletHttpHandlerAdapter(WebHttpHandlerBuilder.applicationContext(context).build())));
	}

	@Test
	void applicationWithoutTheWebHasNoResolver() {
		new ApplicationContextRunner().withConfiguration(LOCKS)
			.withBean(InMemoryLockProvider.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(WebMvcLockParameterResolver.class)
				.doesNotHaveBean(WebFluxLockParameterResolver.class));
	}

	private void areFilledIn(Servlet servlet) throws Exception {
		Tomcat tomcat = start(servlet);
		try {
			String base = "http://localhost:" + tomcat.getConnector().getLocalPort();
			assertThat(get(base + "/orders/7")).isEqualTo("orders:7 true");
			assertThat(get(base + "/later/8")).isEqualTo("later:8 true");
			assertThat(get(base + "/boxed")).isEqualTo("boxed true");
			assertThat(get(base + "/conditional")).isEqualTo("conditional 0 null");
			assertThat(get(base + "/free")).startsWith("500");
		}
		finally {
			tomcat.stop();
			tomcat.destroy();
		}
	}

	private Tomcat start(Servlet servlet) throws LifecycleException {
		Tomcat tomcat = new Tomcat();
		tomcat.setBaseDir(this.directory.toString());
		tomcat.setPort(0);
		tomcat.getConnector();
		Context context = tomcat.addContext("", this.directory.toString());
		Tomcat.addServlet(context, "application", servlet).setAsyncSupported(true);
		context.addServletMappingDecoded("/", "application");
		tomcat.start();
		return tomcat;
	}

	private static String get(String url) throws IOException, InterruptedException {
		HttpResponse<String> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30)).build(),
					HttpResponse.BodyHandlers.ofString());
		return ((response.statusCode() != 200) ? response.statusCode() + " " : "") + response.body();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class Mvc {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class WebFlux {

	}

	interface Conditional {

		String conditional(@FencingToken long token, LockHandle handle);

	}

	@RestController
	static class Orders implements Conditional {

		@GetMapping("/orders/{id}")
		@DistributedLock("orders:#{#id}")
		String orders(@PathVariable("id") String id, @FencingToken long token, LockHandle handle) {
			return handle.key() + " " + (handle.fencingToken() == token);
		}

		@GetMapping("/later/{id}")
		@DistributedLock("later:#{#id}")
		Mono<String> later(@FencingToken long token, @PathVariable("id") String id, LockHandle handle) {
			return Mono.just(handle.key() + " " + (handle.fencingToken() == token));
		}

		@GetMapping("/boxed")
		@DistributedLock("boxed")
		String boxed(@FencingToken Long token) {
			return "boxed " + (LockHandle.current().fencingToken() == token);
		}

		@Override
		@GetMapping("/conditional")
		@DistributedLock(key = "conditional", condition = "false")
		public String conditional(long token, LockHandle handle) {
			return "conditional " + token + " " + handle;
		}

		@GetMapping("/free")
		String free(LockHandle handle) {
			return "free " + handle;
		}

	}

}
