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
import java.util.List;
import java.util.Optional;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.internal.RecordedRuns;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockOperation.Recovery;
import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.operation.MethodResult;
import io.github.zklock.interceptor.operation.MethodResult.Kind;
import io.github.zklock.scheduling.ScheduledRun;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * One call of a guarded method. A detached one continues when the caller has left, and on
 * another thread.
 */
record LockCall(LockOperation operation, List<LockRequest> requests, ProxyMethodInvocation invocation,
		LockRefusals refusals, boolean detached, @Nullable ScheduledRun subscription) {

	private static final String TICK = LockTick.class.getName();

	private static final String RUN = ScheduledRun.class.getName();

	private static final String LOCK = LockCall.class.getName() + ".lock";

	// An invocation can proceed once, a publisher can be subscribed to more than once.
	LockCall detach() {
		ProxyMethodInvocation again = (ProxyMethodInvocation) this.invocation.invocableClone();
		return new LockCall(this.operation, this.requests, again, this.refusals, true, this.subscription);
	}

	LossPolicy onLost() {
		return this.requests.get(0).onLost();
	}

	@Nullable Object proceed(LockHandle handle) throws Throwable {
		this.refusals.answered(this.operation);
		ScheduledRun run = run();
		if (run == null) {
			return proceedWith(handle);
		}
		this.refusals.begins(this, run, handle);
		run.begins();
		try {
			Object result = proceedWith(handle);
			if (!this.detached && MethodResult.kind(this.operation.target()) == Kind.FINISHED) {
				RecordedRuns.returned(handle);
			}
			return result;
		}
		finally {
			this.refusals.ended(this, run, handle);
		}
	}

	// Advice around this one, such as a retry, is to see what the caller passed.
	@Nullable Object proceedWith(@Nullable LockHandle handle) throws Throwable {
		// A lock around this call is not the lock of this call.
		this.invocation.setUserAttribute(LOCK, Optional.ofNullable(handle));
		LockParameters parameters = this.operation.parameters();
		if (parameters.isEmpty()) {
			return proceedOnce();
		}
		@Nullable Object[] passed = this.invocation.getArguments();
		this.invocation.setArguments(parameters.fill(passed, handle));
		try {
			return proceedOnce();
		}
		finally {
			this.invocation.setArguments(passed);
		}
	}

	static @Nullable Optional<LockHandle> lock(ProxyMethodInvocation invocation) {
		return (invocation.getUserAttribute(LOCK) instanceof Optional<?> lock) ? lock.map(LockHandle.class::cast)
				: null;
	}

	// Aspects find the call through its thread.
	private @Nullable Object proceedOnce() throws Throwable {
		if (!this.detached) {
			return this.invocation.proceed();
		}
		return (this.invocation.getProxy() instanceof Advised advised && advised.isExposeProxy())
				? ExposedProxy.proceed(this.invocation) : ExposeInvocationInterceptor.INSTANCE.invoke(this.invocation);
	}

	/**
	 * Let the result of the method, or of its future or publisher, end the call and with
	 * it the lock, unless its work continues.
	 */
	@Nullable Object end(@Nullable Object result) {
		MethodResult.refuseUnfinished(this.operation, result);
		return result;
	}

	/**
	 * Answer the call instead of its method, since there is no lock. Only for an
	 * exception of its own acquire, never for one that comes out of the method.
	 */
	@Nullable Object refused(LockException refusal) throws Throwable {
		ScheduledRun run = run();
		if (run != null && run.isRefused(refusal) && MethodResult.hasEmpty(this.operation.method())) {
			return this.operation.skippedResult();
		}
		return this.refusals.result(this, refusal);
	}

	/**
	 * Return the call with its tick, if it is the run of a scheduled task. The tick stays
	 * with the call: another attempt of a retry is still the same run.
	 */
	LockCall planned() {
		LockTick tick = (this.invocation.getUserAttribute(TICK) instanceof LockTick known) ? known : tick();
		if (tick != null) {
			this.invocation.setUserAttribute(TICK, tick);
		}
		return withTick(tick);
	}

	/**
	 * Return the call with its tick, if the subscription to what it has returned is the
	 * run of a scheduled task. There may be many subscriptions.
	 */
	LockCall plannedBySubscription() {
		// Another subscription of a retry is still the same run.
		ScheduledRun run = run();
		LockCall call = new LockCall(this.operation, this.requests, this.invocation, this.refusals, this.detached, run);
		return call.withTick(call.tick());
	}

	private LockCall withTick(@Nullable LockTick tick) {
		if (tick == null) {
			return this;
		}
		// A run by hand does not wait for another one.
		List<LockRequest> planned = this.requests.stream()
			.map((request) -> tick.isByHand() ? request.withWait(Duration.ZERO) : request)
			.map((request) -> request.withTick(tick))
			.toList();
		LockCall call = new LockCall(this.operation, planned, this.invocation, this.refusals, this.detached,
				this.subscription);
		this.refusals.planned(call);
		return call;
	}

	private @Nullable LockTick tick() {
		Duration shortestPeriod = this.operation.oncePerTick().shortestPeriod();
		if (shortestPeriod == null) {
			return null;
		}
		ScheduledRun run = run();
		LockTick tick = (run != null) ? run.toTick(this.operation.schedule(), shortestPeriod) : null;
		Recovery recovery = this.operation.recovery();
		if (run == null || tick == null || tick.isPeriodic() || tick.isByHand() || recovery == null) {
			return tick;
		}
		LockTick repeated = tick.withMaxAttempts(recovery.maxAttempts());
		return (!run.isLate() && this.refusals.isLookedFor(this.operation, run)) ? repeated.yielding(recovery.within())
				: repeated;
	}

	/**
	 * Return the run of a scheduled task that this call is.
	 */
	@Nullable ScheduledRun run() {
		if (this.subscription == null) {
			moveRun(this.invocation, this.operation.targetClass());
		}
		return taken();
	}

	// Subscriptions share the attributes of their invocation.
	private @Nullable ScheduledRun taken() {
		if (this.subscription != null) {
			return this.subscription;
		}
		return (this.invocation.getUserAttribute(RUN) instanceof ScheduledRun run) ? run : null;
	}

	/**
	 * Return whether this call is a run that is meant for another bean of its class. Such
	 * a run ends here.
	 */
	boolean isOfAnother() {
		Object target = this.invocation.getThis();
		ScheduledRun run = taken();
		if (run == null) {
			run = ScheduledRun.peek(this.invocation.getMethod(), this.operation.targetClass(),
					this.invocation.getProxy());
		}
		if (run == null || target == null || run.isFor(target)) {
			return false;
		}
		run();
		run.isOfAnother();
		return true;
	}

	/**
	 * Return whether the call only makes up for a run that was missed. Without a lock
	 * there is none.
	 */
	boolean isLate() {
		ScheduledRun run = (this.operation.recovery() != null) ? run() : null;
		return run != null && run.isLate();
	}

	/**
	 * The run takes place without a lock. A run that this call has not taken is left to
	 * the next guarded method.
	 */
	void beginsUnguarded() {
		ScheduledRun run = taken();
		if (run != null) {
			run.beginsUnguarded();
		}
		else {
			ScheduledRun.beginsUnguarded(this.invocation.getMethod(), this.operation.targetClass(),
					this.invocation.getProxy());
		}
	}

	/**
	 * The run that this call has taken does not take place, for another reason than a
	 * refusal.
	 */
	void cannotBegin(Throwable failure) {
		ScheduledRun run = taken();
		if (run != null) {
			run.cannotBegin(failure);
			// Its tick may be recorded, and then no other node runs it.
			if (!this.requests.isEmpty() && !run.hasBegun()) {
				this.refusals.unfinished(this, run);
			}
		}
	}

	/**
	 * The run does not take place, since this call needs no lock.
	 */
	void settled() {
		ScheduledRun run = run();
		if (run != null) {
			run.settled();
		}
	}

	/**
	 * Move the run of this thread to a call, which then may go on in another thread.
	 */
	static void moveRun(ProxyMethodInvocation invocation, Class<?> targetClass) {
		ScheduledRun run = take(invocation, targetClass);
		if (run != null) {
			invocation.setUserAttribute(RUN, run);
		}
	}

	private static @Nullable ScheduledRun take(ProxyMethodInvocation invocation, Class<?> targetClass) {
		return ScheduledRun.take(invocation.getMethod(), targetClass, invocation.getProxy());
	}

}
