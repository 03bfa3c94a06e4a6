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

package io.github.zklock.bridge.shedlock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.zklock.core.LockTick;
import io.github.zklock.scheduling.ScheduledRun;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The scheduled methods that have a {@link SchedulerLock}. They are identified with the
 * texts of their tasks, since ShedLock passes only the name of a lock to its provider. A
 * run of such a method begins with its own lock; a request for another lock comes from a
 * call inside. Only for applications with ShedLock's annotation.
 */
final class ScheduledLocks {

	private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);

	// As many as the application has scheduled tasks.
	private final Map<String, Boolean> guarded = new ConcurrentHashMap<>();

	/**
	 * Take the tick of the planned run on this thread, if this is the lock of its method.
	 * @return the tick, or {@code null} if there is none
	 */
	@Nullable LockTick takeTick() {
		ScheduledRun run = ScheduledRun.takeTask(this::isGuarded);
		return (run != null) ? run.toTick(userMethod(run.task()), SHORTEST_PERIOD) : null;
	}

	boolean isGuarded(String task) {
		return this.guarded.computeIfAbsent(task, ScheduledLocks::hasLock);
	}

	// The text is the class that declares the method, maybe one that was made at run time
	// on top of it, and the method.
	private static boolean hasLock(String task) {
		String method = userMethod(task);
		int dot = method.lastIndexOf('.');
		if (dot < 0) {
			return false;
		}
		try {
			Class<?> type = ClassUtils.forName(method.substring(0, dot), null);
			return Stream.of(ReflectionUtils.getAllDeclaredMethods(type))
				.filter((each) -> each.getName().equals(method.substring(dot + 1)))
				.anyMatch((each) -> AnnotatedElementUtils.hasAnnotation(each, SchedulerLock.class));
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	private static String userMethod(String task) {
		int generated = task.indexOf(ClassUtils.CGLIB_CLASS_SEPARATOR);
		return (generated < 0) ? task : task.substring(0, generated) + task.substring(task.lastIndexOf('.'));
	}

}
