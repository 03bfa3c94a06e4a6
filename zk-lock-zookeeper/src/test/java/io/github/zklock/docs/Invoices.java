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

package io.github.zklock.docs;

import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockListener;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * The program of {@code docs/plain-java.md}.
 */
public class Invoices {

	/**
	 * Write invoices.
	 * @param arguments where ZooKeeper is
	 */
	public static void main(String[] arguments) {
		try (CuratorFramework client = CuratorFrameworkFactory.newClient(arguments[0], 20_000, 5_000,
				new ExponentialBackoffRetry(100, 3))) {
			client.start();
			try (ZooKeeperLockProvider provider = ZooKeeperLockProvider.builder(client)
				.application("invoices")
				.shutdownGrace(Duration.ofSeconds(30))
				.build()) {
				LockTemplate locks = new LockTemplate(provider, List.of(new Losses()));
				System.out.println(new Invoices().write(locks, 42));
			}
		}
	}

	String write(LockTemplate locks, long id) {
		LockRequest request = LockRequest.of("invoice:" + id).withWait(Duration.ofSeconds(5));
		try {
			return locks.execute(request, (handle) -> {
				String text = "invoice " + id + " under token " + handle.fencingToken();
				handle.assertHeld();
				return text;
			});
		}
		catch (LockNotAcquiredException ex) {
			return "later: " + ex.getMessage();
		}
	}

	static class Losses implements LockListener {

		@Override
		public void lost(LockRequest request, LockHandle handle) {
			System.err.println("Lost: " + handle.key());
		}

	}

}
