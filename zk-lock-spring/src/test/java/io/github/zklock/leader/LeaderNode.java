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

package io.github.zklock.leader;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.github.zklock.annotation.EnableDistributedLocks;
import io.github.zklock.core.spi.LockProvider;
import org.awaitility.Awaitility;

import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/**
 * A node of a cluster that is played in one JVM: an application context with roles.
 */
final class LeaderNode implements AutoCloseable {

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final Script script = new Script();

	LeaderNode(LockProvider provider, Class<?>... beans) {
		this(provider, (context) -> {
		}, beans);
	}

	LeaderNode(LockProvider provider, Consumer<AnnotationConfigApplicationContext> more, Class<?>... beans) {
		this.context.register(Enabled.class);
		List.of(beans).forEach(this.context::register);
		this.context.registerBean("locks", LockProvider.class, () -> provider, (definition) -> {
		});
		this.context.registerBean(Script.class, () -> this.script);
		more.accept(this.context);
	}

	LeaderNode start() {
		this.context.refresh();
		return this;
	}

	/**
	 * Return what has happened: events, starts and stops.
	 */
	List<String> journal() {
		return this.script.journal;
	}

	List<LeadershipRevoked> revoked() {
		return this.script.revoked;
	}

	LeaderNode onStart(Step step) {
		this.script.onStart = step;
		return this;
	}

	LeaderNode onStop(Step step) {
		this.script.onStop = step;
		return this;
	}

	/**
	 * Return how many roles this node leads.
	 */
	long led() {
		return roles().roles().stream().filter(this::leads).count();
	}

	LeaderRoles roles() {
		return this.context.getBean(LeaderRoles.class);
	}

	boolean leads(String role) {
		return roles().isLeader(role);
	}

	Leadership current(String role) {
		return roles().current(role).orElseThrow();
	}

	void awaitJournal(String... entries) {
		Awaitility.await().until(() -> journal().containsAll(List.of(entries)));
	}

	LeaderNode awaitStarted(String role) {
		awaitJournal("start " + role);
		Awaitility.await().until(() -> leads(role));
		return this;
	}

	AnnotationConfigApplicationContext context() {
		return this.context;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Where a bean waits until the test opens it, or ends.
	 */
	static final class Gate implements AutoCloseable {

		private final CountDownLatch opened = new CountDownLatch(1);

		void pass() throws InterruptedException {
			this.opened.await();
		}

		void open() {
			this.opened.countDown();
		}

		@Override
		public void close() {
			open();
		}

	}

	/**
	 * What a bean does in a test.
	 */
	@FunctionalInterface
	interface Step {

		void run() throws Exception;

	}

	@Configuration
	@EnableDistributedLocks
	static class Enabled {

	}

	static final class Script {

		private final List<String> journal = new CopyOnWriteArrayList<>();

		private final List<LeadershipRevoked> revoked = new CopyOnWriteArrayList<>();

		volatile Step onStart = () -> {
		};

		volatile Step onStop = () -> {
		};

		void note(String entry) {
			this.journal.add(entry);
		}

		@EventListener
		void granted(LeadershipGranted event) {
			note("granted " + event.role());
		}

		@EventListener
		void revoked(LeadershipRevoked event) {
			this.revoked.add(event);
			note("revoked " + event.role() + " " + event.reason());
		}

	}

	/**
	 * A bean that does what the test says.
	 */
	abstract static class Worker implements SmartLifecycle {

		private final Script script;

		private final String name;

		private volatile boolean running;

		Worker(Script script, String name) {
			this.script = script;
			this.name = name;
		}

		@Override
		public void start() {
			this.script.note("start " + this.name);
			run(this.script.onStart);
			this.running = true;
		}

		@Override
		public void stop() {
			this.script.note("stop " + this.name);
			run(this.script.onStop);
			this.running = false;
		}

		private static void run(Step step) {
			try {
				step.run();
			}
			catch (RuntimeException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public boolean isAutoStartup() {
			return false;
		}

		@Override
		public int getPhase() {
			return 0;
		}

	}

	@LeaderRole("indexer")
	static class Indexer extends Worker {

		Indexer(Script script) {
			super(script, "indexer");
		}

	}

	@LeaderRole("cleaner")
	static class Cleaner extends Worker {

		Cleaner(Script script) {
			super(script, "cleaner");
		}

	}

	@LeaderRole("mailer")
	static class Mailer extends Worker {

		Mailer(Script script) {
			super(script, "mailer");
		}

	}

	@LeaderRole("indexer")
	static class LateIndexer extends Worker {

		LateIndexer(Script script) {
			super(script, "late");
		}

		@Override
		public int getPhase() {
			return 10;
		}

	}

}
