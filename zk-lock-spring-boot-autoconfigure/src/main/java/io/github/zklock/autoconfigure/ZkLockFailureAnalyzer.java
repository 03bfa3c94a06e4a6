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

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.zookeeper.client.ZooKeeperStartupException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Analyzes the failures that know their remedy. An annotated method cannot be guarded, or
 * the configuration or the ensemble does not allow the start.
 */
class ZkLockFailureAnalyzer implements FailureAnalyzer {

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InvalidLockUsageException usage) {
				return new FailureAnalysis(usage.getDescription(), usage.getAction(), usage);
			}
			if (cause instanceof ZooKeeperStartupException startup) {
				return new FailureAnalysis(startup.getDescription(), startup.getAction(), startup);
			}
		}
		return null;
	}

}
