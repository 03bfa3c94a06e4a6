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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.NoOpLockProvider;
import io.github.zklock.core.spi.UnusedRelease;
import io.github.zklock.fencing.FencedMethods.FencedMethod;
import io.github.zklock.interceptor.LockInterceptor;
import io.github.zklock.interceptor.operation.LockTarget;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Raises the fence of a method, after its lock was acquired and before anything else.
 *
 * @since 0.1.0
 */
public final class FencedMethodInterceptor implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(FencedMethodInterceptor.class);

	private final FencedMethods methods;

	private final Supplier<FencedTransactions> transactions;

	private final Set<LockTarget> checked = ConcurrentHashMap.newKeySet();

	private final Set<LockTarget> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Create the interceptor.
	 * @param methods which methods are fenced
	 * @param transactions returns what raises the fence
	 */
	public FencedMethodInterceptor(FencedMethods methods, Supplier<FencedTransactions> transactions) {
		this.methods = methods;
		this.transactions = transactions;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : null;
		FencedMethod fenced = this.methods.find(invocation.getMethod(), targetClass);
		if (fenced == null || fenced.target() == null || isWithoutLock(invocation)) {
			return invocation.proceed();
		}
		if (!this.checked.contains(fenced.target())) {
			this.methods.check(invocation.getMethod(), targetClass, fenced.target());
			this.checked.add(fenced.target());
		}
		LockHandle handle = LockHandle.current();
		if (NoOpLockProvider.isTurnedOff(handle)) {
			return invocation.proceed();
		}
		FencedTransactions transactions = this.transactions.get();
		raise(transactions, handle, fenced.dataSource());
		Object result = invocation.proceed();
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
	private static void raise(FencedTransactions transactions, LockHandle handle, String dataSource) {
		try {
			transactions.raise(handle, dataSource);
		}
		catch (RuntimeException ex) {
			UnusedRelease.of(handle).join();
			throw ex;
		}
	}

	private static boolean isWithoutLock(MethodInvocation invocation) {
		return invocation instanceof ProxyMethodInvocation proxied && LockInterceptor.isWithoutLock(proxied);
	}

}
