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

package io.github.zklock.zookeeper.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table about the session timeout has the figures of {@link SessionLease} itself.
 */
class SessionTimeoutPageTests {

	private static final Path PAGE = Path.of("..", "docs", "operations", "README.md");

	private static final String REWRITE = "zk-lock.docs.rewrite";

	private static final String START = "| `T` |";

	private static final long TICK = 2000;

	private static final long ROUND_TRIP = 5;

	@Test
	void tableHasTheFiguresOfTheLease() throws IOException {
		String page = Files.readString(PAGE);
		int start = page.indexOf(START);
		int end = page.indexOf("\n\n", start);
		String table = IntStream.of(4, 6, 8, 10, 20, 40)
			.mapToObj(SessionTimeoutPageTests::row)
			.collect(Collectors.joining("\n", """
					| `T` | worst case | never longer than |
					|--:|--:|--:|
					""", ""));
		if (Boolean.getBoolean(REWRITE)) {
			Files.writeString(PAGE, page.substring(0, start) + table + page.substring(end));
		}
		assertThat(Files.readString(PAGE)).as("make the table again: -Dtest=SessionTimeoutPageTests -D%s=true", REWRITE)
			.contains(table + "\n\n");
	}

	private static String row(int seconds) {
		Holder steady = new Holder(seconds);
		steady.acquire();
		long longest = steady.longest();
		assertThat(steady.left()).isLessThanOrEqualTo(longest);
		steady.beat(100);
		assertThat(steady.left()).isLessThanOrEqualTo(longest);
		steady.waitForTheNextHeartbeat();
		return String.format(Locale.ROOT, "| %d s | %s | %s |", seconds, part(steady.left(), seconds),
				part(longest, seconds));
	}

	private static String part(long millis, int seconds) {
		return String.format(Locale.ROOT, "%.1f s (%.2f)", millis / 1000.0, millis / 1000.0 / seconds);
	}

	/**
	 * A client that has been connected for a while, takes a lock and keeps it.
	 */
	private static final class Holder {

		private static final int EXCHANGES = 10;

		private final AtomicLong clock = new AtomicLong();

		private final SessionLease lease;

		Holder(int seconds) {
			this.lease = new SessionLease(
					new SessionLease.Terms(TimeUnit.SECONDS.toNanos(seconds), TimeUnit.MILLISECONDS.toNanos(TICK)),
					this.clock::get, () -> 1000 * seconds);
		}

		void acquire() {
			for (int i = 0; i < EXCHANGES; i++) {
				long sent = this.lease.now();
				this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ROUND_TRIP));
				this.lease.exchanged(sent);
				this.clock.set(sent + this.lease.terms().interval());
			}
			this.lease.created(this.lease.now());
			this.lease.keep();
		}

		void beat(int times) {
			for (int i = 0; i < times; i++) {
				waitForTheNextHeartbeat();
				long sent = this.lease.now();
				this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(ROUND_TRIP));
				this.lease.beaten(sent);
			}
		}

		void waitForTheNextHeartbeat() {
			this.clock.addAndGet(Math.max(this.lease.due() - this.lease.now(), 0));
		}

		// A write proves that the session lived before the last question of the leader.
		long longest() {
			return TimeUnit.NANOSECONDS.toMillis(this.lease.terms().length() - this.lease.terms().question());
		}

		long left() {
			return TimeUnit.NANOSECONDS.toMillis(this.lease.remaining());
		}

	}

}
