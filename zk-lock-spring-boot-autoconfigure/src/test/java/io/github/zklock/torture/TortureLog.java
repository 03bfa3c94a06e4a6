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
import java.util.List;
import java.util.Map;

import io.github.zklock.core.LockMode;

/**
 * Everything that happened in a run, in the order in which the register saw it.
 */
final class TortureLog {

	private final long start = System.nanoTime();

	private final List<Grant> grants = new ArrayList<>();

	private final List<Attempt> attempts = new ArrayList<>();

	private final List<Overlap> overlaps = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private final Map<String, List<Grant>> open = new HashMap<>();

	private final Map<String, Long> greatest = new HashMap<>();

	private int readersAtOnce;

	synchronized void entered(Grant grant) {
		List<Grant> holders = this.open.computeIfAbsent(grant.key, (key) -> new ArrayList<>());
		for (Grant holder : holders) {
			if (holder.excludes(grant)) {
				this.overlaps.add(new Overlap(holder, grant));
			}
		}
		long last = this.grants.stream()
			.filter((earlier) -> earlier.key.equals(grant.key) && earlier.excludes(grant))
			.mapToLong((earlier) -> earlier.token)
			.max()
			.orElse(0);
		if (grant.token <= last) {
			this.violations.add(grant + " came after token 0x" + Long.toHexString(last));
		}
		holders.add(grant);
		this.grants.add(grant);
		int readers = (int) holders.stream().filter((holder) -> holder.mode == LockMode.READ).count();
		this.readersAtOnce = Math.max(this.readersAtOnce, readers);
	}

	synchronized boolean wrote(Grant grant, boolean believed) {
		long greatest = this.greatest.getOrDefault(grant.key, 0L);
		if (!believed) {
			grant.doubted++;
		}
		if (grant.token < greatest) {
			grant.rejected++;
			return false;
		}
		this.greatest.put(grant.key, grant.token);
		grant.accepted++;
		return true;
	}

	synchronized void exited(Grant grant) {
		grant.exited = System.nanoTime();
		this.open.get(grant.key).remove(grant);
	}

	synchronized void lost(Grant grant) {
		grant.lost = Math.min(grant.lost, System.nanoTime());
	}

	synchronized void attempted(Attempt attempt) {
		this.attempts.add(attempt);
	}

	synchronized List<Grant> grants() {
		return List.copyOf(this.grants);
	}

	synchronized List<Attempt> attempts() {
		return List.copyOf(this.attempts);
	}

	synchronized List<Overlap> overlaps() {
		return List.copyOf(this.overlaps);
	}

	synchronized List<String> violations() {
		return List.copyOf(this.violations);
	}

	synchronized int readersAtOnce() {
		return this.readersAtOnce;
	}

	long start() {
		return this.start;
	}

}
