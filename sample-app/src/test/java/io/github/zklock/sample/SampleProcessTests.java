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
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.autoconfigure.ZkLockEmbeddedAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sample application as it is started from a shell.
 */
@Tag("server")
class SampleProcessTests {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	@TempDir
	private Path directory;

	private Path temporary;

	@BeforeEach
	void createTemporaryDirectory() throws IOException {
		this.temporary = Files.createDirectory(this.directory.resolve("tmp"));
	}

	@Test
	void processesThatStartTogetherTakePortsOfTheirOwnAndLeaveNothingBehind() throws Exception {
		try (ConfigurableApplicationContext server = server();
				SampleProcess first = start("1", server);
				SampleProcess second = start("2", server);
				SampleProcess third = start("3", server)) {
			List<SampleProcess> processes = List.of(first, second, third);
			Awaitility.await().atMost(PATIENCE).until(() -> processes.stream().allMatch(SampleProcess::isReady));
			List<String> addresses = processes.stream().flatMap((process) -> process.addresses().stream()).toList();
			assertThat(addresses).hasSize(3).doesNotHaveDuplicates();
			// Each answers, and the counter is one for all.
			assertThat(addresses).extracting(SampleProcessTests::increment)
				.containsExactly("{\"value\":1}", "{\"value\":2}", "{\"value\":3}");
			for (SampleProcess process : processes) {
				assertThat(process.stop()).isTrue();
			}
		}
		assertThat(this.temporary).isEmptyDirectory();
	}

	@Test
	void aProcessSaysWhatWillBeSeenBeforeItsFirstNodeStartsAndLeavesNothingBehind() throws Exception {
		try (SampleProcess process = SampleProcess.start(this.temporary, this.directory.resolve("console"),
				"--sample.nodes=2", "--sample.port=21081")) {
			Awaitility.await().atMost(PATIENCE).until(process::isReady);
			assertThat(process.console().lines()).first()
				.asString()
				.startsWith("2 nodes of one application start now")
				.contains("fencing token");
			assertThat(process.addresses()).extracting(SampleProcessTests::increment)
				.containsExactly("{\"value\":1}", "{\"value\":2}");
			assertThat(process.stop()).isTrue();
		}
		assertThat(this.temporary).isEmptyDirectory();
	}

	@Test
	void theDatabaseOfAProcessIsInAPrivateDirectoryWithARandomName() throws Exception {
		try (ConfigurableApplicationContext server = server();
				SampleProcess process = SampleProcess.start(this.temporary, this.directory.resolve("console"),
						"--sample.nodes=1", "--sample.port=21081", "--zk-lock.embedded.enabled=false",
						connectString(server))) {
			Awaitility.await().atMost(PATIENCE).until(process::isReady);
			Matcher directory = Pattern.compile("--sample.directory=(.*zk-lock-sample\\d+)").matcher(process.console());
			assertThat(directory.find()).isTrue();
			assertThat(Path.of(directory.group(1))).hasParent(this.temporary);
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(directory.group(1)))))
				.isEqualTo("rwx------");
			assertThat(process.stop()).isTrue();
		}
		assertThat(this.temporary).isEmptyDirectory();
	}

	private SampleProcess start(String name, ConfigurableApplicationContext server) throws IOException {
		return SampleProcess.start(this.temporary, this.directory.resolve("console-" + name), "--sample.nodes=1",
				"--sample.port=21081", "--sample.directory=" + this.temporary.resolve("database"),
				"--zk-lock.embedded.enabled=false", connectString(server));
	}

	private static ConfigurableApplicationContext server() {
		return new SpringApplicationBuilder(Server.class).web(WebApplicationType.NONE).run();
	}

	private static String connectString(ConfigurableApplicationContext server) {
		return "--zk-lock.connect-string=" + server.getBean(ZkLockConnectionDetails.class).getConnectString();
	}

	private static String increment(String address) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/counter"))
			.POST(HttpRequest.BodyPublishers.noBody())
			.build();
		return HttpClient.newHttpClient()
			.sendAsync(request, BodyHandlers.ofString())
			.thenApply((answer) -> answer.body())
			.join();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(ZkLockEmbeddedAutoConfiguration.class)
	static class Server {

	}

}
