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

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A look at the queue of a key before entering it, for those who would not wait, or come
 * for a run that may have happened: a key that is taken costs one read and no write. The
 * server that answers may be a moment behind, so a key that was just given back may still
 * look taken. Whether it is free is decided by the queue alone.
 */
final class QueueProbe {

	private QueueProbe() {
	}

	static void look(LockEngine engine, QueueContender contender, String directory) {
		if (engine.syncsBeforeTry()) {
			// What comes behind it on this connection sees what was committed before it.
			contender.session().zooKeeper().sync(directory, (rc, synced, context) -> {
			}, null);
		}
		engine.requests(contender.session())
			.send(new ListRequest(directory, (int rc, String asked, Object context,
					@Nullable List<String> children) -> contender.reply(() -> contender.probed(children))));
	}

}
