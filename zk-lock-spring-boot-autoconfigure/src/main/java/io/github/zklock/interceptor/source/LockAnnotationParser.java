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

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.NotAcquired;
import io.github.zklock.annotation.Unavailable;
import io.github.zklock.interceptor.expression.LockKeyParser;
import io.github.zklock.interceptor.expression.LockPermits;
import io.github.zklock.interceptor.operation.LockExpression;
import io.github.zklock.interceptor.operation.LockFallback;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.ResultKind;
import io.github.zklock.interceptor.operation.SkippedResult;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.StringValueResolver;

/**
 * Makes the operation of a method from its annotation: placeholders resolved, key
 * compiled, everything checked that can be checked before the first call.
 */
final class LockAnnotationParser {

	private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";

	private final LockOverrides overrides;

	private final LockPlaceholders placeholders;

	private final @Nullable BeanFactory beanFactory;

	LockAnnotationParser(Supplier<? extends LockSettings> settings,
			Supplier<? extends StringValueResolver> placeholders, @Nullable BeanFactory beanFactory) {
		this.overrides = new LockOverrides(settings);
		this.placeholders = new LockPlaceholders(placeholders);
		this.beanFactory = beanFactory;
	}

	LockOperation parse(List<MergedAnnotation<DistributedLock>> annotations, Method method, Class<?> targetClass) {
		LockTarget target = new LockTarget(method, targetClass);
		ResultKind.of(target);
		LockPolicies policies = LockPolicies.of(target, annotations.stream().map(MergedAnnotation::synthesize).toList(),
				this.placeholders);
		List<LockSpecification> locks = annotations.stream()
			.map((merged) -> specification(target, merged, policies))
			.toList();
		checkKeys(target, locks);
		LockFallback fallback = new LockFallbackResolver(target, this.beanFactory).resolve(policies.fallbackMethod(),
				policies.onUnavailable());
		NotAcquired onNotAcquired = policies.onNotAcquired();
		if (onNotAcquired == NotAcquired.AUTO && fallback == null && isScheduled(method)) {
			onNotAcquired = NotAcquired.SKIP;
		}
		return new LockOperation(method, targetClass, locks, onNotAcquired, onUnavailable(method, policies), fallback,
				policies.release(), LockParameters.of(method, targetClass),
				this.overrides.oncePerTick(target, locks, saysAtLeast(target, annotations)));
	}

	/**
	 * Return where the settings of an operation come from.
	 */
	LockSettingSources sources(List<MergedAnnotation<DistributedLock>> annotations, LockOperation operation) {
		LockPolicies policies = LockPolicies.of(new LockTarget(operation.method(), operation.targetClass()),
				annotations.stream().map(MergedAnnotation::synthesize).toList(), this.placeholders);
		return new LockSettingSources(annotations, policies.waitTime() != null, isScheduled(operation.method()),
				this.overrides.settings());
	}

	// The next run makes up for one that is skipped, and a trace a run helps nobody.
	private static Unavailable onUnavailable(Method method, LockPolicies policies) {
		if (policies.onUnavailable() != Unavailable.AUTO) {
			return policies.onUnavailable();
		}
		return (isScheduled(method) && SkippedResult.exists(method)) ? Unavailable.SKIP : Unavailable.THROW;
	}

	private LockSpecification specification(LockTarget target, MergedAnnotation<DistributedLock> merged,
			LockPolicies policies) {
		DistributedLock annotation = merged.synthesize();
		// An annotated interface method may name its parameters differently.
		Method named = (merged.getSource() instanceof Method source) ? source : target.method();
		LockExpression key = parser(target, named, "key").parse(resolve(target, "key", annotation.key()));
		LockExpression permits = parser(target, named, "permits")
			.parse(resolve(target, "permits", annotation.permits()));
		String condition = resolve(target, "condition", annotation.condition());
		String name = name(target, annotation);
		Duration waitTime = this.overrides.waitTime(target, name, policies.waitTime(), isScheduled(target.method()));
		Duration atLeast = LockDuration.atLeast(target, resolve(target, "atLeast", annotation.atLeast()));
		int number = LockPermits.check(target, annotation.mode(), permits, atLeast);
		return new LockSpecification(key, annotation.mode(), waitTime, name, annotation.reentrant(), number,
				permits.isLiteral() ? null : permits, atLeast, policies.onLost(),
				this.overrides.isCached(target, name, annotation.cache(), number, atLeast),
				this.overrides.isEnabled(target, name),
				condition.isBlank() ? null : parser(target, named, "condition").parseCondition(condition),
				this.overrides.client(target, name, resolve(target, "client", annotation.client())));
	}

	private boolean saysAtLeast(LockTarget target, List<MergedAnnotation<DistributedLock>> annotations) {
		return annotations.stream()
			.anyMatch((annotation) -> !resolve(target, "atLeast", annotation.getString("atLeast")).isBlank());
	}

	private LockKeyParser parser(LockTarget target, Method named, String attribute) {
		return new LockKeyParser(target, named, attribute, this.beanFactory);
	}

	private static void checkKeys(LockTarget target, List<LockSpecification> locks) {
		Map<String, LockSpecification> keys = new HashMap<>();
		for (LockSpecification lock : locks) {
			LockSpecification other = keys.putIfAbsent(lock.client() + " " + lock.key().getText(), lock);
			if (other != null) {
				throw target.invalid(
						"has two @DistributedLock annotations with the key '" + lock.key() + "' (" + other.mode()
								+ " and " + lock.mode() + ")",
						"Keep the stronger of them: READ lets other readers in, WRITE and EXCLUSIVE let nobody in.");
			}
		}
	}

	private static boolean isScheduled(Method method) {
		return isAnnotated(method, SCHEDULED);
	}

	private String name(LockTarget target, DistributedLock annotation) {
		String name = resolve(target, "name", annotation.name());
		if (!name.isBlank()) {
			return name;
		}
		return LockNames.byDefault(target);
	}

	private String resolve(LockTarget target, String attribute, String text) {
		return this.placeholders.resolve(target, attribute, text);
	}

	private static boolean isAnnotated(AnnotatedElement element, String type) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(type);
	}

}
