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

package io.github.zklock.zookeeper.inspect.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.Locale;

import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many names an inspection reads, as its documentation states it.
 */
class InspectionFiguresTests {

	private static final int DEFAULT_ROOM = ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT;

	private static final int ROOM_OF_BUILT_CLIENT = 32 << 20;

	@Test
	void pageStatesHowManyNodesOfAQueueFit() throws IOException {
		assertThat(page()).contains("the queue of a key beyond " + most(DEFAULT_ROOM, QueueInspection.LONGEST_NODE, 100)
				+ " nodes (contenders, and stamps)");
	}

	@Test
	void pageStatesHowManyKeysFit() throws IOException {
		assertThat(page())
			.contains("default of 1 MB refuses queries beyond " + most(DEFAULT_ROOM, LockPaths.MAX_NAME_LENGTH, 100)
					+ " keys")
			.contains("accepts 32 MB (" + most(ROOM_OF_BUILT_CLIENT, LockPaths.MAX_NAME_LENGTH, 1000) + " keys");
	}

	private static String page() throws IOException {
		return Files.readString(Path.of("src/main/java/io/github/zklock/zookeeper/inspect/ZooKeeperLockInspector.java"))
			.replaceAll("[\\s*]+", " ");
	}

	// Rounded down.
	private static String most(int room, int longest, int step) {
		int nodes = step;
		while (BoundedReads.bytes(nodes + step, longest) <= room) {
			nodes += step;
		}
		return NumberFormat.getIntegerInstance(Locale.ROOT).format(nodes);
	}

}
