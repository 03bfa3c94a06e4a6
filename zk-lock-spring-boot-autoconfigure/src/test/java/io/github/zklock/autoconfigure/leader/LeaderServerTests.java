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

package io.github.zklock.autoconfigure.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.leader.RecordedRole.Journal;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.LeadershipRevoked.Reason;
import io.github.zklock.leader.internal.ElectedRoles;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Roles on a real server, with faults of the network and of the server.
 */
@Tag("server")
class LeaderServerTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Journal one = new Journal("one", this.lines);

	private final Journal two = new Journal("two", this.lines);

	private final List<ConfigurableApplicationContext> contexts = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.one.stopped.countDown();
		this.two.stopped.countDown();
		this.contexts.forEach(ConfigurableApplicationContext::close);
	}

	// The next leader starts after the first has begun to stop, whatever the time of
	// both.
	@Test
	void cutLeaderStopsBeforeAnotherNodeLeads() {
		try (FaultProxy network = new FaultProxy(server)) {
			start(this.one, network.connectString(), "20s");
			awaitLine("one start");
			start(this.two, server.connectString(), "20s");
			network.blackhole();
			awaitLine("two start");
			assertThat(this.lines).containsExactly("one start", "one stop in time", "two start");
			assertThat(this.one.revoked).singleElement()
				.satisfies((event) -> assertThat(event.reason()).isEqualTo(Reason.LEASE_ENDS));
			assertThat(this.two.tokens.get(0)).isGreaterThan(this.one.tokens.get(0));
			network.heal();
		}
	}

	@Test
	void stopThatOutlivesTheLeaseOfACutLeaderIsCounted() {
		this.one.stopped = new CountDownLatch(1);
		try (FaultProxy network = new FaultProxy(server)) {
			ConfigurableApplicationContext first = start(this.one, network.connectString(), "20s");
			awaitLine("one start");
			start(this.two, server.connectString(), "20s");
			network.blackhole();
			awaitLine("two start");
			await().until(() -> first.getBean(ElectedRoles.class).status().get(0).overruns() == 1);
			assertThat(this.one.revoked.get(0).deadline()).isZero();
			network.heal();
		}
	}

	@Test
	void restartedServerRevokesNothing() {
		server.limitSessionTimeout(Duration.ofSeconds(60));
		ConfigurableApplicationContext first = start(this.one, server.connectString(), "40s");
		awaitLine("one start");
		server.restart();
		// The connection is back when this is granted.
		first.getBean(LockProvider.class)
			.acquire(LockRequest.of("another").withWait(Duration.ofMinutes(2)).withOwner(new Object()))
			.release();
		LeaderRoles roles = first.getBean(LeaderRoles.class);
		roles.current("indexer").orElseThrow().assertLeader();
		assertThat(roles.isLeader("indexer")).isTrue();
		assertThat(this.one.revoked).isEmpty();
	}

	// Long before the session would end.
	@Test
	void roleOfAClosedContextIsFreeAtOnce() {
		server.limitSessionTimeout(Duration.ofMinutes(30));
		ConfigurableApplicationContext first = start(this.one, server.connectString(), "20m");
		awaitLine("one start");
		ConfigurableApplicationContext second = start(this.two, server.connectString(), "20m");
		LeaderRoles roles = second.getBean(LeaderRoles.class);
		assertThat(roles.leader("indexer")).map(LockHolder::application).contains("one");
		assertThat(roles.isLeader("indexer")).isFalse();
		first.close();
		awaitLine("two start");
		assertThat(this.one.revoked).singleElement()
			.satisfies((event) -> assertThat(event.reason()).isEqualTo(Reason.SHUT_DOWN));
	}

	private void awaitLine(String line) {
		await().atMost(Duration.ofMinutes(2)).until(() -> this.lines.contains(line));
	}

	private ConfigurableApplicationContext start(Journal journal, String connectString, String sessionTimeout) {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.initializers((fresh) -> fresh.getBeanFactory().registerSingleton("journal", journal))
			.run("--spring.application.name=" + ((journal == this.one) ? "one" : "two"),
					"--zk-lock.connect-string=" + connectString, "--zk-lock.session-timeout=" + sessionTimeout,
					"--zk-lock.lease.server-tick=" + ZooKeeperServerFixture.TICK.toMillis() + "ms",
					"--zk-lock.try-timeout=30s", "--spring.main.banner-mode=off");
		this.contexts.add(context);
		return context;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(RecordedRole.class)
	@ImportAutoConfiguration({ ZkLockAutoConfiguration.class, ZkLockLeaderAutoConfiguration.class })
	static class Node {

	}

}
