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

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Analyzes a bean with guarded methods whose class is final, so that it cannot be
 * proxied: Spring's own message does not say what asks for a proxy.
 */
class FinalLockClassFailureAnalyzer extends AbstractFailureAnalyzer<AopConfigException> {

	private static final Pattern CLASS_NAME = Pattern.compile("subclass of class ([^\\s:]+)");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, AopConfigException cause) {
		Class<?> type = targetClass(cause);
		if (type == null || !Modifier.isFinal(type.getModifiers()) || !isGuarded(type)) {
			return null;
		}
		return new FailureAnalysis(
				"The class '" + type.getName() + "' is final, so Spring cannot create the proxy that takes the lock of "
						+ "its @DistributedLock methods.",
				"Remove 'final' from the class (in Kotlin, declare it 'open' or use the Spring compiler plugin; a "
						+ "record is always final), or move the annotated methods to a class that is not final.",
				cause);
	}

	private static @Nullable Class<?> targetClass(AopConfigException cause) {
		String message = cause.getMessage();
		Matcher matcher = CLASS_NAME.matcher((message != null) ? message : "");
		if (!matcher.find()) {
			return null;
		}
		try {
			return ClassUtils.forName(matcher.group(1), null);
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return null;
		}
	}

	private static boolean isGuarded(Class<?> type) {
		return Stream
			.<AnnotatedElement>concat(Stream.of(type), Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)))
			.anyMatch((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
				.isPresent(DistributedLock.class));
	}

}
