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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperEnsemble;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The holder's own connection works all the time, and its server answers, but that server
 * is cut off from the others. They end the session and give the lock to the next, while
 * the server of the holder knows nothing of it.
 */
class CutOffServerTests {

	private static final Logger logger = LoggerFactory.getLogger(CutOffServerTests.class);

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	private static final Duration WAIT = Duration.ofSeconds(60);

	private static int keys;

	@RegisterExtension
	static final ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();

	@RepeatedTest(1)
	void lossIsToldBeforeTheNextHolderComesWhenAFollowerIsCutOff() throws Exception {
		int leader = ensemble.leader();
		int follower = ensemble.another(leader);
		assertThatLossIsToldInTime(follower, leader, () -> ensemble.cutOffFollower(follower));
	}

	@RepeatedTest(1)
	void lossIsToldBeforeTheNextHolderComesWhenTheLeaderIsCutOff() throws Exception {
		int leader = ensemble.leader();
		assertThatLossIsToldInTime(leader, ensemble.another(leader), () -> ensemble.cutOffLeader(leader));
	}

	private static void assertThatLossIsToldInTime(int server, int other, Runnable cut) throws Exception {
		LockRequest request = LockRequest.of("cut-off-" + keys++).withWait(WAIT);
		try (LockClient<ZooKeeperLockProvider> victim = connect(server);
				LockClient<ZooKeeperLockProvider> rival = connect(other)) {
			LockHandle holder = victim.locks().acquire(request);
			CompletableFuture<Long> told = new CompletableFuture<>();
			holder.onLost((lost) -> told.complete(System.nanoTime()));
			awaitHeartbeats(victim);
			assertThat(holder.state()).isEqualTo(LockState.HELD);
			long start = System.nanoTime();
			cut.run();
			LockHandle next = rival.locks().acquire(request);
			long granted = System.nanoTime();
			assertThat(granted - start).as("the server that was cut off served its clients so far")
				.isLessThan(ensemble.patience().toNanos());
			assertThat(told).as("the loss was told").isDone();
			long lead = granted - told.get();
			assertThat(lead).isPositive();
			logger.info("Loss was told {} ms after the cut and {} ms before the next holder came",
					TimeUnit.NANOSECONDS.toMillis(told.get() - start), TimeUnit.NANOSECONDS.toMillis(lead));
			assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
			next.release();
		}
		finally {
			ensemble.heal();
		}
	}

	private static void awaitHeartbeats(LockClient<ZooKeeperLockProvider> client) {
		String node = "/locks/~sessions/" + Long.toHexString(client.sessionId());
		Awaitility.await().atMost(WAIT).ignoreExceptions().until(() -> {
			var stat = client.curator().checkExists().forPath(node);
			return stat != null && stat.getVersion() > 1;
		});
	}

	private static LockClient<ZooKeeperLockProvider> connect(int server) {
		return LockClient.connect(ensemble.connectString(server), SESSION_TIMEOUT,
				(curator) -> ZooKeeperLockProvider.builder(curator).serverTick(ensemble.tick()).build());
	}

}
