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

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Draws requests of every kind that the engine sends, sensible and senseless ones, on few
 * nodes, so that they meet.
 */
final class RandomRequests {

	private static final List<CreateMode> MODES = List.of(CreateMode.PERSISTENT, CreateMode.PERSISTENT,
			CreateMode.CONTAINER, CreateMode.CONTAINER, CreateMode.EPHEMERAL, CreateMode.EPHEMERAL,
			CreateMode.PERSISTENT_SEQUENTIAL, CreateMode.EPHEMERAL_SEQUENTIAL, CreateMode.EPHEMERAL_SEQUENTIAL,
			CreateMode.EPHEMERAL_SEQUENTIAL);

	private static final List<WatcherType> TYPES = List.of(WatcherType.Data, WatcherType.Children, WatcherType.Any);

	private final SplittableRandom random;

	/** Nodes with a number in their name, which only the server knows in advance. */
	private final List<String> numbered = new ArrayList<>();

	private final Queue<String> created = new ConcurrentLinkedQueue<>();

	RandomRequests(SplittableRandom random) {
		this.random = random;
	}

	void send(RecordedClient client) {
		int draw = this.random.nextInt(100);
		if (draw < 24) {
			create(client);
		}
		else if (draw < 42) {
			client.delete(path(), version());
		}
		else if (draw < 50) {
			client.setData(path(), "data " + this.random.nextInt(1000), version());
		}
		else if (draw < 60) {
			client.getData(path(), watcher());
		}
		else if (draw < 70) {
			client.exists(path(), watcher());
		}
		else if (draw < 76) {
			client.getChildren(path(), watcher());
		}
		else if (draw < 81) {
			client.getChildrenAndStat(path(), watcher());
		}
		else if (draw < 84) {
			client.sync(path());
		}
		else if (draw < 92) {
			client.multi((this.random.nextInt(4) == 0) ? reads() : operations());
		}
		else if (draw < 96) {
			client.removeAllWatches(path(), any(TYPES), this.random.nextBoolean());
		}
		else {
			client.removeWatches(path(), "w" + this.random.nextInt(3), any(TYPES), this.random.nextBoolean());
		}
	}

	/**
	 * Learn the names of the nodes that were created. Not earlier, since replies come
	 * while requests are still drawn.
	 */
	void learn() {
		this.numbered.addAll(this.created);
		this.created.clear();
	}

	/**
	 * Create a node of which no client is told, since nobody watches the root.
	 */
	void createUnwatched(RecordedClient client) {
		client.create("/n-", CreateMode.EPHEMERAL_SEQUENTIAL);
	}

	private void create(RecordedClient client) {
		CreateMode mode = any(MODES);
		client.create(prefix(mode), mode, acl(), (created) -> {
			if (mode.isSequential()) {
				this.created.add(created);
			}
		});
	}

	private List<Op> operations() {
		return Stream.generate(this::operation).limit(1 + this.random.nextInt(4)).toList();
	}

	private List<Op> reads() {
		return Stream.generate(() -> this.random.nextBoolean() ? Op.getChildren(path()) : Op.getData(path()))
			.limit(1 + this.random.nextInt(3))
			.toList();
	}

	private Op operation() {
		CreateMode mode = any(MODES);
		return switch (this.random.nextInt(5)) {
			case 0 -> Op.create(prefix(mode), new byte[3], acl(), mode);
			case 1 -> Op.delete(path(), version());
			case 2 -> Op.setData(path(), new byte[5], version());
			case 3 -> Op.create(prefix(mode), new byte[4], CreateOptions.newBuilder(acl(), mode).build());
			default -> Op.check(path(), version());
		};
	}

	// Hardly ever one that lets nobody create or delete children.
	private List<ACL> acl() {
		return (this.random.nextInt(50) == 0) ? Ids.READ_ACL_UNSAFE : Ids.OPEN_ACL_UNSAFE;
	}

	private String prefix(CreateMode mode) {
		return mode.isSequential() ? directory() + "/n-" : node();
	}

	private String path() {
		int draw = this.random.nextInt(1000);
		if (draw % 3 == 0 && !this.numbered.isEmpty()) {
			int recent = Math.min(this.numbered.size(), 20);
			return this.numbered.get(this.numbered.size() - 1 - draw % recent);
		}
		return node();
	}

	// Of one to three levels: the node of a level is the directory of the next one.
	private String node() {
		return directory() + "/" + (char) ('a' + this.random.nextInt(3));
	}

	private String directory() {
		StringBuilder directory = new StringBuilder();
		for (int level = this.random.nextInt(3); level > 0; level--) {
			directory.append('/').append((char) ('a' + this.random.nextInt(3)));
		}
		return directory.toString();
	}

	private int version() {
		return Math.max(this.random.nextInt(6) - 3, -1);
	}

	private @Nullable String watcher() {
		int draw = this.random.nextInt(5);
		return (draw < 3) ? "w" + draw : null;
	}

	private <T> T any(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

}
