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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * For tests that judge the promises over many schedules, some of them drawn anew each
 * time: a test of them that has failed fails again, whatever the next schedules show.
 * Others may be run once more where the build asks for that.
 */
public final class OneChance implements BeforeEachCallback, TestWatcher {

	private static final Map<String, Throwable> failures = new ConcurrentHashMap<>();

	@Override
	public void beforeEach(ExtensionContext context) {
		Throwable failure = failures.get(context.getUniqueId());
		if (failure != null) {
			throw new AssertionError("It has failed before, and is not judged again", failure);
		}
	}

	@Override
	public void testFailed(ExtensionContext context, Throwable cause) {
		failures.put(context.getUniqueId(), cause);
	}

}
