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

package io.github.zklock.simulation;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.DataTree;
import org.jspecify.annotations.Nullable;

/**
 * How the judge sees a server's tree.
 */
final class TreeView {

	private TreeView() {
	}

	static @Nullable NodeView node(DataTree tree, String path) {
		DataNode node = tree.getNode(path);
		return (node != null) ? new NodeView(path, node.stat.getCzxid(), node.stat.getVersion(),
				node.stat.getEphemeralOwner(), node.getData(), List.copyOf(new TreeSet<>(node.getChildren()))) : null;
	}

	static SortedMap<String, NodeView> nodes(DataTree tree) {
		TreeMap<String, NodeView> nodes = new TreeMap<>();
		collect(tree, "/", nodes);
		return nodes;
	}

	private static void collect(DataTree tree, String path, TreeMap<String, NodeView> nodes) {
		NodeView node = node(tree, path);
		if (node != null && !path.equals("/zookeeper")) {
			nodes.put(path, node);
			for (String child : node.children()) {
				collect(tree, path.equals("/") ? "/" + child : path + "/" + child, nodes);
			}
		}
	}

}
