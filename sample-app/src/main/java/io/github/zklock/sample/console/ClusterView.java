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

package io.github.zklock.sample.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.leader.LeaderRoles;
import io.github.zklock.sample.console.Snapshot.Span;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Contender;

import org.springframework.beans.BeansException;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What ZooKeeper and the database know, whichever process has put it there. Requested
 * only while a page is open.
 */
class ClusterView {

	private static final Duration BOUND = Duration.ofSeconds(2);

	private static final int MOST_PAGES = 5;

	private static final int MOST_LOCKS = 50;

	private static final int MOST_TICKS = 40;

	private static final String REPORT = "report";

	private static final String LEADER = "leader:";

	// What one node after the other gets by one node of the queue, in tokens.
	private static final long GRANTS_OF_A_NODE = 4096;

	private final ConsoleCluster cluster;

	private final LockHistory history;

	private final Map<String, Long> lastSeen = new HashMap<>();

	private Map<String, ZooKeeperLockQueue> queues = Map.of();

	private List<Snapshot.Job> jobs = List.of();

	private Set<String> roles = Set.of();

	ClusterView(ConsoleCluster cluster, LockHistory history) {
		this.cluster = cluster;
		this.history = history;
	}

	/**
	 * Ask ZooKeeper and the database. What cannot be asked stays as it was last seen.
	 */
	void ask() {
		for (ConsoleNode node : this.cluster.sound()) {
			ApplicationContext context = node.context();
			if (context == null) {
				continue;
			}
			try {
				Map<String, ZooKeeperLockQueue> queues = queues(
						context.getBean(ZooKeeperLockProvider.class).inspector());
				List<Snapshot.Tick> ticks = ticks(context.getBean(JdbcClient.class));
				keep(queues, jobs(context.getBean(LockJobs.class).list(), ticks),
						context.getBean(LeaderRoles.class).roles());
				return;
			}
			catch (ZooKeeperInspectionException | LockException | DataAccessException | BeansException
					| IllegalStateException ex) {
				// Another node may know.
			}
		}
	}

	// The report itself knows its last ticks, of which there are more.
	private static List<Snapshot.Job> jobs(List<LockJob> jobs, List<Snapshot.Tick> reports) {
		return jobs.stream()
			.map((job) -> Snapshot.Job.of(job, job.key().equals(REPORT) ? reports : Snapshot.Tick.of(job)))
			.sorted(Comparator.comparing((Snapshot.Job job) -> !job.name().equals(REPORT)))
			.toList();
	}

	static List<Snapshot.Tick> ticks(JdbcClient jdbc) {
		List<Snapshot.Tick> ticks = new ArrayList<>(
				jdbc.sql("select tick * 1000 as time, node from report order by tick desc fetch first ? rows only")
					.param(MOST_TICKS)
					.query(Snapshot.Tick.class)
					.list());
		Collections.reverse(ticks);
		return ticks;
	}

	private static Map<String, ZooKeeperLockQueue> queues(ZooKeeperLockInspector inspector) {
		Map<String, ZooKeeperLockQueue> queues = new HashMap<>();
		for (int page = 0; page < MOST_PAGES; page++) {
			ZooKeeperLockQueue.Page answer = inspector.queues("*", page, ZooKeeperLockInspector.MAX_PAGE_SIZE, BOUND);
			for (ZooKeeperLockQueue queue : answer.queues()) {
				if (queue.size() > 0) {
					queues.put(queue.key(), queue);
				}
			}
			if (answer.queues().size() < ZooKeeperLockInspector.MAX_PAGE_SIZE) {
				break;
			}
		}
		return queues;
	}

	private synchronized void keep(Map<String, ZooKeeperLockQueue> queues, List<Snapshot.Job> jobs, Set<String> roles) {
		long now = System.currentTimeMillis();
		this.queues = queues;
		this.jobs = jobs;
		this.roles = roles;
		queues.keySet().forEach((key) -> this.lastSeen.put(key, now));
		this.lastSeen.values().removeIf((seen) -> seen < now - LockHistory.KEPT_MILLIS);
	}

	synchronized List<Snapshot.Job> jobs() {
		return this.jobs;
	}

	synchronized List<Snapshot.Role> roles() {
		return this.roles.stream().map(this::role).toList();
	}

	// When a role was granted is known of the nodes of this process only.
	private Snapshot.Role role(String name) {
		ZooKeeperLockQueue queue = this.queues.get(LEADER + name);
		List<Contender> contenders = (queue != null) ? queue.contenders() : List.of();
		Optional<Contender> leader = contenders.stream().filter(Contender::holds).findFirst();
		Optional<LockHistory.Led> led = this.history.led(name)
			.filter((grant) -> leader.filter((each) -> name(each).equals(grant.node())).isPresent());
		return new Snapshot.Role(name, leader.map(ClusterView::name).orElse(null),
				leader.map(Contender::fencingToken).orElse(null), led.map(LockHistory.Led::since).orElse(null),
				contenders.stream().filter((each) -> !each.holds()).map(ClusterView::name).toList());
	}

	synchronized List<Snapshot.Lock> locks() {
		SortedMap<String, List<Span>> timelines = this.history.timelines();
		Set<String> keys = new HashSet<>(timelines.keySet());
		keys.addAll(this.lastSeen.keySet());
		return keys.stream()
			.filter((key) -> !isShownElsewhere(key))
			.sorted(Comparator.comparing((String key) -> lastUse(key, timelines)).reversed())
			.limit(MOST_LOCKS)
			.sorted()
			.map((key) -> lock(key, timelines.getOrDefault(key, List.of())))
			.toList();
	}

	// A role and a job in shards show the nodes of their many locks already.
	private boolean isShownElsewhere(String key) {
		return key.startsWith(LEADER)
				|| this.jobs.stream().anyMatch((job) -> job.shards() > 1 && (key + "#").startsWith(job.name() + "#"));
	}

	private long lastUse(String key, SortedMap<String, List<Span>> timelines) {
		long last = this.lastSeen.getOrDefault(key, 0L);
		for (Span span : timelines.getOrDefault(key, List.of())) {
			last = Math.max(last, Objects.requireNonNullElse(span.to(), Long.MAX_VALUE));
		}
		return last;
	}

	private Snapshot.Lock lock(String key, List<Span> timeline) {
		ZooKeeperLockQueue queue = this.queues.get(key);
		List<Contender> contenders = (queue != null) ? queue.contenders() : List.of();
		return new Snapshot.Lock(key,
				contenders.stream().filter(Contender::holds).map((each) -> holder(each, timeline)).toList(),
				contenders.stream()
					.filter((each) -> !each.holds())
					.map((each) -> new Snapshot.Waiter(name(each), each.mode().name(), each.since().toEpochMilli()))
					.toList(),
				timeline);
	}

	private static String name(Contender contender) {
		return Objects.requireNonNullElse(contender.owner().instance(), contender.owner().application());
	}

	// The node in ZooKeeper has the token of its first holder only, and was there while
	// that one waited.
	private static Snapshot.Holder holder(Contender contender, List<Span> timeline) {
		long first = contender.fencingToken();
		Optional<Span> known = timeline.stream()
			.filter((span) -> span.to() == null && span.node().equals(name(contender)))
			.filter((span) -> span.token() >= first && span.token() < first + GRANTS_OF_A_NODE)
			.max(Comparator.comparingLong(Span::token));
		return new Snapshot.Holder(name(contender), contender.mode().name(), known.map(Span::token).orElse(first),
				known.map(Span::from).orElseGet(() -> contender.since().toEpochMilli()));
	}

}
