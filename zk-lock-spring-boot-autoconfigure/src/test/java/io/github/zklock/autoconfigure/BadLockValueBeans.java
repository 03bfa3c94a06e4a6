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

package io.github.zklock.autoconfigure;

import java.util.concurrent.Future;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.NotAcquiredPolicy;

/**
 * Beans each of which gives the annotation one value that cannot work.
 */
final class BadLockValueBeans {

	private BadLockValueBeans() {
	}

	static class NoKey {

		@DistributedLock
		void run() {
		}

	}

	static class BlankKey {

		@DistributedLock("${blank}")
		void run() {
		}

	}

	static class BadExpression {

		@DistributedLock("#id +")
		void run(long id) {
		}

	}

	static class BadTemplate {

		@DistributedLock("order:#{#id")
		void run(long id) {
		}

	}

	static class UnknownParameter {

		@DistributedLock("order:#{#order.id}")
		void run(long id) {
		}

	}

	static class StrayHash {

		@DistributedLock("order-#order.id")
		void run(String order) {
		}

	}

	static class ExpressionAsPlaceholder {

		@DistributedLock("order:${#id}")
		void run(long id) {
		}

	}

	static class Placeholder {

		@DistributedLock("${app.unknown}")
		void run() {
		}

	}

	static class SkippedPrimitive {

		@DistributedLock(key = "k", onNotAcquired = NotAcquiredPolicy.SKIP)
		int run() {
			return 1;
		}

	}

	static class PlainFuture {

		@DistributedLock("k")
		Future<String> run() {
			throw new IllegalStateException("Not called");
		}

	}

	static class NegativeWait {

		@DistributedLock(key = "k", waitMs = -2)
		void run() {
		}

	}

	static class TwoWaits {

		@DistributedLock(key = "k", waitMs = 5, waitTime = "5s")
		void run() {
		}

	}

	static class UnreadableWait {

		@DistributedLock(key = "k", waitTime = "soon")
		void run() {
		}

	}

	static class NegativeWaitTime {

		@DistributedLock(key = "k", waitTime = "-5s")
		void run() {
		}

	}

	static class UnreadableLeast {

		@DistributedLock(key = "k", lockAtLeastFor = "long")
		void run() {
		}

	}

	static class NegativeLeast {

		@DistributedLock(key = "k", lockAtLeastFor = "${app.none:-30s}")
		void run() {
		}

	}

	static class EndlessLeast {

		@DistributedLock(key = "k", lockAtLeastFor = "400d")
		void run() {
		}

	}

	static class KeptPermits {

		@DistributedLock(key = "k", permits = "3", lockAtLeastFor = "30s")
		void run() {
		}

	}

	static class KeptExpression {

		@DistributedLock(key = "k", permits = "#root.args.length", lockAtLeastFor = "30s")
		void run() {
		}

	}

}
