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

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ServerProcess;
import io.github.zklock.support.Waited;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The only server cannot write any more: it ends, and what its clients see then is what
 * they see without a server.
 */
@Tag("server")
class FullDiskTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration SHORT = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofSeconds(60);

	@RegisterExtension
	static final ServerProcess server = new ServerProcess();

	@BeforeEach
	void findCommand() {
		assumeThat(Path.of("/usr/bin/prlimit")).as("the command that limits what the server may write").isExecutable();
	}

	@Test
	void waitIsBoundedAndLossIsToldUntilThereIsRoomAgain() throws Exception {
		try (LockClient<ZooKeeperLockProvider> client = connect();
				LockClient<ZooKeeperLockProvider> rival = connect()) {
			LockHandle holder = client.locks().acquire(LockRequest.of("held").withWait(LONG));
			CompletableFuture<LockHandle> told = new CompletableFuture<>();
			holder.onLost(told::complete);
			CompletableFuture<LockHandle> waiting = rival.locks()
				.acquireAsync(LockRequest.of("held").withWait(LONG.multipliedBy(2)));
			server.fillDisk();
			Waited.atLeast(SHORT, () -> assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> client.locks().acquire(LockRequest.of("other").withWait(SHORT))));
			assertThat(told.get(LONG.toSeconds(), TimeUnit.SECONDS)).isSameAs(holder);
			assertThat(holder.state()).isEqualTo(LockState.LOST);
			holder.release();
			assertThat(waiting).isNotDone();
			Awaitility.await().until(() -> !server.isAlive());
			// Its last lines may be read after its end.
			Awaitility.await()
				.until(() -> server.output().stream().anyMatch((line) -> line.contains("unrecoverable error")));
			server.start();
			LockHandle next = waiting.get(LONG.toSeconds(), TimeUnit.SECONDS);
			assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
			next.release();
			client.locks().acquire(LockRequest.of("held").withWait(LONG)).release();
		}
	}

	private static LockClient<ZooKeeperLockProvider> connect() {
		return LockClient.connect(server.connectString(), SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(ServerProcess.TICK).build());
	}

}
