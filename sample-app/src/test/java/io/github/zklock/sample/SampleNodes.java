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

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The sample application in the JVM of a test, on free ports and without the activity of
 * the demonstration unless a test asks for it.
 */
final class SampleNodes implements AutoCloseable {

	private static final List<String> QUIET = List.of("--sample.port=0", "--sample.report-seconds=1",
			"--sample.activity=false", "--sample.accident=false", "--sample.stock-take-delay=1h",
			"--sample.export-cron=-", "--sample.reindex-cron=-", "--zk-lock.leader.roles.indexer.enabled=false",
			"--zk-lock.try-timeout=30s");

	private final HttpClient http = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext parent;

	private SampleNodes(ConfigurableApplicationContext parent) {
		this.parent = parent;
	}

	static SampleNodes start(String... args) {
		List<String> names = Stream.of(args).map((arg) -> arg.substring(0, arg.indexOf('='))).toList();
		List<String> all = new ArrayList<>(List.of(args));
		QUIET.stream().filter((arg) -> !names.contains(arg.substring(0, arg.indexOf('=')))).forEach(all::add);
		return new SampleNodes(SampleApplication.start(all.toArray(String[]::new)));
	}

	ConfigurableApplicationContext node(int index) {
		return cluster().nodes().get(index);
	}

	SampleCluster cluster() {
		return this.parent.getBean(SampleCluster.class);
	}

	String name(int index) {
		return node(index).getEnvironment().getRequiredProperty("sample.name");
	}

	JdbcClient jdbc() {
		return node(0).getBean(JdbcClient.class);
	}

	/**
	 * Count how often each tick of the report job ran, whichever node it was.
	 * @return the number of runs by tick
	 */
	Map<Long, Integer> reports() {
		Map<Long, Integer> runs = new TreeMap<>();
		this.jdbc()
			.sql("select tick from report")
			.query(Long.class)
			.list()
			.forEach((tick) -> runs.merge(tick, 1, Integer::sum));
		return runs;
	}

	int reportsOf(String node) {
		return this.jdbc().sql("select count(*) from report where node = ?").param(node).query(Integer.class).single();
	}

	HttpResponse<String> send(int index, String method, String path) {
		return send(index, HttpRequest.newBuilder().method(method, BodyPublishers.noBody()), path);
	}

	HttpResponse<String> post(int index, String path, String json) {
		return send(index,
				HttpRequest.newBuilder().header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)),
				path);
	}

	private HttpResponse<String> send(int index, HttpRequest.Builder request, String path) {
		String port = node(index).getEnvironment().getRequiredProperty("local.server.port");
		try {
			return this.http.send(request.uri(URI.create("http://localhost:" + port + path)).build(),
					BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.parent.close();
	}

}
