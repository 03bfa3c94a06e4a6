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
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.FreePorts;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.Refusal;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.retry.RetryForever;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link ZkLockEmbeddedAutoConfiguration}.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedZooKeeperTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockEmbeddedAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.embedded.enabled=true", "zk-lock.try-timeout=30s");

	@TempDir
	Path directory;

	@Test
	void locksAreTakenOnAServerThatSaysWhatItIsForAndLeavesNothingBehind(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			Path data = context.getBean(EmbeddedZooKeeper.class).directory();
			String address = address(context);
			assertThat(address).matches("127\\.0\\.0\\.1:[1-9]\\d+");
			assertThat(data).isNotEmptyDirectory();
			assertThat(token(context)).isPositive();
			context.close();
			assertThat(data).doesNotExist();
			assertThatIOException().isThrownBy(() -> connect(address));
			assertThat(output.getAll().lines().filter((line) -> line.contains("for DEVELOPMENT"))).singleElement()
				.asString()
				.contains("WARN", address, "zk-lock.embedded.enabled=true");
		});
	}

	@Test
	void startsWithoutTheLocks() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ZkLockEmbeddedAutoConfiguration.class))
			.withPropertyValues("zk-lock.embedded.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(EmbeddedZooKeeper.class));
	}

	@Test
	void theServerStillAnswersWhenTheClientIsClosed() {
		AtomicBoolean answered = new AtomicBoolean();
		this.contextRunner.run((context) -> {
			String address = address(context);
			context.getBean(CuratorFramework.class).getCuratorListenable().addListener((client, event) -> {
				if (event.getType() == CuratorEventType.CLOSING) {
					connect(address);
					answered.set(true);
				}
			});
		});
		assertThat(answered).isTrue();
	}

	@Test
	void isRefusedWithoutTheLibrariesOfAServer() throws IOException {
		this.contextRunner.withClassLoader(new FilteredClassLoader("com.codahale.metrics", "org.xerial.snappy"))
			.run((context) -> {
				FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("'zk-lock.embedded.enabled' is true");
				assertThat(analysis.getAction()).startsWith("Add " + library("io.dropwizard.metrics", "metrics-core")
						+ " and " + library("org.xerial.snappy", "snappy-java") + " to the dependencies");
			});
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.xerial.snappy"))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getAction())
				.startsWith("Add " + library("org.xerial.snappy", "snappy-java") + " to the dependencies"));
	}

	@Test
	void withoutTheLibrariesOfAServerAnApplicationTakesLocksElsewhere() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(ZkLockEmbeddedAutoConfiguration.class, ZkLockAutoConfiguration.class))
			.withPropertyValues("zk-lock.connect-string=localhost:1")
			.withClassLoader(new FilteredClassLoader("com.codahale.metrics", "org.xerial.snappy",
					"org.apache.zookeeper.server.embedded"))
			.run((context) -> assertThat(address(context)).isEqualTo("localhost:1"));
	}

	@Test
	void isRefusedBesideAConnectStringUnlessThatIsEmpty() {
		this.contextRunner.withPropertyValues("zk-lock.connect-string=zk1:2181")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("mutually exclusive")
				.hasMessageContaining("zk-lock.connect-string")
				.hasMessageContaining("zk-lock.embedded.enabled"));
		this.contextRunner.withPropertyValues("zk-lock.connect-string=")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void stepsBackWhenTheLocksLiveElsewhere() {
		this.contextRunner.withBean(ZkLockConnectionDetails.class, () -> () -> "localhost:1").run(this::hasNoServer);
		this.contextRunner.withBean(InMemoryLockProvider.class).run(this::hasNoServer);
		this.contextRunner.withPropertyValues("zk-lock.enabled=false").run(this::hasNoServer);
		this.contextRunner.withPropertyValues("zk-lock.embedded.enabled=false").run(this::hasNoServer);
	}

	@Test
	void startsForAClientOfTheApplicationOnlyIfThatAsksForTheAddress(CapturedOutput output) {
		this.contextRunner.withBean("own", CuratorFramework.class, () -> client("localhost:1"))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("for DEVELOPMENT");
		this.contextRunner.withUserConfiguration(OwnClient.class).run((context) -> {
			assertThat(token(context)).isPositive();
			assertThat(context.getBean(CuratorFramework.class).getZookeeperClient().getCurrentConnectionString())
				.isEqualTo(address(context));
		});
		assertThat(output).contains("for DEVELOPMENT");
	}

	private static CuratorFramework client(String address) {
		CuratorFramework client = CuratorFrameworkFactory.newClient(address, new RetryForever(1000));
		client.start();
		return client;
	}

	@Test
	void leavesNoSystemPropertyOfZooKeeperBehind() {
		Map<String, String> before = zooKeeperProperties();
		// Servers of other tests may have left them.
		before.keySet().forEach(System::clearProperty);
		System.setProperty("zookeeper.preAllocSize", "128");
		try {
			this.contextRunner.run((context) -> assertThat(token(context)).isPositive());
			assertThat(zooKeeperProperties()).containsExactly(Map.entry("zookeeper.preAllocSize", "128"));
		}
		finally {
			System.clearProperty("zookeeper.preAllocSize");
			before.forEach(System::setProperty);
		}
	}

	private static Map<String, String> zooKeeperProperties() {
		return System.getProperties()
			.stringPropertyNames()
			.stream()
			.filter((name) -> name.startsWith("zookeeper."))
			.collect(Collectors.toMap((name) -> name, System::getProperty));
	}

	@Test
	void aChildContextUsesTheServerOfItsParent() {
		this.contextRunner.run((parent) -> this.contextRunner.withParent(parent).run((child) -> {
			assertThat(child.getBeanFactory().containsLocalBean("zkLockEmbeddedZooKeeper")).isFalse();
			assertThat(address(child)).isEqualTo(address(parent));
		}));
	}

	@Test
	void applicationsWithTheSamePortShareTheServerOfTheFirst(CapturedOutput output) {
		this.contextRunner.run((first) -> {
			String address = address(first);
			this.contextRunner.withPropertyValues("zk-lock.embedded.port=" + port(address)).run((second) -> {
				assertThat(address(second)).isEqualTo(address);
				assertThat(token(second)).isPositive();
				LockOperations others = second.getBean(LockOperations.class);
				LockRequest shared = LockRequest.of("shared");
				first.getBean(LockOperations.class)
					.execute(shared, (handle) -> (Object) Refusal
						.of(() -> others.execute(shared.withWait(Duration.ZERO), LockHandle::key)));
			});
			assertThat(token(first)).isPositive();
		});
		assertThat(output.getAll().lines().filter((line) -> line.contains("for DEVELOPMENT that listens at")))
			.hasSize(1);
	}

	@Test
	void tokensGoOnGrowingWhenTheDataIsKept() throws IOException {
		String[] properties = { "zk-lock.embedded.port=" + FreePorts.next(),
				"zk-lock.embedded.data-dir=" + this.directory };
		long[] tokens = new long[2];
		for (int i = 0; i < tokens.length; i++) {
			int run = i;
			this.contextRunner.withPropertyValues(properties).run((context) -> tokens[run] = token(context));
		}
		assertThat(tokens[1]).isGreaterThan(tokens[0]);
		assertThat(this.directory).isNotEmptyDirectory();
	}

	@Test
	void refusesValuesThatMakeNoSense() {
		this.contextRunner.withPropertyValues("zk-lock.embedded.data-dir=" + this.directory)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("needs a fixed zk-lock.embedded.port"));
		this.contextRunner.withPropertyValues("zk-lock.embedded.port=65536")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("must be a number from 0 to 65535"));
		this.contextRunner.withPropertyValues("zk-lock.embedded.enabled=yes")
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("zk-lock.embedded.enabled"));
	}

	@Test
	void anApplicationThatIsDoneEnds() {
		try (JavaProcess process = JavaProcess.start(EmbeddedApplication.class.getName(), List.of())) {
			assertThat(process.awaitLine("Held: ")).isEqualTo("Held: a");
			Awaitility.await().until(() -> !process.isAlive());
		}
	}

	private void hasNoServer(ApplicationContext context) {
		assertThat(context.getBeansOfType(EmbeddedZooKeeper.class)).isEmpty();
	}

	private static String address(ApplicationContext context) {
		return context.getBean(ZkLockConnectionDetails.class).getConnectString();
	}

	private static int port(String address) {
		return Integer.parseInt(address.substring(address.indexOf(':') + 1));
	}

	private static long token(ApplicationContext context) {
		return context.getBean(LockOperations.class).execute(LockRequest.of("a"), LockHandle::fencingToken);
	}

	private static void connect(String address) throws IOException {
		new Socket("127.0.0.1", port(address)).close();
	}

	// What the message and the documentation say is what this build tests with.
	private static String library(String group, String artifact) throws IOException {
		String pom = Files.readString(Path.of("../pom.xml"));
		String property = "<" + artifact + ".version>";
		int start = pom.indexOf(property) + property.length();
		String version = pom.substring(start, pom.indexOf('<', start));
		assertThat(Path.of("../docs/getting-started.md")).content()
			.contains("<artifactId>" + artifact + "</artifactId>\n  <version>" + version + "</version>");
		return group + ":" + artifact + ":" + version;
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClient {

		@Bean
		CuratorFramework own(ZkLockConnectionDetails details) {
			return client(details.getConnectString());
		}

	}

}
