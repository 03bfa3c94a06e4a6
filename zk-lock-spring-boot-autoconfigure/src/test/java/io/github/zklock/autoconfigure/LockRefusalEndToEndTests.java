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

import java.util.Optional;
import java.util.concurrent.Callable;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.UnavailablePolicy;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls that get no lock, since another node holds it or since the server cannot be
 * reached.
 */
@Tag("server")
class LockRefusalEndToEndTests {

	@RegisterExtension
	private static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static FaultProxy network;

	private static ConfigurableApplicationContext application;

	private static ConfigurableApplicationContext other;

	private final Orders orders = application.getBean(Orders.class);

	private @Nullable LockHandle held;

	@BeforeAll
	static void start() {
		network = new FaultProxy(server);
		application = node(network.connectString());
		other = node("127.0.0.1:" + server.port());
	}

	@AfterAll
	static void stop() {
		application.close();
		other.close();
		network.close();
	}

	@BeforeEach
	void holdByTheOtherNode() {
		Awaitility.await()
			.ignoreExceptions()
			.untilAsserted(() -> application.getBean(LockProvider.class).acquire(LockRequest.of("probe")).release());
		this.held = other.getBean(LockProvider.class).acquire(LockRequest.of("taken"));
	}

	@AfterEach
	void release() {
		this.held.release();
		network.heal();
	}

	@Test
	void contentionIsAnsweredAsTheMethodSays() throws Exception {
		assertThat(this.orders.place("taken")).isEqualTo("instead of taken: LockNotAcquiredException");
		assertThat(this.orders.place("free")).isEqualTo("placed free");
		assertThat(this.orders.find("taken")).isEmpty();
		assertThat(this.orders.find("free")).contains("free");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.silent("taken"));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.lenient("taken"));
	}

	@Test
	void outageIsAnsweredAsTheMethodSays() throws Exception {
		assertThat(this.orders.lenient("before")).contains("before");
		network.refuse();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.place("free"));
		assertThat(this.orders.lenient("free")).isEmpty();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.find("free"));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.silent("free"));
	}

	@Test
	void outageThatComesOutOfTheMethodIsNotAnswered() throws Exception {
		assertThat(this.orders.nesting("outer", () -> "inner")).contains("inner");
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.orders.nesting("outer", () -> {
			network.refuse();
			return this.orders.silent("inner");
		})).satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("inner"));
	}

	private static ConfigurableApplicationContext node(String connectString) {
		return new SpringApplicationBuilder(NodeConfiguration.class).web(WebApplicationType.NONE)
			.properties("zk-lock.connect-string=" + connectString, "spring.main.banner-mode=off",
					"zk-lock.default-wait=0",
					// For a machine that stalls: who finds the lock free waits no longer
					// than it has to.
					"zk-lock.try-timeout=30s")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Orders.class)
	static class NodeConfiguration {

	}

	static class Orders {

		@DistributedLock(key = "#id", fallbackMethod = "instead")
		String place(String id) {
			return "placed " + id;
		}

		private String instead(String id, LockException refusal) {
			return "instead of " + id + ": " + refusal.getClass().getSimpleName();
		}

		@DistributedLock(key = "#id", onNotAcquired = NotAcquiredPolicy.SKIP)
		Optional<String> find(String id) {
			return Optional.of(id);
		}

		@DistributedLock(key = "#id", onNotAcquired = NotAcquiredPolicy.THROW, onUnavailable = UnavailablePolicy.SKIP)
		Optional<String> lenient(String id) {
			return Optional.of(id);
		}

		@DistributedLock("#id")
		String silent(String id) {
			return id;
		}

		@DistributedLock(key = "#id", onUnavailable = UnavailablePolicy.SKIP)
		Optional<String> nesting(String id, Callable<String> body) throws Exception {
			return Optional.of(body.call());
		}

	}

}
