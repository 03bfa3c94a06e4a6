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

package io.github.zklock.autoconfigure.leader;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.github.zklock.leader.LeaderRole;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.leader.Leadership;
import io.github.zklock.leader.LeadershipGranted;
import io.github.zklock.leader.LeadershipRevoked;

import org.springframework.context.Lifecycle;
import org.springframework.context.event.EventListener;

/**
 * A bean of the role {@code indexer} that records what happens to it.
 */
@LeaderRole("indexer")
class RecordedRole implements Lifecycle {

	private final Journal journal;

	private final LeaderRoles roles;

	private volatile boolean running;

	RecordedRole(Journal journal, LeaderRoles roles) {
		this.journal = journal;
		this.roles = roles;
	}

	@EventListener
	void granted(LeadershipGranted event) {
		this.journal.tokens.add(event.fencingToken());
	}

	@EventListener
	void revoked(LeadershipRevoked event) {
		this.journal.revoked.add(event);
	}

	@Override
	public void start() {
		this.journal.note("start");
		this.running = true;
	}

	@Override
	public void stop() {
		Leadership led = this.roles.current("indexer").orElseThrow();
		this.journal.note(led.remaining().isZero() ? "stop late" : "stop in time");
		try {
			this.journal.stopped.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * What has happened to the role on a node. Several nodes write the same lines.
	 */
	static final class Journal {

		private final String node;

		private final List<String> lines;

		final List<Long> tokens = new CopyOnWriteArrayList<>();

		final List<LeadershipRevoked> revoked = new CopyOnWriteArrayList<>();

		volatile CountDownLatch stopped = new CountDownLatch(0);

		Journal(String node, List<String> lines) {
			this.node = node;
			this.lines = lines;
		}

		void note(String event) {
			this.lines.add(this.node + " " + event);
		}

	}

}
