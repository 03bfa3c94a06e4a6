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

package io.github.zklock.sample.node;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockLostException;
import io.github.zklock.leader.LeaderRole;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.Leadership;
import io.github.zklock.leader.LeadershipGranted;
import io.github.zklock.leader.LeadershipRevoked;
import org.jspecify.annotations.Nullable;

import org.springframework.context.Lifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * A bean that works on one node of the cluster, the leader of its role. It writes a batch
 * from time to time.
 */
@Component
@LeaderRole(Indexer.ROLE)
class Indexer implements Lifecycle {

	static final String ROLE = "indexer";

	private static final Duration BATCH = Duration.ofMillis(500);

	private final LeaderRoles roles;

	private final JdbcClient jdbc;

	private final Console console;

	private volatile @Nullable Worker worker;

	Indexer(LeaderRoles roles, JdbcClient jdbc, Console console) {
		this.roles = roles;
		this.jdbc = jdbc;
		this.console = console;
	}

	@Override
	public void start() {
		Worker worker = new Worker(this.roles.current(ROLE).orElseThrow());
		this.worker = worker;
		worker.start();
	}

	@Override
	public void stop() {
		Worker worker = this.worker;
		if (worker != null) {
			worker.end();
			this.worker = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.worker != null;
	}

	@EventListener
	void granted(LeadershipGranted event) {
		this.console.say(event.leadership(), "leads");
	}

	@EventListener
	void revoked(LeadershipRevoked event) {
		this.console.say(event.leadership(), "leads no more: " + event.reason());
	}

	/**
	 * Writes batches until it is ended.
	 */
	private final class Worker extends Thread {

		private final Leadership led;

		private final CountDownLatch end = new CountDownLatch(1);

		Worker(Leadership led) {
			super("indexer");
			setDaemon(true);
			this.led = led;
		}

		@Override
		public void run() {
			try {
				while (!this.end.await(BATCH.toMillis(), TimeUnit.MILLISECONDS)) {
					this.led.assertLeader();
					write(this.led.fencingToken());
				}
			}
			catch (LockLostException | InterruptedException ex) {
				// Another node may lead: the role stops this bean.
			}
		}

		// The lease may end between the check and the write. Then only the token helps.
		private void write(long token) {
			try {
				Indexer.this.jdbc
					.sql("update batch set number = number + 1, node = ?, token = ? where role = ? and token <= ?")
					.params(Indexer.this.console.node(), token, ROLE, token)
					.update();
			}
			catch (DataAccessException ex) {
				// The next batch may be written.
			}
		}

		// Not by an interrupt, which would close the database file of several processes.
		private void end() {
			this.end.countDown();
			try {
				join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
