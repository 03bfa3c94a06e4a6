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

package io.github.zklock.support;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The requests that a {@link FaultProxy} has seen.
 */
public final class RequestLog {

	private final Queue<Request> requests = new ConcurrentLinkedQueue<>();

	/**
	 * Return how many requests of a kind on some path there were.
	 * @param operation the kind of request
	 * @param path a part of the path
	 * @return the number of requests
	 */
	public long count(ZooKeeperOperation operation, String path) {
		return this.requests.stream()
			.filter((request) -> request.operation == operation && request.path.contains(path))
			.count();
	}

	/**
	 * Return how many requests there were from now on, once some code has run.
	 * @param path a part of their paths
	 * @param code the code
	 * @return the number of requests of each kind that there were
	 * @throws Exception what the code throws
	 */
	public Map<ZooKeeperOperation, Long> during(String path, Callable<?> code) throws Exception {
		int before = this.requests.size();
		code.call();
		return this.requests.stream()
			.skip(before)
			.filter((request) -> request.path.contains(path))
			.collect(Collectors.groupingBy(Request::operation, TreeMap::new, Collectors.counting()));
	}

	/**
	 * Return how many requests of each kind on some path there were.
	 * @param path a part of the path
	 * @return the numbers of requests
	 */
	public Map<ZooKeeperOperation, Long> counts(String path) {
		return this.requests.stream()
			.filter((request) -> request.path.contains(path))
			.collect(Collectors.groupingBy((request) -> request.operation, TreeMap::new, Collectors.counting()));
	}

	void add(ZooKeeperOperation operation, String path) {
		this.requests.add(new Request(operation, path));
	}

	private record Request(ZooKeeperOperation operation, String path) {
	}

}
