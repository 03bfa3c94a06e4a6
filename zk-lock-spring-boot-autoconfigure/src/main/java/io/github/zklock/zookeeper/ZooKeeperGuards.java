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

import io.github.zklock.core.LockHandle;
import io.github.zklock.zookeeper.local.ZooKeeperLockHandle;
import org.apache.zookeeper.Op;

/**
 * Guards writes to ZooKeeper with a lock that is held there: the write of a holder that
 * comes too late is refused.
 *
 * <pre class="code">
 * zooKeeper.multi(List.of(ZooKeeperGuards.check(handle), Op.setData(path, data, -1)));
 * </pre>
 *
 * @since 0.1.0
 */
public final class ZooKeeperGuards {

	private ZooKeeperGuards() {
	}

	/**
	 * Return the operation that fails when the node of the lock is gone, as it is before
	 * another client gets the lock. Within one client the next holder may use the same
	 * node, so do not use the operation after the release.
	 * @param handle the lock, for one key
	 * @return the operation, for a {@code multi} of a client of the same ensemble without
	 * a namespace, and with the same chroot
	 * @throws io.github.zklock.core.LockLostException if the lock is not known to be held
	 * @throws IllegalArgumentException if it is no single lock of ZooKeeper
	 */
	public static Op check(LockHandle handle) {
		handle.assertHeld();
		ZooKeeperLockHandle lock = handle.unwrap(ZooKeeperLockHandle.class);
		if (lock == null) {
			throw new IllegalArgumentException(
					handle + " is not a single lock of ZooKeeper: for several keys, guard each of its handles()");
		}
		return Op.check(lock.path(), -1);
	}

}
