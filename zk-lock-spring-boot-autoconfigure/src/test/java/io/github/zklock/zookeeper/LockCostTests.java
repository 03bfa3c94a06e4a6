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

package io.github.zklock.zookeeper;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.LockTick;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.MethodEntries.Entry;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one lock passes, in classes and calls. The numbers are to fall: a reader has to
 * follow all of it.
 */
@Tag("server")
class LockCostTests {

	@RegisterExtension
	static final ZooKeeperServerFixture SERVER = new ZooKeeperServerFixture();

	private static final Set<String> PROBES = Set.of(LockCostTests.class.getName(),
			"io.github.zklock.zookeeper.tasks.StackRoom");

	private static List<List<Entry>> runs;

	@BeforeAll
	@SuppressWarnings("unchecked")
	static void run() throws Exception {
		Class<?> calls = new MethodEntries.Loader().loadClass(Calls.class.getName());
		runs = ((Function<String, List<List<Entry>>>) calls.getConstructor().newInstance())
			.apply(SERVER.connectString());
	}

	@Test
	void freeKeyPassesFewClassesAndCalls() {
		List<Entry> entries = ofTheLibrary("free key", runs.get(0));
		assertThat(types(entries)).hasSizeLessThanOrEqualTo(79);
		assertThat(entries).hasSizeLessThanOrEqualTo(1120);
	}

	@Test
	void tickTakesLittleOfTheEventThread() {
		List<Entry> entries = ofTheLibrary("tick", runs.get(1));
		assertThat(types(entries)).hasSizeLessThanOrEqualTo(89);
		assertThat(entries).hasSizeLessThanOrEqualTo(2510);
		// All locks of a session share it.
		assertThat(entries.stream().filter(Entry::isOnEventThread)).hasSizeLessThanOrEqualTo(1560);
	}

	// A look at the stack is no part of the path.
	private static List<Entry> ofTheLibrary(String what, List<Entry> entries) {
		List<Entry> own = entries.stream().filter((entry) -> !PROBES.contains(entry.type())).toList();
		Map<String, Long> counts = own.stream()
			.collect(Collectors.groupingBy(Entry::type, TreeMap::new, Collectors.counting()));
		System.out.println(what + ": " + counts.size() + " classes, " + own.size() + " calls, "
				+ own.stream().filter(Entry::isOnEventThread).count() + " of them on the event thread: " + counts);
		return own;
	}

	private static TreeSet<String> types(List<Entry> entries) {
		return entries.stream().map(Entry::type).collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Calls that are warm, in classes that note their methods.
	 */
	public static final class Calls implements Function<String, List<List<Entry>>> {

		private static final int RUNS = 25;

		@Override
		public List<List<Entry>> apply(String servers) {
			CuratorFramework client = CuratorFrameworkFactory.newClient(servers, new RetryOneTime(100));
			client.start();
			try (client; ZooKeeperLockProvider locks = ZooKeeperLockProvider.builder(client).build()) {
				LockTemplate template = new LockTemplate(locks);
				LockRequest free = LockRequest.of("order:42").withWait(Duration.ofSeconds(5));
				Instant[] time = { Instant.parse("2024-01-01T00:00:00Z") };
				List<Entry> lock = fewest(() -> template.execute(free, (handle) -> null));
				List<Entry> tick = fewest(() -> {
					time[0] = time[0].plusSeconds(60);
					template.execute(LockRequest.of("report").withTick(LockTick.at("Reports.daily", time[0])),
							(handle) -> null);
				});
				return List.of(lock, tick);
			}
		}

		// The timer may run meanwhile. The record of a job is as long as it gets.
		private static List<Entry> fewest(Runnable call) {
			for (int i = 0; i < RUNS; i++) {
				call.run();
			}
			List<List<Entry>> runs = new ArrayList<>();
			for (int i = 0; i < RUNS; i++) {
				MethodEntries.begin();
				call.run();
				runs.add(MethodEntries.end());
			}
			return runs.stream().min(Comparator.comparing(List::size)).orElseThrow();
		}

	}

}
