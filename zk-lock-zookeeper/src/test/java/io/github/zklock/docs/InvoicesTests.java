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

package io.github.zklock.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ProjectModules;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the program of {@code docs/plain-java.md}.
 */
@Tag("server")
class InvoicesTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

	@Test
	void programLocksReleasesAndEnds() {
		try (JavaProcess process = JavaProcess.of(Invoices.class.getName()).start(server.connectString());
				LockClient<ZooKeeperLockProvider> client = client()) {
			assertThat(process.awaitLine("invoice ")).startsWith("invoice 42 under token ");
			assertThat(process.awaitEnd()).isZero();
			LockHandle next = client.locks().acquire(LockRequest.of("invoice:42").withWait(Duration.ofSeconds(10)));
			assertThat(next.fencingToken()).isPositive();
			next.release();
		}
	}

	@Test
	void invoiceIsLeftForLaterWhileAnotherProcessHoldsTheLock() {
		try (LockClient<ZooKeeperLockProvider> one = client(); LockClient<ZooKeeperLockProvider> other = client()) {
			LockHandle held = other.locks().acquire(LockRequest.of("invoice:7").withWait(Duration.ofSeconds(30)));
			assertThat(new Invoices().write(new LockTemplate(one.locks()), 7))
				.startsWith("later: Lock 'invoice:7' (EXCLUSIVE) not acquired within 5s");
			held.release();
		}
	}

	@Test
	void listenerIsNotifiedOfALoss() throws InterruptedException {
		CountDownLatch notified = new CountDownLatch(1);
		LockListener losses = new Invoices.Losses() {

			@Override
			public void lost(LockRequest request, LockHandle handle) {
				super.lost(request, handle);
				notified.countDown();
			}

		};
		try (LockClient<ZooKeeperLockProvider> client = client()) {
			LockHandle handle = new LockTemplate(client.locks(), List.of(losses))
				.acquire(LockRequest.of("invoice:9").withWait(Duration.ofSeconds(30)));
			server.killSession(client.sessionId());
			assertThat(notified.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(handle.state()).isEqualTo(LockState.LOST);
		}
	}

	@Test
	void codeOfThePageIsThatOfTheProgram() throws IOException {
		String source = plain(
				Files.readString(ProjectModules.find("src/test/java/io/github/zklock/docs/Invoices.java")));
		List<String> snippets = SNIPPET.matcher(Files.readString(ProjectModules.ROOT.resolve("docs/plain-java.md")))
			.results()
			.map((match) -> match.group(1))
			.filter((snippet) -> snippet.contains("class Invoices"))
			.toList();
		assertThat(snippets).singleElement().satisfies((snippet) -> assertThat(source).contains(plain(snippet)));
	}

	private static String plain(String code) {
		return code.replaceAll("(?s)/\\*\\*.*?\\*/", "")
			.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty())
			.reduce("", (a, b) -> a + b + "\n");
	}

	private static LockClient<ZooKeeperLockProvider> client() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(client) -> ZooKeeperLockProvider.builder(client).application("other").build());
	}

}
