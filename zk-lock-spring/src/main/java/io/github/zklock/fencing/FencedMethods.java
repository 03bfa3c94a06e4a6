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

package io.github.zklock.fencing;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.zklock.annotation.Fenced;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.MethodResult;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Reads {@link Fenced @Fenced}: on the method, or on the class of a method that has a
 * lock.
 *
 * @since 0.1.0
 */
public final class FencedMethods {

	private static final FencedMethod NONE = new FencedMethod(null, "");

	private final Map<MethodClassKey, FencedMethod> known = new ConcurrentHashMap<>();

	private final LockOperationSource operationSource;

	/**
	 * Create it.
	 * @param operationSource which methods have a lock
	 */
	public FencedMethods(LockOperationSource operationSource) {
		this.operationSource = operationSource;
	}

	boolean isCandidateClass(Class<?> targetClass) {
		return AnnotationUtils.isCandidateClass(targetClass, Fenced.class);
	}

	/**
	 * Return the method as a fenced one.
	 * @return the method, or {@code null} if it is not fenced
	 */
	@Nullable FencedMethod find(Method method, @Nullable Class<?> targetClass) {
		FencedMethod found = this.known.computeIfAbsent(new MethodClassKey(method, targetClass),
				(key) -> search(method, targetClass));
		return (found != NONE) ? found : null;
	}

	private FencedMethod search(Method method, @Nullable Class<?> targetClass) {
		Class<?> type = ClassUtils.getUserClass((targetClass != null) ? targetClass : method.getDeclaringClass());
		Method specific = AopUtils.getMostSpecificMethod(method, type);
		if (ReflectionUtils.isObjectMethod(method) || !ClassUtils.isUserLevelMethod(specific)) {
			return NONE;
		}
		Fenced onMethod = AnnotatedElementUtils.findMergedAnnotation(specific, Fenced.class);
		Fenced fenced = (onMethod != null) ? onMethod : AnnotatedElementUtils.findMergedAnnotation(type, Fenced.class);
		if (fenced == null || (onMethod == null && !this.operationSource.hasLockOperation(method, targetClass))) {
			return NONE;
		}
		return new FencedMethod(new LockTarget(specific, type), fenced.dataSource());
	}

	/**
	 * Check that a method can be fenced.
	 * @throws InvalidLockUsageException if not, or if its lock cannot be read
	 */
	void check(Method method, @Nullable Class<?> targetClass, LockTarget target) {
		LockOperation operation = this.operationSource.getLockOperation(method, targetClass);
		if (operation == null) {
			throw invalid(target, "has no lock", "Annotate it with @DistributedLock, or remove @Fenced.");
		}
		if (MethodResult.kind(operation.target()) == MethodResult.Kind.REACTIVE) {
			throw invalid(target, "returns a publisher, and a check before its commit would block its threads",
					"Compare @FencingToken in the statements of the method instead, or return the result itself.");
		}
		for (LockSpecification lock : operation.locks()) {
			if (lock.permits() != 1) {
				throw invalid(target, "has a lock with permits, whose holders do not exclude each other",
						"Remove permits, or remove @Fenced.");
			}
			if (lock.onLost() == LossPolicy.IGNORE) {
				throw invalid(target, "has a lock with onLost = IGNORE, although its commits are to fail after a loss",
						"Remove onLost, or remove @Fenced.");
			}
		}
	}

	private static InvalidLockUsageException invalid(LockTarget target, String problem, String action) {
		return new InvalidLockUsageException("The @Fenced method " + target + " " + problem + ".", action);
	}

	/**
	 * A method with its fence.
	 */
	record FencedMethod(@Nullable LockTarget target, String dataSource) {

	}

}
