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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.github.zklock.zookeeper.node.QueueNode;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.server.EphemeralType;

/**
 * A node as the files of the wire format show it: its path and its kind in one line, and
 * the lines of its data, if it has any, each behind a bar.
 *
 * @param path the path
 * @param mode the kind
 * @param data the data
 */
record WireNode(String path, CreateMode mode, String data) {

	private static final Path FILES = Path.of("src", "test", "resources", "wire-format");

	private static final String TIME = "[0-9-]{10}T[0-9:]{8}(\\.[0-9]{3})?Z";

	static String text(String file) throws IOException {
		return Files.readString(FILES.resolve(file));
	}

	static List<WireNode> parse(String text) {
		List<WireNode> nodes = new ArrayList<>();
		for (String line : text.lines().toList()) {
			if (line.startsWith("|")) {
				WireNode node = nodes.remove(nodes.size() - 1);
				String data = node.data().isEmpty() ? line.substring(1) : node.data() + "\n" + line.substring(1);
				nodes.add(new WireNode(node.path(), node.mode(), data));
			}
			else {
				String[] parts = line.split(" ");
				nodes.add(new WireNode(parts[0], CreateMode.valueOf(parts[1].toUpperCase(Locale.ROOT)), ""));
			}
		}
		return nodes;
	}

	/**
	 * Return the node and all below it, in the order of their paths.
	 * @param owner knows what the server keeps for each of them, and does not tell
	 * clients: whose it is
	 */
	static List<WireNode> read(CuratorFramework client, String path, ToLongFunction<String> owner) throws Exception {
		List<WireNode> nodes = new ArrayList<>();
		byte[] data = client.getData().forPath(path);
		CreateMode mode = switch (EphemeralType.get(owner.applyAsLong(path))) {
			case VOID -> CreateMode.PERSISTENT;
			case NORMAL -> CreateMode.EPHEMERAL;
			case CONTAINER -> CreateMode.CONTAINER;
			case TTL -> CreateMode.PERSISTENT_WITH_TTL;
		};
		nodes.add(new WireNode(path, mode, new String(data, StandardCharsets.UTF_8)));
		for (String child : client.getChildren().forPath(path)) {
			nodes.addAll(read(client, path + "/" + child, owner));
		}
		nodes.sort(Comparator.comparing(WireNode::path));
		return nodes;
	}

	void create(CuratorFramework client) throws Exception {
		client.create().withMode(this.mode).forPath(this.path, this.data.getBytes(StandardCharsets.UTF_8));
	}

	boolean isContender() {
		return QueueNode.parse(this.path.substring(this.path.lastIndexOf('/') + 1)) != null;
	}

	/**
	 * Return the node without what is different at each run.
	 */
	WireNode shape() {
		String shape = this.path.replaceAll("/z[0-9a-f]{10}-[0-9a-f]+-", "/z<process>-<number>-")
			.replaceAll("-[0-9a-f]+(-r?least-[0-9]+)-[0-9]+$", "-<count>$1-<slack>")
			.replaceAll("/~sessions/[0-9a-f]+$", "/~sessions/<session>")
			.replaceAll("[0-9]{10}$", "<sequence>");
		return new WireNode(shape, this.mode,
				this.data.replaceAll("(?m)^(host|thread)=.+$", "$1=<$1>")
					.replaceAll("(?m)^pid=[0-9]+$", "pid=<pid>")
					.replaceAll("(?m)^call=[0-9a-f]{32}$", "call=<call>")
					.replaceAll("(?m)^process=[0-9a-f]{10}$", "process=<process>")
					.replaceAll("(?m)^lock=z[0-9a-f]{10}-[0-9a-f]+-(.*)[0-9]{10}$", "lock=<contender>$1<sequence>")
					.replaceAll("(?m)^began=" + TIME + "$", "began=<time>")
					.replaceAll("(?m)^(run=\\S+) " + TIME + " " + TIME + " " + TIME, "$1 <time> <time> <time>")
					.replaceAll("(?m)^pause=" + TIME + " " + TIME + "$", "pause=<time> <time>"));
	}

	@Override
	public String toString() {
		String lines = this.data.isEmpty() ? ""
				: this.data.lines().map((line) -> "|" + line + "\n").collect(Collectors.joining())
						+ (this.data.endsWith("\n") ? "|\n" : "");
		return this.path + " " + this.mode.name().toLowerCase(Locale.ROOT) + "\n" + lines;
	}

}
