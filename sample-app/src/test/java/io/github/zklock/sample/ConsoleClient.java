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
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.awaitility.Awaitility;

/**
 * A page of the console, without a browser.
 */
final class ConsoleClient implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final ObjectMapper json = new ObjectMapper();

	private final HttpClient http = HttpClient.newHttpClient();

	private final String address;

	private final List<JsonNode> states = new CopyOnWriteArrayList<>();

	private final Map<Integer, JsonNode> outcomes = new ConcurrentHashMap<>();

	private final Stream<String> lines;

	ConsoleClient(String address) {
		this.address = address;
		HttpResponse<Stream<String>> events = send(HttpRequest.newBuilder(), "/console/events", BodyHandlers.ofLines());
		if (!events.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")) {
			throw new IllegalStateException("No events, but " + events);
		}
		this.lines = events.body();
		// Asked for here, since the client may be closed before the thread begins.
		Iterator<String> told = this.lines.iterator();
		Thread reader = new Thread(() -> read(told), "console-client");
		reader.setDaemon(true);
		reader.start();
	}

	private void read(Iterator<String> told) {
		String[] event = { "" };
		try {
			told.forEachRemaining((line) -> {
				if (line.startsWith("event:")) {
					event[0] = line.substring(6);
				}
				else if (line.startsWith("data:")) {
					JsonNode data = parse(line.substring(5));
					if (event[0].equals("state")) {
						this.states.add(data);
					}
					else {
						this.outcomes.put(data.get("run").asInt(), data);
					}
				}
			});
		}
		catch (UncheckedIOException ex) {
			// The end of the stream.
		}
	}

	JsonNode info() {
		return parse(send(HttpRequest.newBuilder(), "/console/info", BodyHandlers.ofString()).body());
	}

	/**
	 * Wait until a state has been told.
	 * @param condition what to look for, in all states since the connection
	 * @return the first such state
	 */
	JsonNode await(Predicate<JsonNode> condition) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.states.stream().filter(condition).findFirst().orElse(null), (found) -> found != null);
	}

	List<JsonNode> states() {
		return this.states;
	}

	JsonNode awaitOutcome(int run) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> this.outcomes.get(run),
					(outcome) -> outcome != null && !outcome.get("phase").asText().equals("RUNNING"));
	}

	int begin(String action) {
		HttpResponse<String> answer = act(action, info().at("/csrf/token").asText());
		if (answer.statusCode() != 202) {
			throw new IllegalStateException(answer + ": " + answer.body());
		}
		return parse(answer.body()).get("run").asInt();
	}

	HttpResponse<String> act(String action, String token, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder().POST(BodyPublishers.noBody());
		if (token != null) {
			request.header("X-XSRF-TOKEN", token);
		}
		if (headers.length > 0) {
			request.headers(headers);
		}
		return send(request, action.startsWith("/") ? action : "/console/actions/" + action, BodyHandlers.ofString());
	}

	private JsonNode parse(String text) {
		try {
			return this.json.readTree(text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private <T> HttpResponse<T> send(HttpRequest.Builder request, String path, HttpResponse.BodyHandler<T> body) {
		try {
			return this.http.send(request.uri(URI.create(this.address + path)).build(), body);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.lines.close();
	}

}
