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

package io.github.zklock.torture;

import java.io.IOException;
import java.util.regex.Pattern;

import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/**
 * A client that sends no write before a search, but a read, which the server that it is
 * connected to answers, whatever that server has missed. The write is the deletion of a
 * name that lacks its number, which no node has.
 */
final class UnsettledZooKeeper extends ZooKeeper {

	private static final Pattern NAME = Pattern.compile(".*/z\\p{XDigit}+-\\p{XDigit}+-");

	UnsettledZooKeeper(String connectString, int sessionTimeout, Watcher watcher) throws IOException {
		super(connectString, sessionTimeout, watcher);
	}

	@Override
	public void delete(String path, int version, VoidCallback callback, Object context) {
		if (NAME.matcher(path).matches()) {
			exists("/", false, (rc, asked, same, stat) -> callback
				.processResult((rc == Code.OK.intValue()) ? Code.NONODE.intValue() : rc, path, context), null);
		}
		else {
			super.delete(path, version, callback, context);
		}
	}

}
