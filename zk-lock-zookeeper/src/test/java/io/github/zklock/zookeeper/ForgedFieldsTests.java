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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.HostileClient;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.node.LockPaths;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each field of the record of a job, forged by a client that may write it: what it does
 * to the next tick, and to the tick that has run. The threat model has the same table.
 */
@Tag("server")
class ForgedFieldsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	// All ticks are due, so that no forged time is ahead unless it is meant to be.
	private static final Instant RAN = Instant.now().minusSeconds(600).truncatedTo(ChronoUnit.SECONDS);

	private static final Instant NEXT = RAN.plusSeconds(10);

	private static final Instant LATER = RAN.plusSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> client = connect();

	@AutoClose
	private final LockClient<ZooKeeperLockProvider> rival = connect();

	@AutoClose
	private final HostileClient stranger = HostileClient.connect(server.connectString());

	private final String key = "fields:" + UUID.randomUUID();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			job=other.Job                                  | runs    | refused
			job=                                           | runs    | refused
			key=other                                      | runs    | refused
			paused=<now> Mallory                           | refused | refused
			paused=<far> Mallory                           | refused | refused
			paused=for ever                                | runs    | runs
			recorded=<far>                                 | runs    | refused
			recorded=<epoch>                               | runs    | refused
			recorded=never                                 | runs    | runs
			tick=<later>                                   | refused | refused
			tick=<far>                                     | runs    | runs
			tick=<epoch>                                   | runs    | runs
			tick=hand                                      | runs    | runs
			tick=-1                                        | runs    | runs
			call=9f                                        | runs    | refused
			call=Mallory                                   | runs    | runs
			attempt=999                                    | runs    | refused
			attempt=1000                                   | runs    | runs
			lock=z9f-1-lock-0000000001                     | runs    | refused
			lock=../other                                  | runs    | runs
			process=9f                                     | runs    | refused
			process=Mallory                                | runs    | runs
			began=<far>                                    | runs    | refused
			began=<epoch>                                  | runs    | refused
			ended=<far>                                    | runs    | refused
			ended=<epoch>                                  | runs    | refused
			ended=soon                                     | runs    | runs
			outcome=failed                                 | runs    | refused
			outcome=unused                                 | runs    | refused
			outcome=interrupted                            | runs    | refused
			outcome=stolen                                 | runs    | runs
			instance=Mallory                               | runs    | refused
			host=Mallory                                   | runs    | refused
			run=<later> <now> <now> <now> done 1 x         | refused | refused
			run=<far> <far> <far> <far> done 1 x           | runs    | refused
			run=<epoch> <epoch> <epoch> - - 1 -            | runs    | refused
			run=x                                          | runs    | runs
			pause=<epoch> <far>                            | runs    | refused
			pause=x                                        | runs    | runs
			other=x                                        | runs    | refused
			""")
	void forgedFieldDoesNoOtherHarmThanTheDocumentationNames(String line, String next, String again) throws Exception {
		LockHandle beside = this.client.locks().acquire(LockRequest.of(this.key + ":beside").withWait(PATIENCE));
		assertThat(run(this.client, RAN)).isEqualTo("runs");
		String honest = record();
		write(forged(honest, line));
		assertThat(run(this.rival, RAN)).as("the tick that has run").isEqualTo(again);
		write(forged(honest, line));
		assertThat(run(this.client, NEXT)).as("the next tick").isEqualTo(next);
		if (!line.startsWith("paused")) {
			assertThat(run(this.rival, LATER.plusSeconds(1))).as("a later tick").isEqualTo("runs");
			assertThat(JobRecord.parse(record().getBytes(StandardCharsets.UTF_8))).isNotNull();
		}
		assertThat(beside.isHeld()).isTrue();
		beside.release();
	}

	// A line that is there once in an honest record takes the place of the honest one.
	private static String forged(String honest, String line) {
		String text = line.replace("<now>", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString())
			.replace("<later>", LATER.toString())
			.replace("<far>", "9999-01-01T00:00:00Z")
			.replace("<epoch>", Instant.EPOCH.toString());
		String name = text.substring(0, text.indexOf('=') + 1);
		String others = honest.lines()
			.filter((each) -> !each.startsWith(name))
			.reduce("", (all, each) -> all + each + "\n");
		return others + text + "\n";
	}

	private String run(LockClient<ZooKeeperLockProvider> client, Instant time) {
		LockRequest request = LockRequest.of(this.key).withWait(PATIENCE).withTick(LockTick.at("Jobs.report", time));
		try {
			client.locks().acquire(request).release();
			return "runs";
		}
		catch (LockNotAcquiredException ex) {
			return "refused";
		}
	}

	private String record() throws Exception {
		return new String(this.stranger.zooKeeper().getData(job(), false, null), StandardCharsets.UTF_8);
	}

	private void write(String record) throws Exception {
		this.stranger.zooKeeper().setData(job(), record.getBytes(StandardCharsets.UTF_8), -1);
	}

	private String job() {
		return new LockPaths("", "/locks", null).job(LockTick.at("Jobs.report", Instant.EPOCH), this.key);
	}

	private static LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

}
