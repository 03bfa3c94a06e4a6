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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sample application as it is started from a shell.
 */
@Tag("server")
class SampleProcessTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static final String CONNECT = "--zk-lock.connect-string=" + server.connectString();

	// Not one that FreePorts gives to a server of another test before it is bound here.
	private static final String PORT = "--sample.port=19081";

	@TempDir
	private Path temporary;

	@Test
	void processesOfOneDatabaseTakePortsOfTheirOwnAndLeaveNothingBehind() throws Exception {
		try (SampleProcess first = start()) {
			first.awaitReady();
			Path directory = privateDirectory(first);
			try (SampleProcess second = start("--sample.directory=" + directory);
					SampleProcess third = start("--sample.directory=" + directory)) {
				List<SampleProcess> processes = List.of(first, second, third);
				processes.forEach(SampleProcess::awaitReady);
				List<String> addresses = processes.stream().flatMap((process) -> process.addresses().stream()).toList();
				assertThat(addresses).hasSize(3).doesNotHaveDuplicates();
				// Each answers, and the counter is one for all.
				assertThat(addresses).extracting(SampleProcessTests::increment)
					.containsExactly("{\"value\":1}", "{\"value\":2}", "{\"value\":3}");
				for (SampleProcess process : processes) {
					assertThat(process.stop()).isTrue();
				}
			}
		}
		assertThat(this.temporary).isEmptyDirectory();
	}

	@Test
	void aProcessSaysWhatWillBeSeenBeforeItsFirstNodeStartsAndLeavesNothingBehind() throws Exception {
		try (SampleProcess process = SampleProcess.start(this.temporary, "--sample.nodes=2", PORT)) {
			process.awaitReady();
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

	// It says how others can share it.
	private Path privateDirectory(SampleProcess process) throws IOException {
		Matcher told = Pattern.compile("--sample.directory=(.*zk-lock-sample\\d+)").matcher(process.console());
		assertThat(told.find()).isTrue();
		Path directory = Path.of(told.group(1));
		assertThat(directory).hasParent(this.temporary);
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))).isEqualTo("rwx------");
		return directory;
	}

	private SampleProcess start(String... args) {
		String[] all = Stream
			.concat(Stream.of("--sample.nodes=1", PORT, "--zk-lock.embedded.enabled=false", CONNECT), Stream.of(args))
			.toArray(String[]::new);
		return SampleProcess.start(this.temporary, all);
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

}
