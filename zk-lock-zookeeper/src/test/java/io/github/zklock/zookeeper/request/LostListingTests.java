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

package io.github.zklock.zookeeper.request;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.zklock.zookeeper.tasks.EngineThreads;
import io.github.zklock.zookeeper.tasks.RetryingTasks;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The reply to a listing reaches its request even if it cannot be noted that it was lost.
 */
class LostListingTests {

	private final RetryingTasks tasks = new RetryingTasks(new EngineThreads(
			(purpose) -> EngineThreads.daemons("lost-listing-" + purpose + "-"), EngineThreads.CALLBACK_THREADS));

	@AfterEach
	void stop() {
		this.tasks.stop();
	}

	@Test
	void replyIsDeliveredAlthoughTheCutCannotBeNoted() throws Exception {
		Replies replies = new Replies(this.tasks, new CutListings(() -> {
			throw new LinkageError("injected");
		}));
		CompletableFuture<Integer> code = new CompletableFuture<>();
		replies.children((rc, path, context, children) -> code.complete(rc))
			.processResult(Code.CONNECTIONLOSS.intValue(), "/locks/a", null, null);
		assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(Code.CONNECTIONLOSS.intValue());
	}

}
