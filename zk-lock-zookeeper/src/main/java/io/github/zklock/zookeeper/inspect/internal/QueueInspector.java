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

package io.github.zklock.zookeeper.inspect.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.JobStore;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException.Reason;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector.Revocation.Outcome;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue.Contender;
import io.github.zklock.zookeeper.inspect.internal.QueueInspection.Place;
import io.github.zklock.zookeeper.local.HeldLocks;
import io.github.zklock.zookeeper.node.LockPaths;
import io.github.zklock.zookeeper.queue.JobMemory;
import io.github.zklock.zookeeper.queue.Services;
import io.github.zklock.zookeeper.session.LockNode;
import io.github.zklock.zookeeper.session.LockSession;

/**
 * Looks at the queues of the keys with the session of a provider, on the thread of the
 * caller.
 *
 * @since 0.1.0
 */
public final class QueueInspector implements ZooKeeperLockInspector, JobStore.Source {

	private static final int MOST_OF_ONE_KEY = 1000;

	private static final int MOST_OF_A_PAGE = 10;

	private static final int AT_ONCE = 16;

	// Each of those that wait may occupy a thread that serves other pages, too.
	private static final int MOST_WAITING = 4;

	private final Services services;

	private final JobMemory jobs;

	private final HeldLocks held;

	private final Semaphore turn = new Semaphore(1, true);

	private final Semaphore places = new Semaphore(1 + MOST_WAITING);

	/**
	 * Create the inspector of a provider.
	 * @param services what the locks of the provider share
	 * @param jobs what is known of jobs
	 * @param held the locks that are held
	 */
	public QueueInspector(Services services, JobMemory jobs, HeldLocks held) {
		this.services = services;
		this.jobs = jobs;
		this.held = held;
	}

	@Override
	public ZooKeeperLockQueue queue(String key, Duration bound) {
		String checked = LockRequest.of(key).key();
		try (QueueInspection inspection = begin(bound)) {
			return queue(inspection, checked);
		}
	}

	@Override
	public ZooKeeperLockQueue.Page queues(String pattern, int page, int size, Duration bound) {
		if (page < 0) {
			throw new IllegalArgumentException("page is " + page + ": give 0 or more");
		}
		if (size < 1 || size > MAX_PAGE_SIZE) {
			throw new IllegalArgumentException("size is " + size + ": give 1 to " + MAX_PAGE_SIZE);
		}
		Objects.requireNonNull(pattern, "pattern must not be null");
		try (QueueInspection inspection = begin(bound)) {
			List<String> names = inspection.reads.children(List.of(root()), LockPaths.MAX_NAME_LENGTH)
				.get(0)
				.stream()
				.filter(LockPaths::isOfKey)
				.toList();
			List<Key> keys = matching(pattern, names, inspection.reads);
			int from = (int) Math.min((long) page * size, keys.size());
			List<Key> shown = keys.subList(from, Math.min(from + size, keys.size()));
			return new ZooKeeperLockQueue.Page(pattern, page, size, keys.size(), names.size(),
					queues(inspection, shown));
		}
	}

	@Override
	public Revocation revoke(String key, long fencingToken, Duration bound) {
		String checked = LockRequest.of(key).key();
		try (QueueInspection inspection = begin(bound)) {
			ZooKeeperLockQueue queue = queue(inspection, checked);
			List<Contender> meant = queue.contenders().stream().filter((each) -> isOf(each, fencingToken)).toList();
			if (meant.size() != 1) {
				return new Revocation(Outcome.NOT_FOUND, null);
			}
			Contender contender = meant.get(0);
			if (!contender.holds()) {
				return new Revocation(Outcome.WAITING, contender);
			}
			boolean deleted = inspection.reads.delete(queue.path() + "/" + contender.node(), transaction(contender));
			return new Revocation(deleted ? Outcome.REVOKED : Outcome.CHANGED, contender);
		}
	}

	@Override
	public JobStore jobs() {
		return new ZooKeeperJobs(this.services, this.jobs, this::begin);
	}

