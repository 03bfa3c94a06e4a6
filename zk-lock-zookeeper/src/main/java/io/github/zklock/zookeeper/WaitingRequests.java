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

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.zookeeper.local.LockAttempt;

/**
 * The requests that wait, with their number for each key. Thread safe.
 */
final class WaitingRequests extends AbstractSet<LockAttempt> {

	private final Set<LockAttempt> all;

	private final Map<String, Integer> ofKeys = new ConcurrentHashMap<>();

	/**
	 * Create an instance.
	 * @param all an empty set that any thread may use
	 */
	WaitingRequests(Set<LockAttempt> all) {
		this.all = all;
	}

	/**
	 * Return how many of them wait for a key, without a walk through the others.
	 */
	int of(String key) {
		return this.ofKeys.getOrDefault(key, 0);
	}

	@Override
	public boolean add(LockAttempt attempt) {
		if (!this.all.add(attempt)) {
			return false;
		}
		this.ofKeys.merge(attempt.request().key(), 1, Integer::sum);
		return true;
	}

	@Override
	public boolean remove(Object attempt) {
		if (!this.all.remove(attempt) || !(attempt instanceof LockAttempt known)) {
			return false;
		}
		this.ofKeys.computeIfPresent(known.request().key(), (key, number) -> (number > 1) ? number - 1 : null);
		return true;
	}

	@Override
	public Iterator<LockAttempt> iterator() {
		return this.all.iterator();
	}

	@Override
	public int size() {
		return this.all.size();
	}

}
