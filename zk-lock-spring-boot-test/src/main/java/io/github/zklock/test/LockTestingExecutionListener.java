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

package io.github.zklock.test;

import java.util.function.Consumer;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Resets the locks of the application context after each test.
 */
final class LockTestingExecutionListener extends AbstractTestExecutionListener {

	@Override
	public void beforeTestMethod(TestContext testContext) {
		tell(testContext, LockTesting::beginTest);
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		tell(testContext, LockTesting::reset);
	}

	private static void tell(TestContext testContext, Consumer<LockTesting> news) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(LockTesting.class).ifAvailable(news);
		}
	}

}
