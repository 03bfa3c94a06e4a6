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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Directories of many keys, created quickly, without locks.
 */
public final class ManyKeys {

	private static final int BATCH = 2000;

	private static final byte[] NOTHING = new byte[0];

	private ManyKeys() {
	}

	/**
	 * Create {@code key-0}, {@code key-1} and so on.
	 * @param connectString the server
	 * @param root the node under which they are, created as well
	 * @param count how many
	 */
	public static void create(String connectString, String root, int count) {
		create(connectString, root, count, (i) -> "key-" + i);
	}

	/**
	 * Create nodes.
	 * @param connectString the server
	 * @param root the node under which they are, created as well
	 * @param count how many
	 * @param name gives the name of each
	 */
	public static void create(String connectString, String root, int count, IntFunction<String> name) {
		CountDownLatch batches = new CountDownLatch((count + BATCH - 1) / BATCH);
		AtomicInteger failed = new AtomicInteger();
		try (ZooKeeper zooKeeper = new ZooKeeper(connectString, 60_000, (event) -> {
		})) {
			if (zooKeeper.exists(root, false) == null) {
				zooKeeper.create(root, NOTHING, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
			}
			for (int from = 0; from < count; from += BATCH) {
				List<Op> batch = new ArrayList<>(BATCH);
				for (int i = from; i < Math.min(from + BATCH, count); i++) {
					batch
						.add(Op.create(root + "/" + name.apply(i), NOTHING, Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER));
				}
				zooKeeper.multi(batch, (rc, path, context, results) -> {
					failed.addAndGet((rc != 0) ? 1 : 0);
					batches.countDown();
				}, null);
			}
			assertThat(batches.await(120, TimeUnit.SECONDS)).isTrue();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		assertThat(failed).hasValue(0);
	}

}
