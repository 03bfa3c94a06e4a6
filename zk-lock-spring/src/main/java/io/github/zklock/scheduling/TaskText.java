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

package io.github.zklock.scheduling;

import java.lang.reflect.Method;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * The text of the task of a {@code @Scheduled} method: its class and its name. It is all
 * that is known of such a task. A lambda expression has another text.
 */
final class TaskText {

	private static final Pattern METHOD = Pattern
		.compile("(?<type>(\\p{javaJavaIdentifierPart}+\\.)*\\p{javaJavaIdentifierPart}+)\\."
				+ "(?<method>\\p{javaJavaIdentifierPart}+)");

	private TaskText() {
	}

	static boolean isOfMethod(String task) {
		return METHOD.matcher(task).matches();
	}

	static boolean isOf(String task, Method method, Class<?> targetClass, @Nullable Object proxy) {
		Matcher named = METHOD.matcher(task);
		return named.matches() && named.group("method").equals(method.getName()) && canBeScheduled(method)
				&& isTypeOf(named.group("type"), targetClass, proxy);
	}

	// Spring schedules no method with parameters, so this is another method of that name.
	private static boolean canBeScheduled(Method method) {
		return method.getParameterCount() == 0 || KotlinDetector.isSuspendingFunction(method);
	}

	// A task has the name of the class or interface that declares its method. If the
	// method returns a publisher, it has the name of the proxy's class.
	private static boolean isTypeOf(String type, Class<?> targetClass, @Nullable Object proxy) {
		if (proxy != null && type.equals(proxy.getClass().getName())) {
			return true;
		}
		for (Class<?> each = targetClass; each != null; each = each.getSuperclass()) {
			if (type.equals(each.getName()) || type.startsWith(each.getName() + ClassUtils.CGLIB_CLASS_SEPARATOR)) {
				return true;
			}
		}
		return ClassUtils.getAllInterfacesForClassAsSet(targetClass)
			.stream()
			.anyMatch((contract) -> type.equals(contract.getName()));
	}

}
