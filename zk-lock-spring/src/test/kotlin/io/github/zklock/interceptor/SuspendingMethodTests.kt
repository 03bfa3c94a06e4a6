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

package io.github.zklock.interceptor

import java.io.IOException
import java.util.concurrent.atomic.AtomicInteger

import io.github.zklock.annotation.DistributedLock
import io.github.zklock.annotation.FencingToken
import io.github.zklock.core.LockHandle
import io.github.zklock.core.LockLostException
import io.github.zklock.core.LockNotAcquiredException
import io.github.zklock.core.NotAcquiredPolicy
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

/**
 * Suspending functions, and functions that return a flow.
 */
internal class SuspendingMethodTests {

	private val proxy = GuardedProxy()

	private val events = this.proxy.events()

	private val orders = this.proxy.of(Orders())

	@Test
	fun lockIsHeldUntilTheFunctionIsDone() {
		val result = runBlocking {
			orders.place(42) {
				events.add("begin")
				delay(5)
				events.add("end " + proxy.provider().keysInUse())
				"done"
			}
		}
		assertThat(result).isEqualTo("done")
		assertThat(this.events.list()).containsExactly("lock order:42", "call", "begin", "end 1", "unlock")
	}

	@Test
	fun lastParameterIsPartOfTheKey() {
		assertThat(runBlocking { orders.count(7) }).isEqualTo(7)
		assertThat(this.events.list()).containsExactly("lock order:7", "call", "unlock")
	}

	@Test
	fun functionMayReturnNull() {
		assertThat(runBlocking { orders.find { null } }).isNull()
		assertThat(this.events.list()).containsExactly("lock find", "call", "unlock")
	}

	@Test
	fun exceptionIsThrownAfterTheRelease() {
		assertThrows(IOException::class.java) { runBlocking { orders.find { throw IOException("body") } } }
		assertThat(this.events.list()).containsExactly("lock find", "call", "unlock")
	}

	@Test
	fun refusalIsThrownOrSkipped() {
		val other = this.proxy.holdByAnother("once")
		assertThrows(LockNotAcquiredException::class.java) { runBlocking { orders.once { "done" } } }
		assertThat(runBlocking { orders.skip { "done" } }).isNull()
		other.release()
		assertThat(runBlocking { orders.skip { "done" } }).isEqualTo("done")
	}

	@Test
	fun fallbackMaySuspend() {
		val other = this.proxy.holdByAnother("once")
		assertThat(runBlocking { orders.fallback(7) }).isEqualTo("instead of 7 without once")
		other.release()
		assertThat(runBlocking { orders.fallback(7) }).startsWith("ran 7 with ")
	}

	@Test
	fun callsOfOneCoroutineReenter() {
		val result = runBlocking {
			orders.find { withContext(Dispatchers.Default) { orders.find { "nested" } } }
		}
		assertThat(result).isEqualTo("nested")
	}

	@Test
	fun coroutinesSideBySideExcludeEachOther() {
		val inside = AtomicInteger()
		val overlaps = AtomicInteger()
		runBlocking(Dispatchers.Default) {
			orders.place(1) {
				(1..20).map {
					async {
						orders.find {
							if (inside.incrementAndGet() > 1) {
								overlaps.incrementAndGet()
							}
							delay(2)
							inside.decrementAndGet()
							null
						}
					}
				}.awaitAll()
				"done"
			}
		}
		assertThat(overlaps).hasValue(0)
	}

	@Test
	fun cancelledCoroutineLeavesNothing() {
		for (waiting in listOf(true, false)) {
			val other: LockHandle? = if (waiting) this.proxy.holdByAnother("find") else null
			runBlocking {
				val started = CompletableDeferred<Unit>()
				val job = launch(start = CoroutineStart.UNDISPATCHED) {
					orders.find {
						started.complete(Unit)
						delay(100_000)
						"done"
					}
				}
				if (!waiting) {
					started.await()
				}
				job.cancel()
				job.join()
			}
			other?.release()
			Awaitility.await().untilAsserted { assertThat(this.proxy.provider().keysInUse()).isZero() }
		}
		assertThat(this.events.list().filter { it == "call" }).hasSize(1)
	}

	@Test
	fun lossIsThrown() {
		assertThrows(LockLostException::class.java) {
			runBlocking {
				orders.find {
					proxy.provider().loseAll()
					"done"
				}
			}
		}
	}

	@Test
	fun flowHoldsTheLockWhileItIsCollected() {
		for ((key, flow) in listOf("flow" to this.orders.flow(), "suspending" to runBlocking { orders.suspendingFlow() })) {
			val before = this.events.list().size
			val items = runBlocking {
				val list = flow.toList()
				events.add("end")
				list
			}
			assertThat(items).containsExactly("a", "b")
			assertThat(this.events.list().drop(before)).containsExactly("lock $key", "call", "unlock", "end")
		}
	}

	@Test
	fun flowThatIsLeftEarlyReleasesTheLock() {
		assertThat(runBlocking { orders.flow().first() }).isEqualTo("a")
		Awaitility.await().untilAsserted { assertThat(this.proxy.provider().keysInUse()).isZero() }
	}

	internal open class Orders {

		@DistributedLock("order:#{#id}")
		open suspend fun place(id: Long, body: suspend () -> String): String = body()

		@DistributedLock("order:#{#id}")
		open suspend fun count(id: Long): Long = id

		@DistributedLock("find")
		open suspend fun find(body: suspend () -> String?): String? = body()

		@DistributedLock(key = "once", waitMs = 0)
		open suspend fun once(body: suspend () -> String): String = body()

		@DistributedLock(key = "once", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		open suspend fun skip(body: suspend () -> String): String? = body()

		@DistributedLock(key = "once", waitMs = 0, fallbackMethod = "instead")
		open suspend fun fallback(id: Int, @FencingToken token: Long = 0): String {
			delay(1)
			check(token > 0)
			return "ran $id with $token"
		}

		open suspend fun instead(id: Int, token: Long, refusal: LockNotAcquiredException): String {
			delay(1)
			check(token == 0L)
			return "instead of $id without ${refusal.key}"
		}

		@DistributedLock("flow")
		open fun flow(): Flow<String> = flow {
			emit("a")
			emit("b")
		}

		@DistributedLock("suspending")
		open suspend fun suspendingFlow(): Flow<String> = flow()

	}

}
