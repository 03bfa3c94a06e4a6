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

package io.github.zklock.fencing;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.internal.LockCommit;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.fencing.FencedMethods.FencedMethod;
import io.github.zklock.interceptor.LockInterceptor;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.operation.MethodResult;
import io.github.zklock.interceptor.source.LockCallCheck;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Raises the fence of a method, after its lock was acquired and before anything else.
 *
 * @since 0.1.0
 */
public final class FencedMethodInterceptor implements MethodInterceptor, LockCallCheck {

	private static final Logger logger = LoggerFactory.getLogger(FencedMethodInterceptor.class);

	private final FencedMethods methods;

	private final Supplier<DatabaseFences> transactions;

	private final Set<LockTarget> checked = ConcurrentHashMap.newKeySet();

	private final Set<LockTarget> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Create the interceptor.
	 * @param methods which methods are fenced
	 * @param transactions returns what raises the fence
	 */
	public FencedMethodInterceptor(FencedMethods methods, Supplier<DatabaseFences> transactions) {
		this.methods = methods;
		this.transactions = transactions;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		FencedMethod fenced = find(invocation);
		if (fenced == null || fenced.target() == null) {
			return invocation.proceed();
		}
		if (!this.checked.contains(fenced.target())) {
			this.methods.check(invocation.getMethod(), targetClass(invocation), fenced.target());
			this.checked.add(fenced.target());
		}
		LockHandle handle = lock(invocation, fenced.target());
		if (handle == null || handle.handles().stream().allMatch(NoOpLockProvider::isTurnedOff)) {
			return invocation.proceed();
		}
		DatabaseFences transactions = this.transactions.get();
		raise(transactions, handle, fenced.dataSource());
		boolean inside = TransactionSynchronizationManager.isActualTransactionActive();
		Object result;
		try {
			result = invocation.proceed();
		}
		finally {
			if (!inside) {
				refuseToOutlive(handle);
			}
		}
		if (!transactions.isUsed(handle) && !TransactionSynchronizationManager.isActualTransactionActive()
				&& this.warned.add(fenced.target())) {
			logger.warn(
					"The @Fenced method {} ran no transaction of its data source on its own thread, so nothing "
							+ "was checked before a commit. Put @Transactional on it, or name its dataSource",
					fenced.target());
		}
		return result;
	}

	// Nothing was done under the lock, so the key need not stay taken for its minimum
	// time.
	private static void raise(DatabaseFences transactions, LockHandle handle, String dataSource) {
		try {
			transactions.raise(handle, dataSource);
		}
		catch (RuntimeException ex) {
			UnusedRelease.of(handle).join();
			throw ex;
		}
	}

	// A transaction that the method has left open would commit without a check.
	private static void refuseToOutlive(LockHandle handle) {
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					throw LockCommit.refused(handle, handle.handles(),
							"was released before the commit, since its " + "method has left its transaction open",
							null);
				}

			});
		}
	}

	// A future is made on another thread, which has no transaction of the caller.
	@Override
	public void beforeAcquire(ProxyMethodInvocation invocation, List<LockRequest> requests) {
		FencedMethod fenced = find(invocation);
		if (fenced != null && fenced.target() != null
				&& MethodResult.kind(fenced.target()) == MethodResult.Kind.FINISHED) {
			this.transactions.get().requireNoTransaction(requests, fenced.dataSource());
		}
	}

	private @Nullable FencedMethod find(MethodInvocation invocation) {
		return this.methods.find(invocation.getMethod(), targetClass(invocation));
	}

	private static @Nullable Class<?> targetClass(MethodInvocation invocation) {
		Object target = invocation.getThis();
		return (target != null) ? AopUtils.getTargetClass(target) : null;
	}

	private static @Nullable LockHandle lock(MethodInvocation invocation, LockTarget target) {
		Optional<LockHandle> lock = (invocation instanceof ProxyMethodInvocation proxied)
				? LockInterceptor.lock(proxied) : null;
		if (lock == null) {
			throw new IllegalStateException("The fence of " + target + " cannot be raised, since its advice comes "
					+ "before the lock of the method. Give the advisor of the lock a lower order");
		}
		return lock.orElse(null);
	}

}
