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

package io.github.zklock.sample;

import java.net.http.HttpResponse;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.json.JsonParserFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the live console refuses, and for what it tells browsers to refuse.
 */
class ConsoleSecurityTests {

	private static SampleNodes nodes;

	@BeforeAll
	static void start() {
		nodes = SampleNodes.start("--sample.nodes=2", "--sample.console=true");
	}

	@AfterAll
	static void stop() {
		nodes.close();
	}

	@Test
	void anActionWithoutATokenIsForbidden() {
		assertThat(nodes.send(0, "POST", "/console/actions/orders").statusCode()).isEqualTo(403);
		assertThat(rows()).isZero();
	}

	@Test
	void theTokenOfAnotherIsForbidden() {
		assertThat(nodes.send(0, "POST", "/console/actions/orders", header(), "guessed").statusCode()).isEqualTo(403);
		assertThat(rows()).isZero();
	}

	@Test
	void unknownActionsAndNodesAreNotFound() {
		assertThat(withToken("/console/actions/explode").statusCode()).isEqualTo(404);
		HttpResponse<String> answer = withToken("/console/actions/stop?node=node-1");
		assertThat(answer.statusCode()).isEqualTo(404);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
	}

	@Test
	void aNodeThatRunsCannotBeStarted() {
		assertThat(withToken("/console/actions/start?node=" + nodes.name(1)).statusCode()).isEqualTo(409);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/console/console.css", "/console/console.js", "/console/vendor/chart.umd.js",
			"/console/info", "/console/none" })
	void everythingComesWithAContentSecurityPolicy(String path) {
		HttpResponse<String> answer = nodes.send(0, "GET", path);
		String policy = answer.headers().firstValue("Content-Security-Policy").orElse("");
		assertThat(answer.statusCode()).isEqualTo(path.endsWith("none") ? 404 : 200);
		assertThat(policy).contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
			.doesNotContain("unsafe", "*");
	}

	@Test
	void withoutTheConsoleThereIsNoPageAndNoAction() {
		try (SampleNodes plain = SampleNodes.start("--sample.nodes=1", "--sample.console=false")) {
			assertThat(plain.send(0, "GET", "/").statusCode()).isEqualTo(404);
			assertThat(plain.send(0, "GET", "/console/console.js").statusCode()).isEqualTo(404);
			assertThat(plain.send(0, "GET", "/console/info").statusCode()).isEqualTo(404);
			assertThat(plain.send(0, "POST", "/console/actions/orders").statusCode()).isEqualTo(404);
		}
	}

	private static int rows() {
		return nodes.jdbc().sql("select count(*) from shipment").query(Integer.class).single();
	}

	private static HttpResponse<String> withToken(String path) {
		return nodes.send(0, "POST", path, header(), csrf().get("token"));
	}

	private static String header() {
		return csrf().get("header");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> csrf() {
		return (Map<String, String>) JsonParserFactory.getJsonParser()
			.parseMap(nodes.send(0, "GET", "/console/info").body())
			.get("csrf");
	}

}
