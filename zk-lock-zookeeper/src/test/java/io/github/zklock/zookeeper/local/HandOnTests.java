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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that is handed on within the process, in a session without a lease: only the
 * connection says whether its node is there.
 */
class HandOnTests {

	private final LincheckScene scene = new LincheckScene(Duration.ofSeconds(30));

	private final LockAttempt first = this.scene.enter(LincheckScene.REQUEST);

	private final LockAttempt next = this.scene.enter(LincheckScene.REQUEST);

	private final ZooKeeperLockHandle holder = this.scene.grant(this.first);

	@Test
	void lockIsHandedOnWhileTheClientIsConnected() {
		assertThat(this.scene.session().lease().isPossible()).isFalse();
		this.holder.releaseAsync();
		assertThat(this.next.verdict()).isCompleted();
	}

	@Test
	void lockIsNotHandedOnWithoutAConnection() {
		this.scene.disconnect();
		this.holder.releaseAsync();
		assertThat(this.next.verdict()).isNotDone();
	}

}
