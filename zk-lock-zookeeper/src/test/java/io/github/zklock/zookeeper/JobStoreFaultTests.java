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
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob.Outcome;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job is read and paused while other clients write its node.
 */
@Tag("server")
class JobStoreFaultTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Instant TEN = Instant.parse("2024-10-05T10:00:00Z");

	private static final LockPaths PATHS = new LockPaths("", "/locks", null);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final JobStore.Job job = new JobStore.Job("Jobs.report", false, UUID.randomUUID().toString());

	@Test
	void pauseThatMeetsRunsIsWrittenAgain() throws Exception {
		try (FaultProxy network = new FaultProxy(server);
				LockClient<ZooKeeperLockProvider> operator = connect(network.connectString());
				LockClient<ZooKeeperLockProvider> runner = connect(server.connectString())) {
			run(runner, TEN);
			String path = PATHS.job(LockTick.at(this.job.schedule(), TEN), this.job.key());
			Fault first = network.on(ZooKeeperOperation.SET_DATA, path).holdRequest();
			Thread pausing = new Thread(() -> operator.locks().jobs().pause(this.job, null, WAIT), "pausing");
			pausing.start();
			first.awaitFired();
			Fault second = network.on(ZooKeeperOperation.SET_DATA, path).holdRequest();
			run(runner, TEN.plusSeconds(60));
			first.release();
			second.awaitFired();
			run(runner, TEN.plusSeconds(120));
			second.release();
			pausing.join(WAIT.toMillis());
			JobRecord record = JobRecord.parse(runner.curator().getData().forPath(path));
			assertThat(record.paused()).isNotNull();
			assertThat(record.last().tick()).isEqualTo(TEN.plusSeconds(120).toEpochMilli());
		}
	}

	@Test
	void runThatEndsBetweenTwoReadsIsNotLost() throws Exception {
		try (FaultProxy network = new FaultProxy(server);
				LockClient<ZooKeeperLockProvider> operator = connect(network.connectString());
				LockClient<ZooKeeperLockProvider> runner = connect(server.connectString())) {
			LockHandle run = runner.locks().acquire(request(TEN));
			Fault second = network.on(ZooKeeperOperation.EXISTS, PATHS.directory(this.job.key())).holdRequest();
			CompletableFuture<List<JobStore.State>> read = CompletableFuture
				.supplyAsync(() -> operator.locks().jobs().read(List.of(this.job), WAIT));
			second.awaitFired();
			run.release();
			second.release();
			assertThat(read.get(30, TimeUnit.SECONDS).get(0).runs()).singleElement()
				.satisfies((ended) -> assertThat(ended.outcome()).isEqualTo(Outcome.DONE));
		}
	}

	private static LockClient<ZooKeeperLockProvider> connect(String connectString) {
		return LockClient.connect(connectString, WAIT, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	private void run(LockClient<ZooKeeperLockProvider> runner, Instant time) {
		runner.locks().acquire(request(time)).release();
	}

	private LockRequest request(Instant time) {
		return LockRequest.of(this.job.key()).withWait(WAIT).withTick(LockTick.at(this.job.schedule(), time));
	}

}
