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

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.NotAcquiredPolicy;
import io.github.zklock.core.ReleasePolicy;
import io.github.zklock.transaction.LockCommitListener;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Guarded methods that are called inside transactions.
 */
@Configuration(proxyBeanMethods = false)
class TransactionBoundBeans {

	@Bean
	LockEvents lockEvents() {
		return new KeyedEvents();
	}

	@Bean
	Locked locked(LockEvents events) {
		return new Locked(events);
	}

	@Bean
	JdbcTransactionManager otherTransactionManager(LockEvents events) {
		DataSource other = new ProxyContractFeatures().dataSource();
		return new ProxyContractFeatures.RecordingTransactionManager(other, events);
	}

	@Bean
	JdbcTransactionManager listeningTransactionManager(DataSource dataSource, LockEvents events) {
		JdbcTransactionManager manager = new ProxyContractFeatures.RecordingTransactionManager(dataSource, events);
		manager.setTransactionExecutionListeners(List.of(new LockCommitListener()));
		return manager;
	}

	private static final class KeyedEvents extends LockEvents {

		@Override
		public void released(LockRequest request, LockHandle handle, Duration held) {
			add("unlock " + handle.key());
		}

	}

	static class Locked {

		private final LockEvents events;

		Locked(LockEvents events) {
			this.events = events;
		}

		@DistributedLock("#key")
		void run(String key, Runnable body) {
			this.events.add("body");
			body.run();
		}

		@DistributedLock(key = "#keys", waitMs = 0)
		void runAll(List<String> keys) {
			this.events.add("body");
		}

		@DistributedLock(key = "method", release = ReleasePolicy.METHOD)
		void released() {
			this.events.add("body");
		}

		@DistributedLock(key = "#key", waitMs = 0, onNotAcquired = NotAcquiredPolicy.SKIP)
		@Nullable String skipped(String key) {
			this.events.add("body");
			return "ran";
		}

		@DistributedLock(key = "ignored", onLost = LossPolicy.IGNORE)
		void ignoring(Runnable body) {
			body.run();
		}

		@DistributedLock(key = "interrupted", onLost = LossPolicy.INTERRUPT)
		void interrupting(Runnable body) {
			body.run();
		}

	}

}
