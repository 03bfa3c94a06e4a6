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

package io.github.zklock.libraries;

import java.time.Duration;
import java.time.Instant;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;

import io.github.zklock.core.LockTick;
import io.github.zklock.scheduling.ScheduledRun;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A node that stands still in the second chunk, until another node has recovered the job.
 */
public final class SettlementProcess {

	private SettlementProcess() {
	}

	/**
	 * Run the job for each time on the standard input.
	 * @param arguments connect string, database
	 */
	public static void main(String[] arguments) {
		JdbcClient others = JdbcClient.create(new DriverManagerDataSource(arguments[1], "sa", ""));
		try (Node node = Node.start(SettlementApplication.class, arguments[0], arguments[1], "app.node=late");
				Scanner ticks = new Scanner(System.in)) {
			node.bean(Entries.class).setPause(() -> {
				print("IN CHUNK");
				awaitNextNode(others, LockTick.current().time().toString());
			});
			print("READY");
			while (ticks.hasNextLine()) {
				Instant tick = Instant.parse(ticks.nextLine());
				// Its session has ended with the tick before.
				node.awaitConnection();
				print("END "
						+ outcome(() -> ScheduledRun.callAt(tick, Node.task(node.bean(Settlement.class)::settle))));
			}
		}
	}

	private static void awaitNextNode(JdbcClient others, String tick) {
		String next = (SettlementTests.ITEMS) + " next";
		while (!Entries.of(others, tick).contains(next)) {
			LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
		}
	}

	private static String outcome(Runnable job) {
		try {
			job.run();
			return "well";
		}
		catch (RuntimeException ex) {
			return ex.toString();
		}
	}

	private static void print(String line) {
		System.out.println(line);
		System.out.flush();
	}

}
