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
 * Analyzes a connect string that is not valid.
 */
class InvalidConnectStringFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConnectStringException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConnectStringException cause) {
		return new FailureAnalysis(
				"The connect string '" + cause.getConnectString() + "' of ZooKeeper is not valid: " + cause.getProblem()
						+ ".",
				"Review the value of the property 'zk-lock.connect-string', or the ZkLockConnectionDetails bean if "
						+ "there is one. It lists host:port pairs separated by commas, optionally followed by a "
						+ "chroot path, like 'zk1:2181,zk2:2181,zk3:2181/app'.",
				cause);
	}

}
