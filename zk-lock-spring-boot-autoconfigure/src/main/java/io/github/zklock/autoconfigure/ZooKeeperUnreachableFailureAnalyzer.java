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
 * Analyzes the start of an application that fails fast without ZooKeeper.
 */
class ZooKeeperUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<ZooKeeperUnreachableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ZooKeeperUnreachableException cause) {
		return new FailureAnalysis(
				"ZooKeeper at '" + cause.getConnectString() + "'" + " could not be reached within "
						+ cause.getWaited().toMillis() + "ms, and '" + "zk-lock.fail-fast' is enabled"
						+ ((cause.getProblem() != null) ? ": " + cause.getProblem() + "." : "."),
				((cause.getProblem() != null) ? "Correct the SSL bundle, 'zk-lock.ssl.*' or the certificates"
						: "Start ZooKeeper") + ", or correct the property '"
						+ "zk-lock.connect-string'. If ZooKeeper only needs longer, " + "raise 'zk-lock.startup-timeout"
						+ "'. If the application is to start without ZooKeeper and connect later, set '"
						+ "zk-lock.fail-fast' to false.",
				cause);
	}

}
