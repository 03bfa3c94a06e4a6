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

package io.github.zklock.libraries;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.FencingToken;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The retry of Spring Framework 7 is outside the lock.
 */
@Tag("server")
class RetryTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void eachAttemptHasALockOfItsOwn() {
		try (Node node = Node.start(Application.class, server.connectString(),
				"jdbc:h2:mem:retries;DB_CLOSE_DELAY=-1")) {
			node.bean(Transfer.class).send(0);
			assertThat(node.bean(Transfer.class).tokens()).hasSize(2).doesNotHaveDuplicates();
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableResilientMethods
	@Import(Transfer.class)
	static class Application {

	}

	static class Transfer {

		private final List<Long> tokens = new CopyOnWriteArrayList<>();

		List<Long> tokens() {
			return this.tokens;
		}

		@Retryable(delay = 1)
		@DistributedLock(key = "transfer")
		void send(@FencingToken long token) {
			this.tokens.add(token);
			if (this.tokens.size() == 1) {
				throw new IllegalStateException("The first attempt fails");
			}
		}

	}

}
