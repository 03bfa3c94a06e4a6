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

package io.github.zklock.benchmarks.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One repetition with each library at once, in which a node is killed: nothing is
 * measured.
 */
@Tag("server")
@Timeout(180)
class JobSmokeTests {

	@Test
	void everyLibraryRunsTheItemOfAKilledNodeAgain() {
		List<CompletableFuture<Void>> all = Stream.of(JobPeer.ELASTIC_JOB, JobPeer.ZK_LOCK)
			.map((peer) -> CompletableFuture.runAsync(() -> killOnce(peer)))
			.toList();
		all.forEach(CompletableFuture::join);
	}

	private static void killOnce(JobPeer peer) {
		try (JobCluster cluster = new JobCluster(peer, Duration.ofSeconds(5), Duration.ofSeconds(3))) {
			ItemRun run = cluster.awaitRun(0, System.nanoTime());
			cluster.node(run).close();
			ItemRun again = cluster.awaitRun(0, System.nanoTime());
			assertThat(again.pid()).isNotEqualTo(run.pid());
			cluster.awaitRun(1, Long.MIN_VALUE);
			cluster.awaitRun(2, Long.MIN_VALUE);
		}
	}

}
