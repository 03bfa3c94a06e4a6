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

package io.github.zklock.interceptor.operation;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.zklock.core.InvalidLockUsageException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * A guarded method in the words of a message.
 *
 * @param method the method
 * @param targetClass the class of the object it is called on
 * @since 0.1.0
 */
public record LockTarget(Method method, Class<?> targetClass) {

	private static final Pattern WORD = Pattern
		.compile("(?<=[\\p{Ll}\\p{N}])(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})|[._$]+");

	/**
	 * Return the name of the lock of the method if its annotation does not name it. It is
	 * the class and the method in kebab case, like {@code report-job-run}.
	 * @return the name, without dots, so that it can be a key of a map in properties
	 */
	public String defaultName() {
		Class<?> type = ClassUtils.getUserClass(this.targetClass);
		String simpleName = type.getSimpleName().isEmpty() ? ClassUtils.getShortName(type) : type.getSimpleName();
		return WORD.matcher(simpleName + "." + this.method.getName()).replaceAll("-").toLowerCase(Locale.ROOT);
	}

	/**
	 * Return the class and the method, like {@code com.example.ReportJob.run}.
	 */
	public String qualifiedName() {
		return ClassUtils.getUserClass(this.targetClass).getName() + "." + this.method.getName();
	}

	/**
	 * Create the exception for what is wrong with the method, and what to do about it.
	 */
	public InvalidLockUsageException invalid(String problem, String action) {
		return invalid(problem, action, null);
	}

	public InvalidLockUsageException invalid(String problem, String action, @Nullable Throwable cause) {
		return new InvalidLockUsageException("The @DistributedLock method " + this + " " + problem + ".", action,
				cause);
	}

	@Override
	public String toString() {
		String parameters = Arrays.stream(this.method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", ", "(", ")"));
		return ClassUtils.getUserClass(this.targetClass).getName() + "." + this.method.getName() + parameters;
	}

}
