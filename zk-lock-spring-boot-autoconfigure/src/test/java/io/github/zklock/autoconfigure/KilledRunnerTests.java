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
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The process that runs a job is killed.
 */
@Tag("server")
class KilledRunnerTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void tickWhoseProcessIsKilledInTheMiddleRunsOnceMoreInAnotherProcess() {
		// Soon, and again if all processes come too late for that.
		String cron = ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(12).getSecond() % 30 + "/30 * * * * *";
		String[] arguments = { "--zk-lock.connect-string=" + server.connectString(),
				"--zk-lock.root=/" + UUID.randomUUID(), "--zk-lock.session-timeout=4s", "--app.cron=" + cron,
				"--spring.main.banner-mode=off" };
		List<JavaProcess> processes = new ArrayList<>();
		try {
			IntStream.range(0, 3)
				.forEach((node) -> processes
					.add(JavaProcess.start(RecoveryProcess.class.getName(), List.of(), arguments)));
			JavaProcess victim = await(processes, "hangs");
			String began = began(victim);
			victim.close();
			processes.remove(victim);
			JavaProcess second = await(processes, began.replace(" 1", " 2"));
			assertThat(began(second)).isEqualTo(began.replace(" 1", " 2"));
		}
		finally {
			processes.forEach(JavaProcess::close);
		}
	}

	private static JavaProcess await(List<JavaProcess> processes, String line) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(150))
			.until(() -> processes.stream().filter((each) -> each.output().contains(line)).findFirst().orElse(null),
					Objects::nonNull);
	}

	private static String began(JavaProcess process) {
		return process.output().stream().filter((line) -> line.startsWith("began ")).findFirst().orElseThrow();
	}

}
