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

package io.github.zklock.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.leader.LeaderRole;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.Leadership;
import io.github.zklock.leader.LeadershipGranted;
import io.github.zklock.leader.LeadershipRevoked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The application of {@code docs/leader.md}, whose code is pieces of this file.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({ LeaderApplication.Indexer.class, LeaderApplication.Batches.class, LeaderApplication.Listener.class })
class LeaderApplication {

	private static final Logger logger = LoggerFactory.getLogger(LeaderApplication.class);

	@Component
	@LeaderRole("indexer")
	static class Indexer implements Lifecycle {

		private final LeaderRoles roles;

		private final Batches batches;

		private volatile Thread worker;

		Indexer(LeaderRoles roles, Batches batches) {
			this.roles = roles;
			this.batches = batches;
		}

		@Override
		public void start() {
			Leadership led = this.roles.current("indexer").orElseThrow();
			this.worker = new Thread(() -> index(led), "indexer");
			this.worker.start();
		}

		@Override
		public void stop() {
			Thread working = this.worker;
			this.worker = null;
			working.interrupt();
			try {
				working.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public boolean isRunning() {
			return this.worker != null;
		}

		private void index(Leadership led) {
			while (isRunning()) {
				led.assertLeader();
				this.batches.writeNext(led.fencingToken());
			}
		}

	}

	@Component
	static class Batches {

		final List<Long> written = new CopyOnWriteArrayList<>();

		void writeNext(long token) {
			this.written.add(token);
			LockSupport.parkNanos(1_000_000);
		}

	}

	static class Listener {

		@EventListener
		void granted(LeadershipGranted event) {
			logger.info("Leads {} with token {}", event.role(), event.fencingToken());
		}

		@EventListener
		void revoked(LeadershipRevoked event) {
			logger.info("Has {} to stop: {}", event.deadline(), event.reason());
		}

	}

}
