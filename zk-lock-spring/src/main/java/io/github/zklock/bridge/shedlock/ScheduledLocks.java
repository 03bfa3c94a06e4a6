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

import io.github.zklock.core.LockTick;
import io.github.zklock.scheduling.ScheduledRun;
import io.github.zklock.scheduling.TaskText;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;

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
		return (run != null) ? run.toTick(TaskText.withoutProxy(run.task()), SHORTEST_PERIOD) : null;
	}

	boolean isGuarded(String task) {
		return this.guarded.computeIfAbsent(task, ScheduledLocks::hasLock);
	}

	private static boolean hasLock(String task) {
		return TaskText.methods(task)
			.anyMatch((method) -> AnnotatedElementUtils.hasAnnotation(method, SchedulerLock.class));
	}

}
