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

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives all tests a timeout that is longer than a slow machine needs, and a short poll
 * interval.
 */
public final class PatientAwaitility implements BeforeAllCallback {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	// A hundred milliseconds, the default, are most of the time of many tests.
	private static final Duration INTERVAL = Duration.ofMillis(10);

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(PATIENCE);
		Awaitility.setDefaultPollInterval(INTERVAL);
		// A thread of another test must not fail the one that waits.
		Awaitility.doNotCatchUncaughtExceptionsByDefault();
	}

}
