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

package io.github.zklock.interceptor;

import java.time.Duration;

import io.github.zklock.core.LockTick;
import io.github.zklock.scheduling.ScheduledRun;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;

/**
 * Finds out whether a call is the run of a scheduled task, and so a tick.
 */
final class LockTicks {

	private static final String TICK = LockTick.class.getName();

	private static final String RUN = ScheduledRun.class.getName();

	private LockTicks() {
	}

	/**
	 * Return the tick of a call. It stays with the call: another attempt of a retry is
	 * still the same run.
	 * @param call the call
	 * @return the tick, or {@code null} if the call is not a scheduled one
	 */
	static @Nullable LockTick ofCall(LockCall call) {
		if (!(call.invocation() instanceof ProxyMethodInvocation invocation)) {
			return ofSubscription(call);
		}
		if (invocation.getUserAttribute(TICK) instanceof LockTick known) {
			return known;
		}
		LockTick tick = ofSubscription(call);
		if (tick != null) {
			invocation.setUserAttribute(TICK, tick);
		}
		return tick;
	}

	/**
	 * Return the tick of a subscription to what a call has returned, of which there may
	 * be many.
	 * @param call the call
	 * @return the tick, or {@code null} if the subscription is not a scheduled one
	 */
	static @Nullable LockTick ofSubscription(LockCall call) {
		LockOperation operation = call.operation();
		Duration shortestPeriod = operation.oncePerTick().shortestPeriod();
		if (shortestPeriod == null) {
			return null;
		}
		MethodInvocation invocation = call.invocation();
		Object moved = (invocation instanceof ProxyMethodInvocation proxied) ? proxied.getUserAttribute(RUN) : null;
		ScheduledRun run = (moved instanceof ScheduledRun known) ? known : take(invocation, operation.targetClass());
		return (run != null) ? run.toTick(schedule(operation), shortestPeriod) : null;
	}

	/**
	 * Move the run of this thread to a call, which then may go on in another thread.
	 * @param invocation the call
	 * @param targetClass the class of the object that is called
	 */
	static void move(ProxyMethodInvocation invocation, Class<?> targetClass) {
		ScheduledRun run = take(invocation, targetClass);
		if (run != null) {
			invocation.setUserAttribute(RUN, run);
		}
	}

	// Not the key, the name of the lock or the cron expression: any of these may change.
	private static String schedule(LockOperation operation) {
		return ClassUtils.getUserClass(operation.targetClass()).getName() + "." + operation.method().getName();
	}

	private static @Nullable ScheduledRun take(MethodInvocation invocation, Class<?> targetClass) {
		Object proxy = (invocation instanceof ProxyMethodInvocation proxied) ? proxied.getProxy() : null;
		return ScheduledRun.take(invocation.getMethod(), targetClass, proxy);
	}

}
