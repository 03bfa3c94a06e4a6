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

package io.github.zklock.autoconfigure.endpoint;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.awaitility.Awaitility;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * An endpoint of the actuator behind a real server, on any line of Spring Boot.
 */
final class EndpointOverHttp {

	private EndpointOverHttp() {
	}

	static WebApplicationContextRunner application(AutoConfigurations locks) {
		return new WebApplicationContextRunner().withConfiguration(locks)
			.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class,
					WebEndpointAutoConfiguration.class,
					either("actuate.autoconfigure.endpoint.web.servlet.WebMvcEndpointManagementContextConfiguration",
							"webmvc.autoconfigure.actuate.web.WebMvcEndpointManagementContextConfiguration"),
					either("autoconfigure.web.servlet.DispatcherServletAutoConfiguration",
							"webmvc.autoconfigure.DispatcherServletAutoConfiguration")))
			.withUserConfiguration(Web.class);
	}

	// Their packages differ between the lines of Spring Boot.
	private static Class<?> either(String boot3, String boot4) {
		return ClassUtils.resolveClassName("org.springframework.boot."
				+ (ClassUtils.isPresent("org.springframework.boot." + boot3, null) ? boot3 : boot4), null);
	}

	static void exchange(ApplicationContext context, Path directory, String endpoint, Exchange exchange)
			throws Exception {
		Tomcat tomcat = new Tomcat();
		tomcat.setBaseDir(directory.toString());
		tomcat.setPort(0);
		tomcat.getConnector();
		Context application = tomcat.addContext("", directory.toString());
		Tomcat.addServlet(application, "application", context.getBean(DispatcherServlet.class));
		application.addServletMappingDecoded("/", "application");
		tomcat.start();
		try {
			exchange
				.run(new Http("http://localhost:" + tomcat.getConnector().getLocalPort() + "/actuator/" + endpoint));
		}
		finally {
			tomcat.stop();
			tomcat.destroy();
		}
	}

	interface Exchange {

		void run(Http http) throws Exception;

	}

	record Http(String url) {

		String get(String parameters) throws Exception {
			return send("GET", parameters);
		}

		// What is asked of ZooKeeper has a bound, which a busy machine may exceed.
		String getQueue(String parameter, String value, int contenders) {
			String query = "?" + parameter + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
			return Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> get(query), (answer) -> answer.contains("\"contenders\":" + contenders + ","));
		}

		String delete(String parameters) throws Exception {
			return send("DELETE", parameters);
		}

		String post(String path, String json) throws Exception {
			return send(path, (request) -> request.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofString(json)));
		}

		private String send(String method, String parameters) throws Exception {
			return send(parameters, (request) -> request.method(method, HttpRequest.BodyPublishers.noBody()));
		}

		private String send(String parameters, UnaryOperator<HttpRequest.Builder> method) throws Exception {
			HttpResponse<String> response = HttpClient.newHttpClient()
				.send(method.apply(HttpRequest.newBuilder(URI.create(this.url + parameters)))
					.timeout(Duration.ofSeconds(30))
					.build(), HttpResponse.BodyHandlers.ofString());
			return (response.statusCode() != 200) ? response.statusCode() + " " + response.body() : response.body();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	static class Web {

	}

}
