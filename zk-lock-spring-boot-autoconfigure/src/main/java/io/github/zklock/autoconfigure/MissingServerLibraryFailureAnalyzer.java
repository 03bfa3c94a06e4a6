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

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes an embedded server that cannot be started for want of its libraries.
 */
class MissingServerLibraryFailureAnalyzer extends AbstractFailureAnalyzer<MissingServerLibraryException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingServerLibraryException cause) {
		return new FailureAnalysis(
				"'zk-lock.embedded.enabled' is true, but the ZooKeeper server cannot run: it needs libraries that the "
						+ "client does not need, and the starter does not bring.",
				"Add " + String.join(" and ", cause.getLibraries())
						+ " to the dependencies of the application, or set 'zk-lock.embedded.enabled' to false and "
						+ "'zk-lock.connect-string' to the address of a running server.",
				cause);
	}

}
