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

package io.github.zklock.zookeeper.local;

import java.time.Duration;

import io.github.zklock.core.LockHandle;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.FaultScenario;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A contender whose node is gone each time that it looks.
 */
@Tag("server")
class VanishedNodeTests {

	private static final int TIMES = 10;

	private static final Duration PAUSE = Duration.ofMillis(50);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultScenario scenario = FaultScenario.ours(server, FaultScenario.SESSION_TIMEOUT);

	@Test
	void pausesBeforeItCreatesAnotherNodeOnceMore() {
		for (int i = 0; i < TIMES; i++) {
			this.scenario.network().on(ZooKeeperOperation.GET_CHILDREN, this.scenario.directory()).answer(Code.NONODE);
		}
		long begin = System.nanoTime();
		LockHandle handle = this.scenario.victim().locks().acquire(this.scenario.request(Duration.ofSeconds(60)));
		assertThat(this.scenario.network().pending()).isEmpty();
		assertThat(System.nanoTime() - begin).as("the first of them is replaced at once")
			.isGreaterThanOrEqualTo(PAUSE.multipliedBy(TIMES - 1).toNanos());
		handle.release();
		this.scenario.assertNothingLeft();
	}

}
