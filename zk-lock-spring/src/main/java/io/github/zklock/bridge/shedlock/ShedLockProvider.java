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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * ShedLock's lock provider on our locks. A lock lives as long as the session of its
 * holder, so {@code lockAtMostFor} has no meaning here. A job that takes longer keeps its
 * lock. The lock of a node that dies is free after the session timeout.
 * {@code lockAtLeastFor} is {@link LockRequest#lockAtLeastFor()}; a scheduled method
 * without it runs once per tick.
 * <p>
 * The key is the name after {@value #KEY_PREFIX}: a {@code @DistributedLock} on
 * {@code "shedlock:report"} excludes a {@code @SchedulerLock(name = "report")}.
 *
 * @since 0.1.0
 */
public final class ShedLockProvider implements ExtensibleLockProvider {

	/**
	 * What the keys begin with.
	 */
	public static final String KEY_PREFIX = "shedlock:";

	private static final String ANNOTATION = "net.javacrumbs.shedlock.spring.annotation.SchedulerLock";

	private static final Logger logger = LoggerFactory.getLogger(ShedLockProvider.class);

	private final LockOperations locks;

	// Null without ShedLock's annotation.
	private final @Nullable ScheduledLocks scheduled;

	private final AtomicBoolean told = new AtomicBoolean();

	/**
	 * Create the provider.
	 * @param locks where the locks come from
	 */
	public ShedLockProvider(LockOperations locks) {
		this.locks = locks;
		this.scheduled = ClassUtils.isPresent(ANNOTATION, ShedLockProvider.class.getClassLoader())
				? new ScheduledLocks() : null;
	}

	/**
	 * Try to get the lock, once. It is not re-entrant: ShedLock itself knows what its
	 * thread holds.
	 * @param configuration the name, and how long the lock is kept at least
	 * @return the lock, or nothing if another holder has it or the planned run has
	 * happened
	 * @throws io.github.zklock.core.LockUnavailableException if the backend could not be
	 * asked
	 */
	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		if (this.told.compareAndSet(false, true)) {
			logger.info("ShedLock takes its locks from zk-lock: they live as long as the session of their holder, so "
					+ "lockAtMostFor is not used");
		}
		try {
			return Optional.of(new HandleLock(this.locks.acquire(List.of(request(configuration))), configuration));
		}
		catch (LockNotAcquiredException ex) {
			logger.debug("'{}' is not run: {}", configuration.getName(), ex.getMessage());
			return Optional.empty();
		}
	}

	private LockRequest request(LockConfiguration configuration) {
		LockRequest request = LockRequest.of(KEY_PREFIX + configuration.getName())
			.withWait(Duration.ZERO)
			.withOwner(new Object())
			.withName("shedlock");
		// Taken in any case, because the run was planned for this call.
		LockTick tick = (this.scheduled != null) ? this.scheduled.takeTick() : null;
		Duration atLeast = configuration.getLockAtLeastFor();
		return atLeast.isZero() ? withTick(request, tick) : request.withLockAtLeastFor(atLeast);
	}

	private static LockRequest withTick(LockRequest request, @Nullable LockTick tick) {
		return (tick != null) ? request.withTick(tick) : request;
	}

}
