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

package io.github.zklock.sample;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * Skips container tests where there is no Docker, and says so in one sentence.
 */
class DockerCondition implements ExecutionCondition {

	private static final Logger logger = LoggerFactory.getLogger(DockerCondition.class);

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		// Asked once for the class; its methods are not run at all without Docker.
		if (context.getTestMethod().isPresent() || DockerClientFactory.instance().isDockerAvailable()) {
			return ConditionEvaluationResult.enabled("Docker answers");
		}
		String reason = "No Docker daemon answers, so container tests like " + context.getDisplayName()
				+ " are skipped. All other tests run without one.";
		logger.warn(reason);
		return ConditionEvaluationResult.disabled(reason);
	}

}
