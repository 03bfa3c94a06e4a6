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

package io.github.zklock.torture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.core.LockMode;
import io.github.zklock.support.Fault;

/**
 * Everything that happened in a run, in the order in which the register saw it.
 */
final class TortureLog {

	private final long start = System.nanoTime();

	private final List<Grant> grants = new ArrayList<>();

	private final List<Overlap> overlaps = new ArrayList<>();

	private final List<Overlap> disorder = new ArrayList<>();

	private final List<Grant> rejections = new ArrayList<>();

	private final List<Incident> incidents = new ArrayList<>();

	private final Map<String, List<Grant>> open = new HashMap<>();

	private final Map<String, Long> written = new HashMap<>();

	private final Map<String, Grant> lastWriter = new HashMap<>();

	private final Map<String, Grant> lastOfAll = new HashMap<>();

	private final Map<String, Long> lastGranted = new ConcurrentHashMap<>();

	private final Map<String, String> notes = new TreeMap<>();

	private final List<Fault> faults = new ArrayList<>();

	private final Waits waits = new Waits();

	private final Instructions instructions = new Instructions();

	private final Set<Grant> staleWriters = new HashSet<>();

	private int readersAtOnce;

	synchronized void entered(Grant grant) {
		List<Grant> holders = this.open.computeIfAbsent(grant.key, (key) -> new ArrayList<>());
		for (Grant holder : holders) {
			if (holder.excludes(grant)) {
				this.overlaps.add(Overlap.of(holder, grant));
			}
		}
		order(grant);
		holders.add(grant);
		this.grants.add(grant);
		this.written.merge(grant.key, grant.token, Math::max);
		this.lastGranted.put(grant.key, grant.entered);
		int readers = (int) holders.stream().filter((holder) -> holder.mode == LockMode.READ).count();
		this.readersAtOnce = Math.max(this.readersAtOnce, readers);
	}

	// A writer comes after everybody, a reader after the last writer.
	private void order(Grant grant) {
		boolean reads = grant.mode == LockMode.READ;
		Grant last = (reads ? this.lastWriter : this.lastOfAll).get(grant.key);
		// Whoever came late because it stood still is an overlap, or nothing at all.
		if (grant.token != 0 && last != null && grant.token <= last.token && grant.acquired > last.entered) {
			this.disorder.add(Overlap.of(grant, last));
		}
		keepGreatest(this.lastOfAll, grant);
		if (!reads) {
			keepGreatest(this.lastWriter, grant);
		}
	}

	private static void keepGreatest(Map<String, Grant> last, Grant grant) {
		last.merge(grant.key, grant, (one, other) -> (one.token > other.token) ? one : other);
	}

	/**
	 * Decide about a write, as a resource does that looks at nothing but the token.
	 */
	synchronized boolean wrote(Grant grant, boolean believed) {
		if (!believed) {
			grant.doubted++;
		}
		if (grant.token < this.written.get(grant.key) && grant.mode != LockMode.READ) {
			if (grant.rejected++ == 0) {
				this.rejections.add(grant);
			}
			return false;
		}
		if (this.open.get(grant.key).stream().anyMatch((other) -> other.excludes(grant) && other.isAfter(grant))) {
			this.staleWriters.add(grant);
		}
		grant.accepted++;
		return true;
	}

	synchronized void exited(Grant grant, long unawareMillis) {
		grant.unawareMillis = unawareMillis;
		grant.exited = System.nanoTime();
		this.open.get(grant.key).remove(grant);
	}

	synchronized void lost(Grant grant, long nanos) {
		grant.lost = Math.min(grant.lost, nanos);
	}

	synchronized void attempted(Attempt attempt) {
		this.waits.add(attempt);
	}

	synchronized void happened(Incident incident) {
		this.incidents.add(incident);
	}

	synchronized void planned(Fault fault) {
		this.faults.add(fault);
	}

	synchronized long faultsFired() {
		return this.faults.stream().filter(Fault::hasFired).count();
	}

	synchronized void note(String name, String text) {
		this.notes.put(name, text);
	}

	Instructions instructions() {
		return this.instructions;
	}

	synchronized boolean holds(String worker, String key) {
		return this.open.getOrDefault(key, List.of()).stream().anyMatch((grant) -> grant.worker.equals(worker));
	}

	boolean wasGrantedSince(String key, long nanos) {
		return this.lastGranted.getOrDefault(key, Long.MIN_VALUE) - nanos > 0;
	}

	synchronized boolean hasGranted(int times) {
		return TortureKeys.ALL.stream()
			.allMatch((key) -> this.grants.stream().filter((grant) -> grant.key.equals(key)).count() >= times);
	}

	synchronized List<Grant> grants() {
		return List.copyOf(this.grants);
	}

	synchronized List<Overlap> overlaps() {
		return List.copyOf(this.overlaps);
	}

	synchronized List<Overlap> disorder() {
		return List.copyOf(this.disorder);
	}

	/**
	 * Return whether a write was accepted when somebody else had the lock already.
	 */
	synchronized boolean wroteStale(Grant grant) {
		return grant.mode != LockMode.READ && this.staleWriters.contains(grant);
	}

	/**
	 * Return the tenures of which a write was rejected.
	 */
	synchronized List<Grant> rejections() {
		return List.copyOf(this.rejections);
	}

	synchronized List<Incident> incidents() {
		return List.copyOf(this.incidents);
	}

	synchronized Map<String, String> notes() {
		return new TreeMap<>(this.notes);
	}

	synchronized int readersAtOnce() {
		return this.readersAtOnce;
	}

	Waits waits() {
		return this.waits;
	}

	long start() {
		return this.start;
	}

	long secondsAt(long nanos) {
		return (nanos - this.start) / 1_000_000_000;
	}

}
