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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.DelegatingTasks;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.SecureServer;
import io.github.zklock.zookeeper.client.SaslSections;
import io.github.zklock.zookeeper.tasks.Tasks;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that refuse SASL, which they do only after they have granted a session. The
 * clock of the engine stands still unless the test puts it forward.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class RefusedSaslTests {

	private static final String RIGHT = Secrets.password();

	private static final String WRONG = Secrets.password();

	private static final String ERROR = "has refused the authentication";

	// At 1, 3, 7, 15, 31 and 63 s, and then once a minute.
	private static final int ATTEMPTS_IN_FIVE_MINUTES = 9;

	private final SecureServer server = new SecureServer();

	private final String section = SaslSections.add(DigestLoginModule.class.getName(),
			Map.of("username", "app", "password", RIGHT));

	private final CuratorFramework client = client();

	private final CountDownLatch connected = new CountDownLatch(1);

	private final AtomicLong now = new AtomicLong();

	@AfterEach
	void close() {
		this.client.close();
		this.server.close();
		SaslSections.remove(this.section);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void refusalIsReportedOnceHoweverOftenItIsRepeated(boolean sasl, CapturedOutput output) throws Exception {
		start(sasl);
		try (ZooKeeperLockProvider locks = locks()) {
			EngineParts parts = EngineParts.of(locks);
			Awaitility.await().until(() -> lines(output, ERROR).size() == 1);
			assertThat(attemptsInFiveMinutes(parts)).isEqualTo(ATTEMPTS_IN_FIVE_MINUTES);
			assertThat(lines(output, ERROR)).hasSize(1);
			assertThat(lines(output, "WARN").size()).isLessThan(2);
			assertThat(lines(output, "can be acquired again")).isEmpty();
			assertThat(parts.tracker().problem()).contains(ERROR);
		}
	}

	@Test
	void refusalThatComesAgainIsReportedAgain(CapturedOutput output) throws Exception {
		start(true);
		try (ZooKeeperLockProvider locks = locks()) {
			EngineParts parts = EngineParts.of(locks);
			Awaitility.await().until(() -> lines(output, ERROR).size() == 1);
			this.server.startSasl(Map.of("app", RIGHT));
			this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
			Awaitility.await().until(() -> parts.tracker().usable() != null && parts.tracker().problem() == null);
			this.server.startSasl(Map.of("app", WRONG));
			Awaitility.await().until(() -> lines(output, ERROR).size() == 2);
			assertThat(attemptsInFiveMinutes(parts)).isEqualTo(ATTEMPTS_IN_FIVE_MINUTES);
			assertThat(lines(output, ERROR)).hasSize(2);
		}
	}

	@Test
	void refusalThatCameBeforeTheLocksIsReported(CapturedOutput output) throws Exception {
		start(true);
		this.connected.await();
		Awaitility.await().until(this::isRefused);
		try (ZooKeeperLockProvider locks = locks()) {
			Awaitility.await().until(() -> lines(output, ERROR).size() == 1);
			this.server.startSasl(Map.of("app", RIGHT));
			this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
			Awaitility.await().until(() -> EngineParts.of(locks).tracker().usable() != null);
		}
	}

	private void start(boolean sasl) {
		if (sasl) {
			this.server.startSasl(Map.of("app", WRONG));
		}
		else {
			this.server.startPlain();
		}
		this.client.getConnectionStateListenable().addListener((curator, state) -> this.connected.countDown());
		this.client.start();
	}

	private int attemptsInFiveMinutes(EngineParts parts) {
		long before = this.client.getZookeeperClient().getInstanceIndex();
		for (int second = 0; second < TimeUnit.MINUTES.toSeconds(5); second++) {
			Awaitility.await().pollInterval(Duration.ofMillis(1)).until(this::isRefused);
			this.now.addAndGet(TimeUnit.SECONDS.toNanos(1));
			parts.recheck();
		}
		return (int) (this.client.getZookeeperClient().getInstanceIndex() - before);
	}

	private boolean isRefused() throws Exception {
		return !this.client.getZookeeperClient().isConnected()
				&& this.client.getZookeeperClient().getZooKeeper().getState() == States.AUTH_FAILED;
	}

	private static List<String> lines(CapturedOutput output, String part) {
		return output.toString().lines().filter((line) -> line.contains(part) && line.contains(" i.g.z")).toList();
	}

	private CuratorFramework client() {
		ZKClientConfig config = new ZKClientConfig();
		config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, this.section);
		config.setProperty("zookeeper.fips-mode", "false");
		int timeout = (int) TimeUnit.MINUTES.toMillis(10);
		return CuratorFrameworkFactory.builder()
			.connectString(this.server.connectString("localhost"))
			.sessionTimeoutMs(timeout)
			.connectionTimeoutMs(timeout)
			.zkClientConfig(config)
			.retryPolicy(new RetryOneTime(100))
			.build();
	}

	private ZooKeeperLockProvider locks() {
		ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider.builder(this.client);
		return builder.tasks(new Frozen(builder.tasks())).build();
	}

	private final class Frozen extends DelegatingTasks {

		Frozen(Tasks tasks) {
			super(tasks);
		}

		@Override
		public long nanoTime() {
			return RefusedSaslTests.this.now.get();
		}

	}

}
