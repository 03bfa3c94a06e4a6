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

package io.github.zklock.test;

import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AutoConfigureZkLock} beside {@code @SpringBootTest}, and for what one
 * test leaves to the next.
 */
@SpringBootTest
@AutoConfigureZkLock
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DirtiesContext
class AutoConfigureZkLockTests {

	private static LockHandle leftByTheApplication;

	@Autowired
	LockTesting locks;

	@Autowired
	LockOperations operations;

	@Autowired
	Leader leader;

	@Test
	@Order(1)
	void locksOfTheApplicationAreInMemory(@Autowired ApplicationContext context) {
		assertThat(context.getBean(LockProvider.class)).isInstanceOf(InMemoryLockProvider.class);
		assertThat(context.getBeanProvider(CuratorFramework.class)).isEmpty();
		this.locks.assertHeld("leader");
	}

	@Test
	@Order(2)
	void testLeavesAlmostEverything() {
		this.locks.hold("held");
		this.locks.another("other")
			.execute(LockRequest.of("kept").withLockAtLeastFor(Duration.ofDays(1)), (handle) -> "done");
		leftByTheApplication = this.operations.acquire(List.of(LockRequest.of("left")));
		this.locks.advance(Duration.ofDays(1));
		this.locks.interruptConnection();
		assertThat(this.leader.handle.state()).isEqualTo(LockState.UNCERTAIN);
	}

	@Test
	@Order(3)
	void nextTestFindsNothingOfIt() {
		this.locks.assertFree("held");
		this.locks.assertFree("kept");
		this.locks.assertFree("left");
		assertThat(leftByTheApplication.state()).isEqualTo(LockState.LOST);
		assertThat(this.locks.now()).hasToString("2100-01-01T00:00:00Z");
		this.operations.execute(LockRequest.of("left"), (handle) -> "the same thread is not told of the loss");
	}

	@Test
	@Order(4)
	void whatWasHeldBeforeTheTestsIsHeldStill() {
		assertThat(this.leader.handle.state()).isEqualTo(LockState.HELD);
		this.locks.assertHeld("leader");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(ShopApplication.class)
	static class Application {

		@Bean
		Leader leader(LockOperations operations) {
			return new Leader(operations.acquire(List.of(LockRequest.of("leader").withOwner("leader"))));
		}

	}

	record Leader(LockHandle handle) {
	}

}
