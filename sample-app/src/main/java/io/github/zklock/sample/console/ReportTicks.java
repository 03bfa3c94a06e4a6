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

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The ticks of the report that have run, wherever that was.
 */
class ReportTicks {

	private final ConsoleCluster cluster;

	ReportTicks(ConsoleCluster cluster) {
		this.cluster = cluster;
	}

	/**
	 * Return the ticks that others than a node have run.
	 * @param since from when on, in milliseconds
	 * @param node the node
	 * @return the ticks, oldest first
	 */
	List<Snapshot.Tick> ofOthers(long since, String node) {
		return all().stream().filter((tick) -> tick.time() >= since && !tick.node().equals(node)).toList();
	}

	Snapshot.@Nullable Tick firstOfOthers(long since, String node) {
		return ofOthers(since, node).stream().findFirst().orElse(null);
	}

	private List<Snapshot.Tick> all() {
		for (ConsoleNode node : this.cluster.sound()) {
			ApplicationContext context = node.context();
			if (context != null) {
				try {
					return ClusterView.ticks(context.getBean(JdbcClient.class));
				}
				catch (DataAccessException | IllegalStateException ex) {
					// It is just being stopped.
				}
			}
		}
		return List.of();
	}

}
