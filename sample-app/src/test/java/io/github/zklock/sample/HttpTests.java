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
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the endpoints of three nodes.
 */
@Tag("server")
class HttpTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static SampleNodes nodes;

	@BeforeAll
	static void start() {
		nodes = SampleNodes.start("--sample.nodes=3");
	}

	@AfterAll
	static void stop() {
		nodes.close();
	}

	@Test
	void aPriceIsChangedForAllNodes() {
		assertThat(nodes.send(0, "PUT", "/prices/pear?amount=2.75").statusCode()).isEqualTo(200);
		HttpResponse<String> list = nodes.send(1, "GET", "/prices");
		assertThat(list.statusCode()).isEqualTo(200);
		assertThat(list.body()).contains("{\"item\":\"pear\",\"amount\":2.75,\"version\":");
	}

	@Test
	void nobodySeesAPriceListThatIsHalfChanged() {
		List<HttpResponse<String>> answers = together(24, (i) -> (i % 4 == 0)
				? nodes.send(i % 3, "PUT", "/prices/plum?amount=" + (i + 1)) : nodes.send(i % 3, "GET", "/prices"));
		assertThat(answers).allSatisfy((answer) -> {
			assertThat(answer.statusCode()).isEqualTo(200);
			List<String> versions = Pattern.compile("\"version\":(\\d+)")
				.matcher(answer.body())
				.results()
				.map((match) -> match.group(1))
				.toList();
			assertThat(versions).hasSize(3);
			assertThat(new HashSet<>(versions)).hasSize(1);
		});
	}

	@Test
	void anOrderIsShippedOnce() {
		assertThat(nodes.send(0, "GET", "/orders/K-1").statusCode()).isEqualTo(404);
		List<HttpResponse<String>> answers = together(6, (i) -> nodes.send(i % 3, "POST", "/orders/K-1"));
		assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200);
		assertThat(answers).extracting(HttpResponse::body).containsOnly(nodes.send(2, "GET", "/orders/K-1").body());
		assertThat(rows("shipment where order_id = 'K-1'")).isEqualTo(1);
	}

	@Test
	void noIncrementIsLost() {
		List<HttpResponse<String>> answers = together(30, (i) -> nodes.send(i % 3, "POST", "/counter"));
		assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200);
		assertThat(answers).extracting(HttpResponse::body).doesNotHaveDuplicates();
		assertThat(nodes.send(0, "GET", "/counter").body()).isEqualTo("{\"value\":30}");
	}

	@Test
	void idsHaveNoDoubles() {
		List<HttpResponse<String>> answers = together(12, (i) -> nodes.send(i % 3, "POST", "/ids?count=5"));
		List<String> ids = answers.stream()
			.flatMap((answer) -> Pattern.compile("INV-\\d{6}").matcher(answer.body()).results())
			.map((match) -> match.group())
			.toList();
		assertThat(ids).hasSize(60).doesNotHaveDuplicates();
	}

	@Test
	void transfersBackAndForthKeepTheSumAndNeverOverdraw() {
		List<HttpResponse<String>> answers = together(24,
				(i) -> nodes.post(i % 3, "/transfers", "{\"from\":\"%s\",\"to\":\"%s\",\"amount\":300}"
					.formatted((i % 4 == 0) ? "bob" : "alice", (i % 4 == 0) ? "alice" : "bob")));
		assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200, 422);
		List<BigDecimal> balances = nodes.jdbc().sql("select balance from account").query(BigDecimal.class).list();
		assertThat(balances).allSatisfy((balance) -> assertThat(balance).isNotNegative());
		assertThat(balances.stream().reduce(BigDecimal.ZERO, BigDecimal::add)).isEqualByComparingTo("3000");
		assertThat(nodes.send(0, "GET", "/accounts").body()).contains("\"name\":\"carol\",\"balance\":1000.00");
	}

	@Test
	void theThirdGuestFindsNoSeat() {
		LockOperations others = nodes.node(0).getBean(LockOperations.class);
		others.execute(LockRequest.of("seat:1").withWait(PATIENCE), (first) -> {
			assertThat(patiently(() -> nodes.send(1, "POST", "/seats"), 503).body()).contains("\"number\":2");
			return others.execute(LockRequest.of("seat:2").withWait(PATIENCE), (second) -> {
				HttpResponse<String> refused = patiently(() -> nodes.send(2, "POST", "/seats"), 503);
				assertThat(refused.statusCode()).isEqualTo(409);
				assertThat(refused.body()).contains("All 2 seats are taken");
				return "done";
			});
		});
		assertThat(patiently(() -> nodes.send(2, "POST", "/seats"), 503).statusCode()).isEqualTo(200);
	}

	@Test
	void aLockThatSomebodyHoldsIsAConflict() {
		nodes.node(0).getBean(LockOperations.class).execute(LockRequest.of("order:K-2").withWait(PATIENCE), (lock) -> {
			HttpResponse<String> answer = patiently(() -> nodes.send(1, "POST", "/orders/K-2"), 503);
			assertThat(answer.statusCode()).isEqualTo(409);
			assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
			assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
			assertThat(answer.body()).contains("\"key\":\"order:K-2\"")
				.contains("Another request uses this; try again")
				.doesNotContain("pid", "held by", "node-");
			return "done";
		});
		assertThat(patiently(() -> nodes.send(1, "POST", "/orders/K-2"), 503).statusCode()).isEqualTo(200);
	}

	@Test
	void withoutZooKeeperTheServiceIsUnavailable() {
		try (SampleNodes lonely = SampleNodes.start("--sample.nodes=1", "--zk-lock.embedded.enabled=false",
				"--zk-lock.connect-string=127.0.0.1:1", "--zk-lock.default-wait=500ms", "--sample.report-seconds=30",
				"--spring.datasource.url=jdbc:h2:mem:lonely;DB_CLOSE_DELAY=-1")) {
			HttpResponse<String> answer = lonely.send(0, "POST", "/counter");
			assertThat(answer.statusCode()).isEqualTo(503);
			assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
			assertThat(answer.body()).contains("\"key\":\"counter:visits\"")
				.doesNotContain("\tat ", "127.0.0.1", "ZooKeeper");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			POST /counter  | localhost            | Origin: http://elsewhere.example | 403
			POST /counter  | localhost            | Origin: null                     | 403
			POST /counter  | localhost            | Sec-Fetch-Site: cross-site       | 403
			POST /counter  | localhost            | Sec-Fetch-Site: same-site        | 403
			POST /counter  | localhost            | Sec-Fetch-Site: same-origin      | 200
			POST /counter  | LOCALHOST            | Accept: */*                      | 200
			GET /counter   | localhost            | Sec-Fetch-Site: cross-site       | 200
			GET /counter   | elsewhere.example    | Accept: */*                      | 403
			GET /console/info | elsewhere.example | Accept: */*                      | 403
			""")
	void otherSitesAreKeptAway(String request, String host, String header, String status) throws IOException {
		int port = Integer.parseInt(nodes.node(0).getEnvironment().getRequiredProperty("local.server.port"));
		String text = request + " HTTP/1.1\r\nHost: " + host + ":" + port + "\r\n" + header
				+ "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
				.startsWith("HTTP/1.1 " + status);
		}
	}

	@Test
	void nodesListenOnTheLoopbackAddressOnly() {
		assertThat(nodes.node(0).getEnvironment().getProperty("server.address")).isEqualTo("127.0.0.1");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			PUT  | /prices/pear                | -                                            | 400
			PUT  | /prices/pear?amount=cheap   | -                                            | 400
			PUT  | /prices/pear?amount=-1      | -                                            | 400
			PUT  | /prices/pear?amount=1e-9999 | -                                            | 400
			PUT  | /prices/kiwi?amount=1       | -                                            | 404
			POST | /orders/a%20b               | -                                            | 400
			POST | /orders/a%2Fb               | -                                            | 400
			GET  | /orders/a%2fb               | -                                            | 400
			GET  | /orders/a%5Cb               | -                                            | 400
			GET  | /orders/a%00b               | -                                            | 400
			PUT  | /prices/%2F?amount=1        | -                                            | 400
			GET  | /orders/none                | -                                            | 404
			POST | /ids?count=0                | -                                            | 400
			POST | /ids?count=many             | -                                            | 400
			POST | /seats?holdMs=99999999      | -                                            | 400
			POST | /transfers                  | -                                            | 400
			POST | /transfers                  | {"from":                                     | 400
			POST | /transfers                  | {"from":"bob","to":"bob","amount":1}         | 400
			POST | /transfers                  | {"from":"bob","to":"carol"}                  | 400
			POST | /transfers                  | {"from":"bob","to":"carol","amount":0.001}   | 400
			POST | /transfers                  | {"from":"bob","to":"zoe","amount":1}         | 422
			POST | /transfers                  | {"from":"bob","to":"carol","amount":999999}  | 422
			GET  | /nothing                    | -                                            | 404
			POST | /prices                     | -                                            | 405
			""")
	void badRequestsGetAProblemDetail(String method, String path, String body, int status) {
		HttpResponse<String> answer = (method.equals("POST") && path.equals("/transfers"))
				? nodes.post(0, path, (body != null) ? body : "") : nodes.send(0, method, path);
		assertThat(answer.statusCode()).isEqualTo(status);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(answer.body()).contains("\"status\":" + status).contains("\"detail\":").doesNotContain("\tat ");
	}

	private static int rows(String from) {
		return nodes.jdbc().sql("select count(*) from " + from).query(Integer.class).single();
	}

	// On a slow machine there may be no answer of the lock, or no lock, in time.
	private static HttpResponse<String> patiently(Supplier<HttpResponse<String>> request, Integer... tooLate) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(request::get, (answer) -> !List.of(tooLate).contains(answer.statusCode()));
	}

	private static List<HttpResponse<String>> together(int times, IntFunction<HttpResponse<String>> request) {
		List<CompletableFuture<HttpResponse<String>>> requests = IntStream.range(0, times)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> patiently(() -> request.apply(i), 409, 503),
					(task) -> new Thread(task).start()))
			.toList();
		return requests.stream().map(CompletableFuture::join).toList();
	}

}
