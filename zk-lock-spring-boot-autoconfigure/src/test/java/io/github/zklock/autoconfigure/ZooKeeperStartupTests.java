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

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.internal.DurationText;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.client.ZooKeeperAccessCheck;
import io.github.zklock.zookeeper.client.ZooKeeperConnectionWatch;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class ZooKeeperStartupTests {

	private final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + this.server.connectString(),
				"zk-lock.connection-timeout=200ms");

	@Test
	void applicationStartsWithoutZooKeeperAndSaysSoOnce(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			assertThat(context).hasNotFailed();
			LockOperations locks = context.getBean(LockOperations.class);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.execute(LockRequest.of("a").withWait(Duration.ZERO), (handle) -> "locked"));
			Awaitility.await().until(() -> warnings(output) > 0);
			assertThat(output).contains("ZooKeeper at '" + this.server.connectString()
					+ "' was not reached within 200ms: locks "
					+ "are unavailable until it is, and the client keeps trying. Check that ZooKeeper runs there and that "
					+ "zk-lock.connect-string is right");
			try (ZooKeeperServerFixture running = this.server.start()) {
				Awaitility.await()
					.untilAsserted(() -> assertThat(output).contains(
							"ZooKeeper at '" + this.server.connectString() + "' is reached: locks are available"));
				String result = locks.execute(LockRequest.of("a").withWait(Duration.ofSeconds(30)),
						(handle) -> "locked");
				assertThat(result).isEqualTo("locked");
			}
			assertThat(warnings(output)).isEqualTo(1);
		});
	}

	@Test
	void hostsWithoutAnAddressAreNamed(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("zk-lock.connect-string=zk1.invalid:2181,zk2.invalid:2181",
					"zk-lock.connection-timeout=60s")
			.run((context) -> {
				LockOperations locks = context.getBean(LockOperations.class);
				String reason = "no address is known for the host 'zk1.invalid' or 'zk2.invalid'; check the connect string";
				Awaitility.await()
					.untilAsserted(() -> assertThat(output).contains("There is no connection to ZooKeeper: " + reason));
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> locks.execute(LockRequest.of("a").withWait(Duration.ZERO), (handle) -> "locked"))
					.withMessageContaining(reason);
			});
	}

	@Test
	void reasonThatIsInTheLogReplacesTheWarning(CapturedOutput output) {
		this.contextRunner.withPropertyValues("zk-lock.connection-timeout=60s").run((context) -> {
			CuratorFramework client = context.getBean(CuratorFramework.class);
			NodeAccess access = context.getBean(NodeAccess.class);
			ZooKeeperAccessCheck check = new ZooKeeperAccessCheck(client, "/locks", access.acls(), null);
			new ZooKeeperConnectionWatch(client, check, access::warnIfOpen, () -> "a reason")
				.warnWithoutConnection(Duration.ofMillis(1));
			new ZooKeeperConnectionWatch(client, check, access::warnIfOpen, () -> null)
				.warnWithoutConnection(Duration.ofMillis(100));
			Awaitility.await().until(() -> output.getAll().contains("was not reached within 100ms"));
			assertThat(output).doesNotContain("was not reached within 1ms");
		});
	}

	@Test
	void failFastStopsTheApplicationWithARemedy() {
		this.contextRunner.withPropertyValues("zk-lock.fail-fast=true", "zk-lock.startup-timeout=300ms")
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
					assertThat(analysis.getDescription()).isEqualTo("ZooKeeper at '" + this.server.connectString()
							+ "' could not be reached within 300ms, and 'zk-lock.fail-fast' is enabled.");
					assertThat(analysis.getAction()).isEqualTo("Start ZooKeeper, or correct the property "
							+ "'zk-lock.connect-string'. If ZooKeeper only needs longer, raise "
							+ "'zk-lock.startup-timeout'. If the application is to start without ZooKeeper and connect "
							+ "later, set 'zk-lock.fail-fast' to false.");
				});
			});
		Awaitility.await().untilAsserted(() -> assertThat(clientThreads()).isEmpty());
	}

	@Test
	void failFastStartsTheApplicationWithZooKeeper(CapturedOutput output) throws Exception {
		try (ZooKeeperServerFixture running = this.server.start()) {
			this.contextRunner.withPropertyValues("zk-lock.fail-fast=true", "zk-lock.connection-timeout=30s")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					assertThat(context.getBean(CuratorFramework.class).getZookeeperClient().isConnected()).isTrue();
				});
		}
		assertThat(warnings(output)).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void healthyStartIsToldByOneLine(boolean failFast, CapturedOutput output) throws Exception {
		try (ZooKeeperServerFixture running = this.server.start(); CuratorFramework client = client()) {
			client.start();
			client.create().forPath("/app");
			this.contextRunner.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class))
				.withBean(Jobs.class)
				.withBean("moreJobs", Jobs.class)
				.withPropertyValues("zk-lock.connect-string=" + this.server.connectString() + "/app",
						"zk-lock.connection-timeout=30s", "zk-lock.session-timeout=19s",
						"zk-lock.fail-fast=" + failFast)
				.run((context) -> {
					Awaitility.await().until(() -> output.getAll().contains("is reached"));
					assertThat(context).hasNotFailed();
				});
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("is reached"))).singleElement()
			.asString()
			.contains("INFO")
			.endsWith("ZooKeeper at '" + this.server.connectString()
					+ "' is reached: locks are available (chroot '/app', "
					+ "root '/locks', session timeout 19s, 2 guarded methods)");
		assertThat(warnings(output)).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "60s, 1m, maxSessionTimeout", "20, 20ms, minSessionTimeout" })
	void sessionTimeoutThatTheServersChangeIsOneWarning(String property, String requested, String setting,
			CapturedOutput output) throws Exception {
		try (ZooKeeperServerFixture running = this.server.start()) {
			running.limitSessionTimeout(Duration.ofSeconds(40));
			this.contextRunner
				.withPropertyValues("zk-lock.connection-timeout=30s", "zk-lock.session-timeout=" + property)
				.run((context) -> {
					Awaitility.await().until(() -> output.getAll().contains("The session timeout is"));
					String granted = setting.startsWith("max") ? "40s"
							: DurationText.of(ZooKeeperServerFixture.TICK.multipliedBy(2));
					assertThat(output).contains("WARN", "The session timeout is " + granted + ", and not " + requested,
							"zk-lock.session-timeout", setting);
				});
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("The session timeout is"))).hasSize(1);
	}

	@Test
	void clientOfTheApplicationIsUsedAndNeverClosed() throws Exception {
		try (ZooKeeperServerFixture running = this.server.start(); CuratorFramework client = client()) {
			client.start();
			this.contextRunner
				.withBean("ownClient", CuratorFramework.class, () -> client,
						(definition) -> definition.setDestroyMethodName(""))
				.run((context) -> {
					assertThat(context).getBean(CuratorFramework.class).isSameAs(client);
					context.getBean(LockOperations.class)
						.execute(LockRequest.of("a").withWait(Duration.ofSeconds(30)), (handle) -> "locked");
					assertThat(client.checkExists().forPath("/locks/a")).isNotNull();
				});
			assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STARTED);
			assertThat(client.checkExists().forPath("/locks")).isNotNull();
		}
	}

	@Test
	void clientOfTheApplicationThatIsNotStartedIsLeftAloneAndReported(CapturedOutput output) {
		this.contextRunner
			.withBean("ownClient", CuratorFramework.class, this::client,
					(definition) -> definition.setDestroyMethodName(""))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Awaitility.await()
					.untilAsserted(() -> assertThat(output).contains(
							"The CuratorFramework bean of the application is not started, so locks are unavailable: "
									+ "declare it with @Bean(initMethod = \"start\", destroyMethod = \"close\")"));
				assertThat(context.getBean(CuratorFramework.class).getState()).isEqualTo(CuratorFrameworkState.LATENT);
			});
	}

	@Test
	void closedContextLeavesNoThreadOfItsClient() throws Exception {
		try (ZooKeeperServerFixture running = this.server.start()) {
			this.contextRunner.run((context) -> {
				context.getBean(LockOperations.class)
					.execute(LockRequest.of("a").withWait(Duration.ofSeconds(30)), (handle) -> "locked");
				assertThat(clientThreads()).isNotEmpty();
			});
			Awaitility.await().untilAsserted(() -> assertThat(clientThreads()).isEmpty());
		}
	}

	private CuratorFramework client() {
		return CuratorFrameworkFactory.newClient(this.server.connectString(), new RetryOneTime(100));
	}

	private static long warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("was not reached within")).count();
	}

	private List<String> clientThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !this.threadsBefore.contains(thread))
			.map(Thread::getName)
			.filter((name) -> name.startsWith("Curator-") || name.startsWith("zk-lock") || name.contains("-SendThread(")
					|| name.contains("-EventThread"))
			.toList();
	}

	static class Jobs {

		@DistributedLock("one")
		void one() {
		}

		@DistributedLock("two")
		void two() {
		}

		void three() {
		}

	}

}
