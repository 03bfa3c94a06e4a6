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

package io.github.zklock.support;

import java.io.File;
import java.io.IOException;

import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * A server that gives away its first processor, which those need who write to it without
 * a client.
 */
final class FixtureServer extends ZooKeeperServer {

	FixtureServer(File data) throws IOException {
		super(data, data, (int) ZooKeeperServerFixture.TICK.toMillis());
	}

	RequestProcessor first() {
		return this.firstProcessor;
	}

}
