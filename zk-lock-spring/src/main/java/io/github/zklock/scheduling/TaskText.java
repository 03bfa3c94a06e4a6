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
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The text of the task of a {@code @Scheduled} method: the class that declares it, and
 * its name. A lambda expression has another text. No other class takes it apart.
 *
 * @since 0.1.0
 */
public final class TaskText {

	private static final Pattern METHOD = Pattern
		.compile("(?<type>(\\p{javaJavaIdentifierPart}+\\.)*\\p{javaJavaIdentifierPart}+)\\."
				+ "(?<method>\\p{javaJavaIdentifierPart}+)");

	private TaskText() {
	}

	/**
	 * Return the text of a task. If the method of the task is not known, it is what the
	 * task says itself.
	 * @param task the task, perhaps in a wrapper of Spring
	 * @return the text
	 */
	public static String of(Runnable task) {
		Method method = ScheduledCall.annotatedMethod(task);
		return (method != null) ? method.getDeclaringClass().getName() + "." + method.getName() : task.toString();
	}

	static boolean isOfMethod(String task) {
		return METHOD.matcher(task).matches();
	}

	/**
	 * Return whether a task belongs to a {@code @Scheduled} method.
	 * @param task the text of the task
	 * @param method the method
	 * @param targetClass the class of the object it is called on
	 * @param proxy the proxy it is called through, if any
	 * @return whether it is
	 */
	public static boolean isOf(String task, Method method, Class<?> targetClass, @Nullable Object proxy) {
		Matcher named = METHOD.matcher(task);
		return named.matches() && named.group("method").equals(method.getName()) && canBeScheduled(method)
				&& isTypeOf(named.group("type"), targetClass, proxy);
	}

	/**
	 * Return whether a task belongs to a bean of a superclass. The task of a publisher
	 * has the name of the proxy's class.
	 * @param task the text of the task
	 * @param method the method of the class
	 * @return whether a superclass of its class declares the method of the task
	 */
	public static boolean isOfSuperclass(String task, Method method) {
		Matcher named = METHOD.matcher(task);
		Class<?> above = method.getDeclaringClass().getSuperclass();
		return named.matches() && above != null && isIn(named.group("type"), above);
	}

	/**
	 * Return the text with the name of the user's class instead of a class that was made
	 * at run time on top of it.
	 * @param task the text of the task
	 * @return its text without the proxy
	 */
	public static String withoutProxy(String task) {
		int generated = task.indexOf(ClassUtils.CGLIB_CLASS_SEPARATOR);
		return (generated < 0) ? task : task.substring(0, generated) + task.substring(task.lastIndexOf('.'));
	}

	/**
	 * Find the methods of a task, which may be overloaded.
	 * @param task the text of the task
	 * @return the methods, none if the task has another text, or its class is not known
	 */
	public static Stream<Method> methods(String task) {
		Matcher named = METHOD.matcher(withoutProxy(task));
		if (!named.matches()) {
			return Stream.empty();
		}
		try {
			Class<?> type = ClassUtils.forName(named.group("type"), null);
			return Stream.of(ReflectionUtils.getAllDeclaredMethods(type))
				.filter((method) -> method.getName().equals(named.group("method")));
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return Stream.empty();
		}
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
		return isIn(type, targetClass) || ClassUtils.getAllInterfacesForClassAsSet(targetClass)
			.stream()
			.anyMatch((contract) -> type.equals(contract.getName()));
	}

	private static boolean isIn(String type, Class<?> lowest) {
		for (Class<?> each = lowest; each != null; each = each.getSuperclass()) {
			if (type.equals(each.getName()) || type.startsWith(each.getName() + ClassUtils.CGLIB_CLASS_SEPARATOR)) {
				return true;
			}
		}
		return false;
	}

}
