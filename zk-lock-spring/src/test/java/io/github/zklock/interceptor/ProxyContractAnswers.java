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

package io.github.zklock.interceptor;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.transaction.annotation.Transactional;

/**
 * The beans of the proxy contract whose methods do not run, or not under a lock of their
 * own, and those that are called in a transaction.
 */
final class ProxyContractAnswers {

	private ProxyContractAnswers() {
	}

	interface Answers {

		String conditional(boolean locked);

		String thrown();

		String skipped();

		String withFallback();

		String transactional();

		String cached();

		void inTransaction();

		void untilReturn();

		void nested(Runnable body);

	}

	static class AnswerBean implements Answers {

		private final LockEvents events;

		AnswerBean(LockEvents events) {
			this.events = events;
		}

		@Override
		@DistributedLock(key = "conditional", condition = "#locked")
		public String conditional(boolean locked) {
			return body();
		}

		@Override
		@DistributedLock(key = "taken", waitMs = 0)
		public String thrown() {
			return body();
		}

		@Override
		@DistributedLock(key = "taken", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		public String skipped() {
			return body();
		}

		@Override
		@DistributedLock(key = "taken", waitMs = 0, fallbackMethod = "fallback")
		public String withFallback() {
			return body();
		}

		String fallback() {
			this.events.add("**fallback method**");
			return "instead";
		}

		@Override
		@Transactional
		@DistributedLock(key = "taken", waitMs = 0)
		public String transactional() {
			return body();
		}

		@Override
		@Cacheable("taken")
		@DistributedLock(key = "taken", waitMs = 0)
		public String cached() {
			return body();
		}

		@Override
		@DistributedLock("inner")
		public void inTransaction() {
			body();
		}

		@Override
		@DistributedLock(key = "inner", release = ReleasePolicy.METHOD)
		public void untilReturn() {
			body();
		}

		@Override
		@DistributedLock("outer")
		public void nested(Runnable body) {
			this.events.add("body");
			body.run();
		}

		private String body() {
			this.events.add("body");
			return "done";
		}

	}

}
