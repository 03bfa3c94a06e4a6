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

package io.github.zklock.docs

import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

import io.github.zklock.annotation.DistributedLock
import io.github.zklock.annotation.FencingToken
import io.github.zklock.test.AutoConfigureZkLock
import io.github.zklock.test.LockTesting
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.stereotype.Service

/**
 * Runs the Kotlin code of `docs/annotation.md`. Here `open` stands for what `plugin.spring` does.
 */
@SpringBootTest(classes = [KotlinPageTests.Application::class, KotlinPageTests.Shipping::class],
		properties = ["app.region=eu"])
@AutoConfigureZkLock
internal class KotlinPageTests(@Autowired private val shipping: Shipping, @Autowired private val store: Store,
		@Autowired private val locks: LockTesting) {

	@Test
	fun suspendingFunctionHoldsTheLockUntilItIsDone() {
		runBlocking(Dispatchers.Default) {
			(1..5).map { async { shipping.ship(42) } }.awaitAll()
		}
		assertThat(this.store.mostAtOnce).isEqualTo(1)
		assertThat(this.store.tokens).hasSize(5).doesNotHaveDuplicates().doesNotContain(0).isSorted()
		this.locks.assertFree("eu:order:42")
	}

	@Test
	fun codeOfThePageIsThisCode() {
		val source = Files.readString(Path.of("src/test/kotlin/io/github/zklock/docs/KotlinPageTests.kt"))
		val snippets = Regex("(?ms)^```kotlin\\n(.*?)^```$")
			.findAll(Files.readString(Path.of("../docs/annotation.md")))
			.map { it.groupValues[1] }
			.toList()
		assertThat(snippets).isNotEmpty().allSatisfy { assertThat(plain(source)).contains(plain(it)) }
	}

	private fun plain(code: String): String = code.lines()
		.map { it.trim().replace("open ", "") }
		.filter { it.isNotEmpty() }
		.joinToString("\n")

	@Configuration(proxyBeanMethods = false)
	internal open class Application {

		@Bean
		open fun store(locks: LockTesting): Store = Store(locks)

	}

	internal class Store(private val locks: LockTesting) {

		private val inside = AtomicInteger()

		val tokens = mutableListOf<Long>()

		var mostAtOnce = 0

		suspend fun write(id: Long, token: Long) {
			this.mostAtOnce = maxOf(this.mostAtOnce, this.inside.incrementAndGet())
			delay(2)
			this.locks.assertHeld("eu:order:$id")
			this.tokens.add(token)
			this.inside.decrementAndGet()
		}

	}

	@Service
	open class Shipping(private val store: Store) {

		@DistributedLock("\${app.region}:order:#{#id}")
		open suspend fun ship(id: Long, @FencingToken token: Long = 0) {
			store.write(id, token)
		}

	}

}
