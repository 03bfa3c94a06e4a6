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

import org.apache.zookeeper.ZooKeeper;

/**
 * A look at the queue of a key before entering it, for those who would not wait: a key
 * that is taken costs one read and no write. The server that answers may be a moment
 * behind, so a key that was just given back may still look taken. Whether it is free is
 * decided by the queue alone.
 */
final class QueueProbe {

	private QueueProbe() {
	}

	static void look(LockEngine engine, QueueContender contender, String directory, QueuePlace place) {
		ZooKeeper zooKeeper = contender.session().zooKeeper();
		if (engine.syncsBeforeTry()) {
			// What comes behind it on this connection sees what was committed before it.
			zooKeeper.sync(directory, (rc, synced, context) -> {
			}, null);
		}
		zooKeeper
			.getChildren(directory, false,
					(rc, listed, context, children) -> contender
						.reply(() -> contender.seen((children != null) ? QueueView.before(place, children) : null)),
					null);
	}

}
