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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shards of a tick in real processes, one of which is killed in the middle.
 */
@Tag("server")
class ShardProcessesTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final List<JavaProcess> nodes = new ArrayList<>();

	@AfterEach
	void killAll() {
		this.nodes.forEach(JavaProcess::close);
	}

	@Test
	void shardWhoseNodeIsKilledInTheMiddleRunsAgainAndTheOthersRunOnce() {
		String root = "/" + UUID.randomUUID();
		IntStream.range(0, 3)
			.forEach((node) -> this.nodes.add(JavaProcess.of(ShardProcess.class.getName())
				.readsInput()
				.start("--zk-lock.connect-string=" + server.connectString(), "--zk-lock.root=" + root,
						"--zk-lock.session-timeout=20s", "--zk-lock.lease.server-tick=200ms",
						"--zk-lock.try-timeout=5s", "--app.cron=*/30 * * * * *", "--spring.main.banner-mode=off")));
		this.nodes.forEach((node) -> node.awaitLine("ready"));
		String ready = Instant.now().toString();
		this.nodes.forEach((node) -> node.write(ready));
		await(() -> !output("hangs ").isEmpty());
		String tick = output("hangs ").get(0).substring("hangs ".length());
		JavaProcess runner = this.nodes.stream()
			.filter((node) -> node.output().contains("hangs " + tick))
			.findFirst()
			.orElseThrow();
		await(() -> ended(tick).size() == ShardProcess.SHARDS - 1);
		runner.close();
		await(() -> ended(tick).size() == ShardProcess.SHARDS);
		assertThat(output("began ")).filteredOn((line) -> line.contains(tick))
			.containsExactlyInAnyOrder("began 0 " + tick + " 1", "began 1 " + tick + " 1", "began 2 " + tick + " 1",
					"began 2 " + tick + " 2", "began 3 " + tick + " 1", "began 4 " + tick + " 1",
					"began 5 " + tick + " 1");
		assertThat(runner.output()).doesNotContain("ended 2 " + tick + " 1");
	}

	private List<String> ended(String tick) {
		return output("ended ").stream().filter((line) -> line.contains(tick)).toList();
	}

	private List<String> output(String begin) {
		return this.nodes.stream()
			.flatMap((node) -> node.output().stream())
			.filter((line) -> line.startsWith(begin))
			.toList();
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(PATIENCE).until(condition);
	}

}
