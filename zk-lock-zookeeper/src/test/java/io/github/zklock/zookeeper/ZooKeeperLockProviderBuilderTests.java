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
import java.util.function.Consumer;

import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * A value that cannot work is refused when it is given, not by the first lock.
 */
class ZooKeeperLockProviderBuilderTests {

	private final ZooKeeperLockProviderBuilder builder = ZooKeeperLockProvider
		.builder(CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1)));

	@ParameterizedTest
	@ValueSource(longs = { 0, -1 })
	void timeThatIsNotGreaterThanZeroIsRefused(long millis) {
		Duration time = Duration.ofMillis(millis);
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.tryTimeout(time))
			.withMessage("tryTimeout %s is not greater than zero: give a bound like Duration.ofMillis(500)", time);
		assertThatIllegalArgumentException().isThrownBy(() -> this.builder.serverTick(time))
			.withMessage("serverTick %s is not greater than zero: give the tickTime of the servers, "
					+ "like Duration.ofSeconds(2)", time);
	}

	@ParameterizedTest
	@MethodSource
	void nullIsRefused(Consumer<ZooKeeperLockProviderBuilder> setter) {
		assertThatNullPointerException().isThrownBy(() -> setter.accept(this.builder))
			.withMessageMatching("[a-zA-Z]+ must not be null");
	}

	static Named<?>[] nullIsRefused() {
		return new Named<?>[] { setter("root", (builder) -> builder.root(null)),
				setter("aclProvider", (builder) -> builder.aclProvider(null)),
				setter("application", (builder) -> builder.application(null)),
				setter("instance", (builder) -> builder.instance(null)),
				setter("tryTimeout", (builder) -> builder.tryTimeout(null)),
				setter("serverTick", (builder) -> builder.serverTick(null)),
				setter("fairness", (builder) -> builder.fairness(null)) };
	}

	@Test
	void clientThatIsNullIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> ZooKeeperLockProvider.builder(null))
			.withMessage("client must not be null");
	}

	private static Named<Consumer<ZooKeeperLockProviderBuilder>> setter(String name,
			Consumer<ZooKeeperLockProviderBuilder> setter) {
		return Named.of(name, setter);
	}

}
