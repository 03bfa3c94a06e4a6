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
import java.util.Optional;

import io.github.zklock.sample.console.ConsoleNode.Fault;

/**
 * The nodes of this process.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ConsoleCluster {

	/**
	 * Return the nodes that were started, stopped ones included.
	 * @return the nodes
	 */
	List<? extends ConsoleNode> all();

	/**
	 * Return the nodes that run and have a sound connection.
	 * @return the nodes
	 */
	default List<? extends ConsoleNode> sound() {
		return all().stream().filter((node) -> node.context() != null && node.fault() == Fault.NONE).toList();
	}

	/**
	 * Find a node.
	 * @param name its name
	 * @return the node, if there is one
	 */
	default Optional<? extends ConsoleNode> find(String name) {
		return all().stream().filter((node) -> node.name().equals(name)).findFirst();
	}

}
