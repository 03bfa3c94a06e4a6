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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.FaultProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for two applications and one ZooKeeper container.
 */
@Tag("server")
@ExtendWith(DockerCondition.class)
@Testcontainers
class SampleContainerTests {

	private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	/**
	 * The server looks for expired sessions once per tick of two seconds, and a slow
	 * machine needs its time. Without the property it would take 20 seconds.
	 */
	private static final Duration TAKE_OVER = SESSION_TIMEOUT.plusSeconds(10);

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final int TICKS = 20;

	@Container
	private static final GenericContainer<?> zooKeeper = new GenericContainer<>("zookeeper:3.9.5")
		.withExposedPorts(2181);

	private final String database = "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Test
	void everyTickRunsOnOneOfTwoNodes() {
		try (SampleNodes first = start(address()); SampleNodes second = start(address())) {
			int before = first.reports().size();
			Awaitility.await().atMost(PATIENCE).until(() -> first.reports().size() >= before + TICKS);
			assertThat(first.reports().values()).containsOnly(1);
		}
	}

	@Test
	void whenANodeIsCutOffTheOtherGoesOnSoonAfterTheSessionTimeout() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		try (FaultProxy network = new FaultProxy(zooKeeper.getHost(), zooKeeper.getMappedPort(2181));
				SampleNodes victim = start(network.connectString());
				SampleNodes heir = start(address())) {
			BlockingQueue<LockHandle> handle = new ArrayBlockingQueue<>(1);
			Future<Boolean> cutOff = CompletableFuture
				.supplyAsync(() -> locks(victim).execute(LockRequest.of("job"), (lock) -> {
					handle.add(lock);
					return await(end);
				}));
			LockHandle lockOfVictim = handle.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			int reports = heir.reportsOf(heir.name(0));
			network.blackhole();
			long begin = System.nanoTime();
			LockRequest patient = LockRequest.of("job").withWait(PATIENCE);
			long tokenOfHeir = locks(heir).execute(patient, LockHandle::fencingToken);
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TAKE_OVER);
			assertThat(tokenOfHeir).isGreaterThan(lockOfVictim.fencingToken());
			Awaitility.await().atMost(PATIENCE).until(() -> heir.reportsOf(heir.name(0)) >= reports + 3);
			assertThat(heir.reports().values()).containsOnly(1);
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThat(lockOfVictim.state()).isEqualTo(LockState.LOST));
			end.countDown();
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> cutOff.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
				.withCauseInstanceOf(LockLostException.class);
		}
		finally {
			end.countDown();
		}
	}

	private static LockOperations locks(SampleNodes nodes) {
		return nodes.node(0).getBean(LockOperations.class);
	}

	private static boolean await(CountDownLatch latch) {
		try {
			return latch.await(10, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private SampleNodes start(String connectString, String... args) {
		List<String> all = new ArrayList<>(List.of(args));
		all.addAll(List.of("--sample.nodes=1", "--zk-lock.embedded.enabled=false",
				"--zk-lock.connect-string=" + connectString,
				"--zk-lock.session-timeout=" + SESSION_TIMEOUT.toSeconds() + "s", this.database));
		return SampleNodes.start(all.toArray(String[]::new));
	}

	private static String address() {
		return zooKeeper.getHost() + ":" + zooKeeper.getMappedPort(2181);
	}

}
