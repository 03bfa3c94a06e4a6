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

/**
 * What can be done to one node.
 */
class NodeActions {

	private final ConsoleCluster cluster;

	private final NodeStates nodes;

	NodeActions(ConsoleCluster cluster, NodeStates nodes) {
		this.cluster = cluster;
		this.nodes = nodes;
	}

	List<ConsoleAction> all() {
		return List.of(ConsoleAction.ofNode("stop", "Stop it",
				"Its session ends and another node runs the next tick of the report.", NodeActions::runs, (node) -> {
					node.stop();
					return node.name() + " has stopped.";
				}));
	}

	static @Nullable String runs(ConsoleNode node) {
		return (node.context() != null) ? null : node.name() + " does not run";
	}

}
