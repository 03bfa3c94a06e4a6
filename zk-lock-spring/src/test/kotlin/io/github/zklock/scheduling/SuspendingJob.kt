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

package io.github.zklock.scheduling

import java.util.concurrent.atomic.AtomicInteger

import io.github.zklock.annotation.DistributedLock
import kotlinx.coroutines.yield
import org.springframework.scheduling.annotation.Scheduled

/**
 * A scheduled function that suspends, for the tests of ticks in the module above.
 */
open class SuspendingJob {

	private val runs = AtomicInteger()

	open fun runs(): Int = this.runs.get()

	@Scheduled(cron = "0/10 * * * * *", zone = "UTC")
	@DistributedLock("report")
	open suspend fun report() {
		yield()
		this.runs.incrementAndGet()
	}

}
