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

package io.github.zklock.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper could not be reached at startup, and the application is to stop then.
 */
@SuppressWarnings("serial")
class ZooKeeperUnreachableException extends RuntimeException {

	private final String connectString;

	private final Duration waited;

	private final @Nullable String problem;

	ZooKeeperUnreachableException(String connectString, Duration waited, @Nullable String problem) {
		super("ZooKeeper at '" + connectString + "' could not be reached within " + waited.toMillis()
				+ "ms, and zk-lock.fail-fast is enabled" + ((problem != null) ? ": " + problem : ""));
		this.connectString = connectString;
		this.waited = waited;
		this.problem = problem;
	}

	String getConnectString() {
		return this.connectString;
	}

	Duration getWaited() {
		return this.waited;
	}

	@Nullable String getProblem() {
		return this.problem;
	}

}
