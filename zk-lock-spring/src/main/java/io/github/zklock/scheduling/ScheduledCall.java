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

import java.lang.reflect.Field;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The call that a scheduled task makes.
 *
 * @param target the object that is called
 * @param method the method of the object
 * @since 0.1.0
 */
public record ScheduledCall(Object target, Method method) {

	/**
	 * Find the call of a task.
	 * @param task the task, perhaps in a wrapper of Spring
	 * @return the call, or {@code null} if it is not known
	 */
	public static @Nullable ScheduledCall of(Runnable task) {
		Runnable inner = inner(task);
		if (inner instanceof ScheduledMethodRunnable annotated) {
			return new ScheduledCall(annotated.getTarget(), annotated.getMethod());
		}
		if (inner == null) {
			return null;
		}
		Method run = ClassUtils.getMethodIfAvailable(inner.getClass(), "run");
		return (run != null) ? new ScheduledCall(inner, run) : null;
	}

	/**
	 * Return the {@code @Scheduled} method of a task, or {@code null} if it is not known.
	 */
	static @Nullable Method annotatedMethod(Runnable task) {
		return (inner(task) instanceof ScheduledMethodRunnable annotated) ? annotated.getMethod() : null;
	}

	private static @Nullable Runnable inner(Runnable task) {
		@Nullable Runnable inner = task;
		while (inner != null && isWrapper(inner)) {
			inner = unwrapped(inner);
		}
		return inner;
	}

	// Spring's record of the outcome, which is private.
	private static boolean isWrapper(Runnable task) {
		return task.getClass().getName().startsWith("org.springframework.scheduling.config.");
	}

	private static @Nullable Runnable unwrapped(Runnable task) {
		Field field = ReflectionUtils.findField(task.getClass(), null, Runnable.class);
		if (field == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(field);
		return (Runnable) ReflectionUtils.getField(field, task);
	}

}
