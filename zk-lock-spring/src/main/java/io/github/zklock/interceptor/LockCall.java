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

import java.util.List;
import java.util.Optional;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.core.internal.LockRun;
import io.github.zklock.core.internal.WorkRecords;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockParameters;
import io.github.zklock.interceptor.operation.MethodResult;
import io.github.zklock.interceptor.operation.MethodResult.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * One call of a guarded method. A detached one continues when the caller has left, and on
 * another thread.
 */
record LockCall(LockOperation operation, List<LockRequest> requests, ProxyMethodInvocation invocation,
		LockRefusals refusals, boolean detached, CallRun run) {

	private static final String LOCK = LockCall.class.getName() + ".lock";

	static LockCall of(LockOperation operation, List<LockRequest> requests, ProxyMethodInvocation invocation,
			LockRefusals refusals) {
		return new LockCall(operation, requests, invocation, refusals, false, new CallRun(operation, invocation, null));
	}

	// An invocation can proceed once, a publisher can be subscribed to more than once.
	LockCall detach() {
		ProxyMethodInvocation again = (ProxyMethodInvocation) this.invocation.invocableClone();
		return new LockCall(this.operation, this.requests, again, this.refusals, true, this.run.in(again));
	}

	LossPolicy onLost() {
		return this.requests.get(0).onLost();
	}

	@Nullable Object proceed(LockHandle handle) throws Throwable {
		this.refusals.answered(this.operation);
		if (!this.run.begins(this, handle)) {
			return proceedWith(handle);
		}
		try {
			Object result = proceedWith(handle);
			if (!this.detached && MethodResult.kind(this.operation.target()) == Kind.FINISHED) {
				WorkRecords.returned(handle);
			}
			return result;
		}
		finally {
			this.run.ended(this, handle);
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
		if (this.run.isRefused(refusal) && MethodResult.hasEmpty(this.operation.method())) {
			return this.operation.skippedResult();
		}
		return this.refusals.result(this, refusal);
	}

	/**
	 * Return the call with its tick, if it is the run of a scheduled task.
	 */
	LockCall planned() {
		return with(this.run.planned(this.requests, this.refusals));
	}

	/**
	 * Return the call with its tick, if the subscription to what it has returned is the
	 * run of a scheduled task. There may be many subscriptions.
	 */
	LockCall plannedBySubscription() {
		CallRun subscribed = this.run.ofSubscription();
		LockCall call = new LockCall(this.operation, this.requests, this.invocation, this.refusals, this.detached,
				subscribed);
		return call.with(subscribed.plannedAnew(this.requests, this.refusals));
	}

	/**
	 * Return the call with another request.
	 */
	LockCall with(LockRequest request) {
		return new LockCall(this.operation, List.of(request), this.invocation, this.refusals, this.detached, this.run);
	}

	private LockCall with(List<LockRequest> planned) {
		if (planned == this.requests) {
			return this;
		}
		LockCall call = new LockCall(this.operation, planned, this.invocation, this.refusals, this.detached, this.run);
		this.refusals.planned(call);
		return call;
	}

	/**
	 * Begin a run of this call with the acquire of its locks.
	 */
	LockHandle begin(LockRun lock, LockOperations operations) {
		try {
			return lock.begin(operations);
		}
		catch (LockNotAcquiredException | LockUnavailableException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			cannotBegin(ex);
			throw ex;
		}
	}

	/**
	 * The run that this call has taken does not take place, for another reason than a
	 * refusal.
	 */
	void cannotBegin(Throwable failure) {
		this.run.cannotBegin(this, failure);
	}

}
