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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.annotation.DistributedLock;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.context.event.EventListener;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;

/**
 * The beans of the proxy contract whose methods have other annotations as well.
 */
final class ProxyContractNeighbours {

	private ProxyContractNeighbours() {
	}

	interface Neighbours {

		void transactional();

		void rolledBack();

		CompletableFuture<String> async();

		String cached(String key);

		void secured();

		void listener(String event);

	}

	static class NeighbourBean implements Neighbours {

		private final LockEvents events;

		NeighbourBean(LockEvents events) {
			this.events = events;
		}

		@Override
		@Transactional
		@DistributedLock("tx")
		public void transactional() {
			this.events.add("body");
		}

		@Override
		@Transactional
		@DistributedLock("tx")
		public void rolledBack() {
			this.events.add("body");
			throw new IllegalStateException("wanted");
		}

		@Override
		@Async
		@DistributedLock("async")
		public CompletableFuture<String> async() {
			this.events.add("body");
			return CompletableFuture.completedFuture("done");
		}

		@Override
		@PreAuthorize("hasRole('OWNER')")
		@DistributedLock("secured")
		public void secured() {
			this.events.add("body");
		}

		@Override
		@EventListener
		@DistributedLock("event:#{#event}")
		public void listener(String event) {
			this.events.add("body");
		}

		@Override
		@Cacheable("values")
		@DistributedLock("cached")
		public String cached(String key) {
			this.events.add("body");
			return key;
		}

	}

	interface Retried {

		void retried();

	}

	static class RetriedBean implements Retried {

		private final LockEvents events;

		private final AtomicInteger attempts = new AtomicInteger();

		RetriedBean(LockEvents events) {
			this.events = events;
		}

		@Override
		@Retryable(backoff = @Backoff(delay = 1))
		@DistributedLock("retried")
		public void retried() {
			this.events.add("body");
			if (this.attempts.incrementAndGet() == 1) {
				throw new IllegalStateException("wanted");
			}
		}

	}

	interface Job {

		void scheduled();

	}

	static class ScheduledJob implements Job {

		private final LockEvents events;

		ScheduledJob(LockEvents events) {
			this.events = events;
		}

		@Override
		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
		@DistributedLock("scheduled")
		public void scheduled() {
			this.events.add("body");
		}

	}

}