	// When a lock was handed over within its process, the tokens of earlier holders no
	// longer belong to the holder that would lose it.
	private boolean isOf(Contender contender, long fencingToken) {
		return contender.fencingToken() == fencingToken || this.held.handles()
			.anyMatch((handle) -> handle.fencingToken() == fencingToken
					&& fencingToken / LockNode.MAX_GRANTS == transaction(contender));
	}

	private static long transaction(Contender contender) {
		return contender.fencingToken() / LockNode.MAX_GRANTS;
	}

	private List<ZooKeeperLockQueue> queues(QueueInspection inspection, List<Key> keys) {
		List<ZooKeeperLockQueue> queues = new ArrayList<>(keys.size());
		for (int from = 0; from < keys.size(); from += AT_ONCE) {
			List<Place> places = keys.subList(from, Math.min(from + AT_ONCE, keys.size()))
				.stream()
				.map((key) -> new Place(key.text(), root() + "/" + key.name()))
				.toList();
			queues.addAll(inspection.queues(places, MOST_OF_A_PAGE));
		}
		return queues;
	}

	private ZooKeeperLockQueue queue(QueueInspection inspection, String key) {
		return inspection.queues(List.of(new Place(key, this.services.paths().directory(key))), MOST_OF_ONE_KEY).get(0);
	}

	static List<Key> matching(String pattern, List<String> names, BoundedReads inspection) {
		List<Key> matching = new ArrayList<>();
		for (String name : names) {
			inspection.checkTime("The search in " + names.size() + " keys for the pattern");
			Key key = Key.of(name);
			if (matches(pattern, key.text())) {
				matching.add(key);
			}
		}
		matching.sort(Comparator.comparing(Key::text));
		return matching;
	}

	// Each part is taken where it comes first, so no text is looked at again and again.
	static boolean matches(String pattern, String text) {
		String[] parts = pattern.split("\\*", -1);
		int last = parts.length - 1;
		if (last == 0) {
			return text.equals(pattern);
		}
		int at = text.startsWith(parts[0]) ? parts[0].length() : -1;
		for (int i = 1; i < last && at >= 0; i++) {
			int found = text.indexOf(parts[i], at);
			at = (found >= 0) ? found + parts[i].length() : -1;
		}
		return at >= 0 && at <= text.length() - parts[last].length() && text.endsWith(parts[last]);
	}

	private String root() {
		return this.services.paths().root();
	}

	// One at a time, since all share the connection of the locks.
	QueueInspection begin(Duration bound) {
		this.services.tasks().refuseToBlock();
		LockSession session = this.services.tracker().usable();
		if (session == null) {
			throw new ZooKeeperInspectionException(
					Objects.requireNonNullElse(this.services.tracker().problem(), "ZooKeeper cannot be reached"));
		}
		long start = this.services.tasks().nanoTime();
		// Created before the turn is taken, which nothing else would end.
		BoundedReads reads = new BoundedReads(session, bound, start);
		QueueInspection inspection = new QueueInspection(session, reads, this::end);
		if (!this.places.tryAcquire()) {
			throw new ZooKeeperInspectionException(
					"ZooKeeper was not asked: " + MOST_WAITING + " inspections wait already, ask again later",
					Reason.BUSY);
		}
		boolean begun = false;
		try {
			awaitOthers(bound);
			begun = true;
		}
		finally {
			if (!begun) {
				this.places.release();
			}
		}
		reads.begins();
		return inspection;
	}

	private void end() {
		this.turn.release();
		this.places.release();
	}

	private void awaitOthers(Duration bound) {
		try {
			if (!this.turn.tryAcquire(bound.toNanos(), TimeUnit.NANOSECONDS)) {
				throw new ZooKeeperInspectionException(
						"another inspection was under way for all of the " + bound.toMillis() + "ms: ask again");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ZooKeeperInspectionException("interrupted while another inspection was under way");
		}
	}

	/**
	 * A key and its name in ZooKeeper.
	 *
	 * @param name the name
	 * @param text the key, or the name if that was cut
	 */
	record Key(String name, String text) {

		// Others may have put there what is none of ours.
		static Key of(String name) {
			try {
				return new Key(name, LockPaths.decode(name));
			}
			catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
				return new Key(name, name);
			}
		}

	}

}
