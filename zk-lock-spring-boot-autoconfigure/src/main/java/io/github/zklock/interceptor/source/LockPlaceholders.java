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

package io.github.zklock.interceptor.source;

import java.util.function.Supplier;

import io.github.zklock.interceptor.operation.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringValueResolver;

/**
 * Resolves the placeholders in what an annotation says.
 */
final class LockPlaceholders {

	private final Supplier<? extends StringValueResolver> resolver;

	LockPlaceholders(Supplier<? extends StringValueResolver> resolver) {
		this.resolver = resolver;
	}

	String resolve(LockTarget target, String attribute, String text) {
		if (text.isEmpty()) {
			return text;
		}
		try {
			String resolved = this.resolver.get().resolveStringValue(text);
			if (resolved == null) {
				return "";
			}
			// Some resolvers leave in place what they do not know.
			if (!resolved.contains("${")) {
				return resolved;
			}
		}
		catch (IllegalArgumentException ex) {
			throw unresolved(target, attribute, text, ex);
		}
		throw unresolved(target, attribute, text, null);
	}

	private static InvalidLockUsageException unresolved(LockTarget target, String attribute, String text,
			@Nullable Throwable cause) {
		return target.invalid("has the " + attribute + " '" + text + "', in which a placeholder cannot be resolved",
				"Define the property, or give the placeholder a default: ${name:default}.", cause);
	}

}
