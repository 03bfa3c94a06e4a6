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

package io.github.zklock.interceptor;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.NotAcquired;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * Makes the operation of a method from its annotation: placeholders resolved, key
 * compiled, everything checked that can be checked before the first call.
 */
final class LockAnnotationParser {

	private static final Logger logger = LoggerFactory.getLogger(LockAnnotationParser.class);

	private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";

	private final Supplier<? extends LockSettings> settings;

	private final Supplier<? extends StringValueResolver> placeholders;

	LockAnnotationParser(Supplier<? extends LockSettings> settings,
			Supplier<? extends StringValueResolver> placeholders) {
		this.settings = settings;
		this.placeholders = placeholders;
	}

	LockOperation parse(List<MergedAnnotation<DistributedLock>> annotations, Method method, Class<?> targetClass) {
		LockTarget target = new LockTarget(method, targetClass);
		ResultKind.of(target);
		List<LockSpecification> locks = annotations.stream().map((merged) -> specification(target, merged)).toList();
		DistributedLock annotation = annotations.get(0).synthesize();
		NotAcquired onNotAcquired = annotation.onNotAcquired();
		if (onNotAcquired == NotAcquired.AUTO && isScheduled(method)) {
			onNotAcquired = NotAcquired.SKIP;
		}
		return new LockOperation(method, targetClass, locks, onNotAcquired, annotation.onUnavailable(),
				annotation.fallbackMethod(), annotation.release());
	}

	private LockSpecification specification(LockTarget target, MergedAnnotation<DistributedLock> merged) {
		DistributedLock annotation = merged.synthesize();
		// An annotated interface method may name its parameters differently.
		Method named = (merged.getSource() instanceof Method source) ? source : target.method();
		LockKeyExpression key = new LockKeyParser(target, named).parse(resolve(target, "key", annotation.key()));
		String name = name(target, annotation);
		Duration waitTime = waitTime(target, annotation, name, isScheduled(target.method()));
		Duration atLeast = LockDuration.atLeast(target, resolve(target, "atLeast", annotation.atLeast()));
		return new LockSpecification(key, annotation.mode(), waitTime, name, annotation.reentrant(), atLeast,
				annotation.onLost(), isEnabled(target, name));
	}

	private static boolean isScheduled(Method method) {
		return isAnnotated(method, SCHEDULED);
	}

	private String name(LockTarget target, DistributedLock annotation) {
		String name = resolve(target, "name", annotation.name());
		if (!name.isBlank()) {
			return name;
		}
		String simpleName = target.targetClass().getSimpleName();
		return (simpleName.isEmpty() ? ClassUtils.getShortName(target.targetClass()) : simpleName) + "."
				+ target.method().getName();
	}

	private Duration waitTime(LockTarget target, DistributedLock annotation, String name, boolean scheduled) {
		Duration declared = LockDuration.declared(target, annotation.waitMs(),
				resolve(target, "waitTime", annotation.waitTime()));
		LockSettings settings = this.settings.get();
		Duration configured = override(target, name, () -> settings.wait(name));
		if (configured != null && configured.isNegative()) {
			throw target.invalid(
					"has the negative wait " + configured + " by the property zk-lock.locks." + name + ".wait",
					"Set the property to 0 or more, or remove it.");
		}
		if (configured != null) {
			return configured;
		}
		if (declared != null) {
			return declared;
		}
		return scheduled ? Duration.ZERO : settings.defaultWait();
	}

	private <T extends @Nullable Object> T override(LockTarget target, String name, Supplier<T> setting) {
		try {
			return setting.get();
		}
		catch (RuntimeException ex) {
			throw target.invalid("has an override that cannot be read: " + ex.getMessage(),
					"Correct or remove the properties zk-lock.locks." + name + ".*.", ex);
		}
	}

	private boolean isEnabled(LockTarget target, String name) {
		boolean enabled = override(target, name, () -> this.settings.get().isEnabled(name));
		if (!enabled) {
			logger.warn("Lock '{}' is disabled by configuration: {} runs without it", name, target);
		}
		return enabled;
	}

	private String resolve(LockTarget target, String attribute, String text) {
		if (text.isEmpty()) {
			return text;
		}
		try {
			String resolved = this.placeholders.get().resolveStringValue(text);
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

	private static boolean isAnnotated(AnnotatedElement element, String type) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(type);
	}

}
