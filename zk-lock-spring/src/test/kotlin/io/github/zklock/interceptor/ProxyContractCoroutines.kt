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

import java.util.stream.Stream

import io.github.zklock.annotation.DistributedLock
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking

/**
 * The rows of the proxy contract whose methods are written in Kotlin.
 */
internal class ProxyContractCoroutines : ProxyContractOutcomes.Rows {

	override fun get(): Stream<ProxyContractRow<*>> = Stream.of(
		row("anything, as a Kotlin `suspend` function") { bean, events ->
			bean.suspending()
			events.add("the caller has the result")
		}.then("lock suspending", "body", "the function goes on after a suspension", "unlock", "the caller has the result"),
		row("a Kotlin `Flow`") { bean, events ->
			bean.flow().toList()
			events.add("the caller has the end")
		}.then("lock flow", "body", "first", "second", "unlock", "the caller has the end"))

	private fun row(name: String, call: suspend (Coroutines, LockEvents) -> Unit): ProxyContractRow<*> =
		ProxyContractRow.row(name, Coroutines::class.java, CoroutineBean::class.java).whenIn { context ->
			runBlocking { call(context.getBean(Coroutines::class.java), context.getBean(LockEvents::class.java)) }
		}

	internal interface Coroutines {

		suspend fun suspending(): String

		fun flow(): Flow<String>

	}

	internal open class CoroutineBean(private val events: LockEvents) : Coroutines {

		@DistributedLock("suspending")
		override suspend fun suspending(): String {
			this.events.add("body")
			delay(5)
			this.events.add("the function goes on after a suspension")
			return "done"
		}

		@DistributedLock("flow")
		override fun flow(): Flow<String> {
			this.events.add("body")
			return flow {
				listOf("first", "second").forEach {
					events.add(it)
					emit(it)
				}
			}
		}

	}

}
