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

package io.github.zklock.autoconfigure.endpoint;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.endpoint.ZkLockEndpoint;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many readers of the endpoint {@code zklocks} at once, each of which occupies a thread
 * of the web server while it waits for ZooKeeper.
 */
@Tag("server")
class ZkLockEndpointLoadTests {

	private static final AutoConfigurations LOCKS = AutoConfigurations.of(ZkLockAutoConfiguration.class,
			ZkLockAopAutoConfiguration.class, ZkLockEndpointAutoConfiguration.class);

	// One is answered, and four wait for it.
	private static final int MOST = 5;

	private static final int READERS = 20;

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TempDir
	Path directory;

	@Test
	void readersBeyondAFewAreRefusedAtOnce() {
		ExecutorService threads = Executors.newCachedThreadPool();
		try (FaultProxy network = new FaultProxy(server)) {
			EndpointOverHttp.application(LOCKS)
				.withUserConfiguration(PatientEndpoint.class)
				.withPropertyValues("zk-lock.connect-string=" + network.connectString(), "zk-lock.try-timeout=30s",
						"zk-lock.session-timeout=2m", "management.endpoints.web.exposure.include=zklocks")
				.run((context) -> EndpointOverHttp.exchange(context, this.directory, "zklocks", (http) -> {
					context.getBean(LockProvider.class).acquire(LockRequest.of("asked")).release();
					Fault held = network.on(ZooKeeperOperation.EXISTS, "/locks/asked").holdReply();
					List<CompletableFuture<String>> answers = new ArrayList<>();
					for (int i = 0; i < READERS; i++) {
						answers.add(CompletableFuture.supplyAsync(() -> ask(http), threads));
					}
					held.awaitFired();
					Awaitility.await()
						.until(() -> answers.stream().filter(CompletableFuture::isDone).count() == READERS - MOST);
					assertThat(answers.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
						.allSatisfy((answer) -> assertThat(answer).startsWith("503 ")
							.contains("ZooKeeper was not asked: 4 inspections wait already"));
					assertThat(http.get("")).as("what needs no answer of ZooKeeper").contains("\"heldLocks\":0");
					held.release();
					assertThat(answers.stream()
						.map(CompletableFuture::join)
						.filter((answer) -> !answer.startsWith("503 "))).hasSize(MOST)
						.allSatisfy((answer) -> assertThat(answer).contains("\"contenders\":0"));
				}));
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static String ask(EndpointOverHttp.Http http) {
		try {
			return http.get("?key=asked");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class PatientEndpoint {

		@Bean
		ZkLockEndpoint endpoint(LockProvider locks) {
			return new ZkLockEndpoint(Map.of("locks", locks), List::of, List::of, Duration.ofMinutes(1), null);
		}

	}

}
