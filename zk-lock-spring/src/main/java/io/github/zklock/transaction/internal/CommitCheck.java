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

package io.github.zklock.transaction.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import io.github.zklock.transaction.LockCommitListener;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.NativeDetector;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.util.ReflectionUtils;

/**
 * Checks the locks before the commit of a transaction manager that takes no listeners:
 * one that decorates another, or is written for the application.
 */
final class CommitCheck implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(CommitCheck.class);

	private final PlatformTransactionManager manager;

	private final LockCommitListener listener;

	private CommitCheck(PlatformTransactionManager manager, LockCommitListener listener) {
		this.manager = manager;
		this.listener = listener;
	}

	/**
	 * Return a proxy of a manager: of its class if possible, otherwise of its interfaces.
	 * @param byInterface whether the application can use a bean that is not of the class
	 * @return the proxy, or the manager itself if no proxy would fit
	 */
	static Object of(PlatformTransactionManager manager, String beanName, boolean byInterface,
			LockCommitListener listener) {
		boolean extensible = isExtensible(manager.getClass());
		if (NativeDetector.inNativeImage()) {
			return unchecked(manager, beanName, "a native image makes no proxy of it", "");
		}
		if (!extensible && !byInterface) {
			return unchecked(manager, beanName, "its class cannot be extended",
					", or declare the bean as a PlatformTransactionManager");
		}
		ProxyFactory factory = new ProxyFactory(manager);
		factory.setProxyTargetClass(extensible);
		factory.addAdvice(new CommitCheck(manager, listener));
		try {
			return factory.getProxy(manager.getClass().getClassLoader());
		}
		catch (AopConfigException | IllegalArgumentException ex) {
			return unchecked(manager, beanName, String.valueOf(ex.getMessage()), "");
		}
	}

	private static Object unchecked(PlatformTransactionManager manager, String beanName, String why, String orElse) {
		logger.warn("The transactions of '{}' ({}) commit although their locks are lost: this manager takes no "
				+ "listeners, and there is no proxy around it ({}). Let it implement ConfigurableTransactionManager, as "
				+ "AbstractPlatformTransactionManager does{}", beanName, manager.getClass().getName(), why, orElse);
		return manager;
	}

	// A final method would run on the proxy, which has no fields of its own.
	private static boolean isExtensible(Class<?> type) {
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type,
				(method) -> method.getDeclaringClass() != Object.class)) {
			if (Modifier.isFinal(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers())
					&& !Modifier.isStatic(method.getModifiers())) {
				return false;
			}
		}
		return !Modifier.isFinal(type.getModifiers());
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		@Nullable Object[] arguments = invocation.getArguments();
		if (arguments.length == 1 && arguments[0] instanceof TransactionStatus status
				&& invocation.getMethod().getName().equals("commit")) {
			requireLocks(status);
			boolean commits = isCommit(status);
			try {
				return invocation.proceed();
			}
			finally {
				if (commits) {
					this.listener.afterCommit(status, null);
				}
			}
		}
		else if (arguments.length == 2 && arguments[1] instanceof TransactionCallback<?> callback) {
			arguments[1] = checked(callback);
		}
		return invocation.proceed();
	}

	private void requireLocks(TransactionStatus status) {
		try {
			check(status);
		}
		catch (RuntimeException refusal) {
			try {
				this.manager.rollback(status);
			}
			catch (RuntimeException ex) {
				refusal.addSuppressed(ex);
			}
			throw refusal;
		}
	}

	// A manager that runs the transaction itself rolls it back after an exception.
	private <T extends @Nullable Object> TransactionCallback<T> checked(TransactionCallback<T> callback) {
		return (status) -> {
			T result = callback.doInTransaction(status);
			check(status);
			// It is about to be committed.
			if (isCommit(status)) {
				this.listener.afterCommit(status, null);
			}
			return result;
		};
	}

	private void check(TransactionStatus status) {
		if (isCommit(status)) {
			this.listener.beforeCommit(status);
		}
	}

	private static boolean isCommit(TransactionStatus status) {
		return status.isNewTransaction() && !status.isRollbackOnly();
	}

}
