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

package io.github.zklock.benchmarks.job;

import java.util.List;
import java.util.stream.Stream;

/**
 * A library that runs a job on several nodes.
 */
enum JobPeer {

	ELASTIC_JOB("ElasticJob", ElasticJobNode.class),

	ZK_LOCK("zk-lock", ZkLockNode.class),

	ZK_LOCK_INTERRUPT("zk-lock, `onLost = INTERRUPT`", ZkLockNode.class, "interrupt");

	static final int SESSION_MILLIS = 8000;

	private final String label;

	private final Class<?> node;

	private final List<String> more;

	JobPeer(String label, Class<?> node, String... more) {
		this.label = label;
		this.node = node;
		this.more = List.of(more);
	}

	String label() {
		return this.label;
	}

	/**
	 * Return whether something is tried with this library.
	 * @param fault what happens
	 * @return {@code true} if its settings matter there
	 */
	boolean takesPartIn(JobFault fault) {
		return this.more.isEmpty() || fault == JobFault.STOP;
	}

	String node() {
		return this.node.getName();
	}

	String[] arguments(JobPlan plan, String connectString) {
		return Stream.concat(Stream.of(plan.arguments(connectString)), this.more.stream()).toArray(String[]::new);
	}

}
