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

package io.github.zklock.autoconfigure

import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger

import io.github.zklock.annotation.DistributedLock
import io.github.zklock.test.memory.InMemoryLockProvider
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility
import org.junit.jupiter.api.Test
import org.springframework.scheduling.annotation.Scheduled

/**
 * Scheduled functions that suspend, on two nodes.
 */
internal class SuspendingTickTests {

	private val shared = InMemoryLockProvider()

	private val first = TickNode(this.shared)

	private val second = TickNode(this.shared)

	@Test
	fun eachTickRunsOnOneNode() {
		this.first.application(SuspendingJob::class.java).run { one ->
			this.second.application(SuspendingJob::class.java).run { other ->
				for (tick in 1..3) {
					this.first.advance(Duration.ofSeconds(10))
					Awaitility.await().until { one.getBean(SuspendingJob::class.java).runs() == tick }
					this.second.advance(Duration.ofSeconds(10))
					Awaitility.await().until { this.second.requests().size == tick }
				}
				assertThat(other.getBean(SuspendingJob::class.java).runs()).isZero()
				assertThat(this.first.requests()).allMatch { request -> request.tick() != null }
			}
		}
	}

	internal open class SuspendingJob {

		private val runs = AtomicInteger()

		open fun runs(): Int = this.runs.get()

		@Scheduled(cron = TickBeans.EVERY_TEN_SECONDS, zone = "UTC")
		@DistributedLock("report")
		open suspend fun report() {
			yield()
			this.runs.incrementAndGet()
		}

	}

}
