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

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * A server's refusal of a request, injected for a test.
 */
@FunctionalInterface
public interface RequestFault {

	/**
	 * Return the error with which the server answers instead of processing the request,
	 * or nothing when it processes it.
	 * @param client the name of the client
	 * @param type its operation, as in {@code ZooDefs.OpCode}
	 * @param path its path; empty for a {@code multi}
	 */
	@Nullable Code on(String client, int type, String path);

}
