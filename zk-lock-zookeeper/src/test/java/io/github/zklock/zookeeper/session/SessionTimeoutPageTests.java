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
 * The table about the session timeout, and the picture of an outage, have the figures of
 * {@link SessionLease} itself.
 */
class SessionTimeoutPageTests {

	private static final Path PAGE = Path.of("..", "docs", "operations", "README.md");

	private static final String REWRITE = "zk-lock.docs.rewrite";

	private static final String START = "| `T` |";

	private static final long TICK = 2000;

	private static final long ROUND_TRIP = 5;

	private static final Path PICTURE = Path.of("..", "docs", "images", "lease.svg");

	private static final int SECONDS_OF_THE_PICTURE = 20;

	// Seconds since the last heartbeat are 25 units each, from 150 on.
	private static final String SVG = """
			<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 790 180" width="790" height="180" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="14">
			  <title id="t">A lock in an outage</title>
			  <desc id="d">The session timeout is 20 s. The connection is lost %1$.1f s after the last heartbeat. The lock is uncertain until %2$.1f s, and lost from then on. The servers end the session after 20 to 22 s. Only then another client can hold the lock.</desc>
			  <rect width="790" height="180" rx="8" fill="#ffffff" stroke="#8a8a8a"/>
			  <g fill="#1a1a1a" font-weight="bold"><text x="24" y="57">The holder</text><text x="24" y="113">ZooKeeper</text></g>
			  <g stroke="#1a1a1a">
			    <rect x="150" y="34" width="%3$d" height="36" fill="#cfe8cf"/>
			    <rect x="%4$d" y="34" width="%5$d" height="36" fill="#f6e3b4"/>
			    <rect x="%6$d" y="34" width="%7$d" height="36" fill="#f3c7c3"/>
			    <rect x="150" y="90" width="500" height="36" fill="#cfe8cf"/>
			    <rect x="650" y="90" width="50" height="36" fill="#f6e3b4"/>
			    <rect x="700" y="90" width="70" height="36" fill="#cfe0f5"/>
			  </g>
			  <g fill="#1a1a1a" text-anchor="middle">
			    <text x="%8$d" y="57">HELD</text><text x="%9$d" y="57">UNCERTAIN</text><text x="%10$d" y="57">LOST</text>
			    <text x="400" y="113">the session lives</text><text x="675" y="113">tick</text><text x="735" y="113">next</text>
			    <g font-size="12">
			      <text x="150" y="146">0 s</text><text x="150" y="162">last heartbeat</text>
			      <text x="%4$d" y="24">%1$.1f s: connection lost</text><text x="%6$d" y="24">%2$.1f s: the lease ends</text>
			      <text x="650" y="146">20 s</text><text x="700" y="146">22 s</text><text x="675" y="162">the session ends</text>
			    </g>
			  </g>
			</svg>
			""";

	@Test
	void pictureHasTheFiguresOfTheLease() throws IOException {
		Holder holder = new Holder(SECONDS_OF_THE_PICTURE);
		holder.acquire();
		holder.beat(100);
		long heartbeat = holder.now();
		holder.waitForTheNextHeartbeat();
		double cut = (holder.now() - heartbeat) / 1000.0;
		double lost = cut + holder.left() / 1000.0;
		int from = x(cut);
		int until = x(lost);
		String svg = String.format(Locale.ROOT, SVG, cut, lost, from - 150, from, until - from, until, 770 - until,
				(150 + from) / 2, (from + until) / 2, (until + 770) / 2);
		if (Boolean.getBoolean(REWRITE)) {
			Files.writeString(PICTURE, svg);
		}
		assertThat(PICTURE).as("draw it again: -Dtest=SessionTimeoutPageTests -D%s=true", REWRITE).hasContent(svg);
	}

	private static int x(double seconds) {
		return (int) Math.round(150 + 25 * seconds);
	}

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
			this.lease.nodeCreated(this.lease.now());
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

		long now() {
			return TimeUnit.NANOSECONDS.toMillis(this.lease.now());
		}

		long left() {
			return TimeUnit.NANOSECONDS.toMillis(this.lease.remaining());
		}

	}

}
