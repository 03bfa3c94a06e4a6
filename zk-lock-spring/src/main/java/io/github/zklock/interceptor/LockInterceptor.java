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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.internal.NoOpLockProvider;
import io.github.zklock.interceptor.expression.LockExpressionEvaluator;
import io.github.zklock.interceptor.expression.LockKeyEvaluator;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.source.LockCallCheck;
import io.github.zklock.interceptor.source.LockOperationSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Runs a method under its lock. Only an adapter: what the lock is comes from the
 * {@link LockOperationSource}, its key from the {@link LockKeyEvaluator}, and what
 * happens from {@link LockOperations}. A call of a guarded method has to come from a
 * Spring proxy: any other invocation is refused with an {@link IllegalStateException}.
 *
 * @since 0.1.0
 */
public class LockInterceptor implements MethodInterceptor {

	private final LockOperationSource operationSource;

	private final LockKeyEvaluator keys;

	private final LockExpressionEvaluator evaluator;

	private final LockRefusals refusals;

	private final Function<String, ? extends LockOperations> operations;

	private final Map<String, LockExecutions> executions = new ConcurrentHashMap<>();

	// For locks that the configuration has turned off.
	private final LockExecutions unlocked;

	private final BooleanSupplier async;

	private final Supplier<? extends List<LockCallCheck>> checks;

	private final Supplier<? extends List<TaskDecorator>> decorators;

	/**
	 * Create an interceptor without beans: no {@code @bean} in conditions and permits.
	 * @param operationSource where the lock of a method is described
	 * @param operations what acquires, runs and releases
	 */
	public LockInterceptor(LockOperationSource operationSource, LockOperations operations) {
		this(operationSource, operations, new StaticListableBeanFactory());
	}

	/**
	 * Create the interceptor.
	 * @param operationSource where the lock of a method is described
	 * @param operations what acquires, runs and releases
	 * @param beanFactory the beans that conditions and permits refer to
	 */
	public LockInterceptor(LockOperationSource operationSource, LockOperations operations, BeanFactory beanFactory) {
		this(operationSource, (provider) -> operations, beanFactory);
	}

	/**
	 * Create an interceptor that connects to nothing: the first call looks up what
	 * acquires.
	 * @param operationSource where the lock of a method is described
	 * @param operations returns what acquires, runs and releases, for the name of a
	 * provider, which is empty for the default one
	 * @param beanFactory the beans that conditions and permits refer to
	 */
	public LockInterceptor(LockOperationSource operationSource, Function<String, ? extends LockOperations> operations,
			BeanFactory beanFactory) {
		this.operationSource = operationSource;
		this.keys = new LockKeyEvaluator(beanFactory);
		this.evaluator = new LockExpressionEvaluator(beanFactory);
		this.refusals = new LockRefusals(SingletonSupplier
			.of(() -> Optional.ofNullable(beanFactory.getBeanProvider(JobRecovery.class).getIfAvailable())));
		this.operations = operations;
		this.async = () -> isAsyncEnabled(beanFactory);
		this.checks = SingletonSupplier
			.of(() -> beanFactory.getBeanProvider(LockCallCheck.class).orderedStream().toList());
		this.decorators = SingletonSupplier
			.of(() -> beanFactory.getBeanProvider(TaskDecorator.class).orderedStream().toList());
		this.unlocked = executions(new LockTemplate(new NoOpLockProvider()));
	}

	private static boolean isAsyncEnabled(BeanFactory beanFactory) {
		return beanFactory.containsBean(TaskManagementConfigUtils.ASYNC_ANNOTATION_PROCESSOR_BEAN_NAME)
				|| beanFactory.containsBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME)
				|| beanFactory.getBeanProvider(AsyncAnnotationBeanPostProcessor.class).stream().findAny().isPresent();
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : null;
		LockOperation operation = this.operationSource.getLockOperation(invocation.getMethod(), targetClass);
		if (operation == null) {
			return invocation.proceed();
		}
		if (!(invocation instanceof ProxyMethodInvocation proxied)) {
			throw new IllegalStateException("The invocation is not one of a Spring proxy: " + invocation);
		}
		if (LockCall.of(operation, List.of(), proxied, this.refusals).run().isOfAnother()) {
			return operation.skippedResult();
		}
		List<LockRequest> requests;
		try {
			requests = requests(operation, invocation);
			if (!requests.isEmpty()) {
				check(proxied, requests);
			}
		}
		catch (RuntimeException ex) {
			return LockExecutions.failed(LockCall.of(operation, List.of(), proxied, this.refusals), this.async, ex);
		}
		if (!requests.isEmpty()) {
			return executions(operation.provider()).of(operation)
				.execute(LockCall.of(operation, requests, proxied, this.refusals));
		}
		List<LockRequest> unguarded = unguarded(operation);
		LockCall call = LockCall.of(operation, unguarded, proxied, this.refusals);
		if (call.run().isLate()) {
			call.run().settled();
			return operation.skippedResult();
		}
		call.run().beginsUnguarded();
		return unguarded.isEmpty() ? call.proceedWith(null) : this.unlocked.of(operation).execute(call);
	}

	/**
	 * Return the lock of a call that has passed this interceptor.
	 * @param invocation the call
	 * @return the lock, empty if the condition of the call says that it needs none;
	 * {@code null} if the call has not passed this interceptor
	 */
	public static @Nullable Optional<LockHandle> lock(ProxyMethodInvocation invocation) {
		return LockCall.lock(invocation);
	}

	// Without a lock: the supplier may create beans, for which Spring has locks of its
	// own.
	private LockExecutions executions(String provider) {
		LockExecutions known = this.executions.get(provider);
		if (known == null) {
			known = executions(this.operations.apply(provider));
			this.executions.put(provider, known);
		}
		return known;
	}

	private LockExecutions executions(LockOperations operations) {
		return new LockExecutions(operations, this.async, this::decorate);
	}

	// The first of them is the outermost, as for the executors of Spring Boot.
	private Runnable decorate(Runnable task) {
		Runnable decorated = task;
		List<TaskDecorator> all = this.decorators.get();
		for (int i = all.size() - 1; i >= 0; i--) {
			decorated = all.get(i).decorate(decorated);
		}
		return decorated;
	}

	private void check(ProxyMethodInvocation invocation, List<LockRequest> requests) {
		for (LockCallCheck check : this.checks.get()) {
			check.beforeAcquire(invocation, requests);
		}
	}

	// Empty if the call is to run without a lock.
	List<LockRequest> requests(LockOperation operation, MethodInvocation invocation) {
		List<LockRequest> requests = new ArrayList<>(operation.locks().size());
		for (LockSpecification lock : operation.locks()) {
			if (!lock.unguarded() && this.evaluator.needs(lock, operation, invocation)) {
				int permits = this.evaluator.permits(lock, operation, invocation);
				for (String key : this.keys.keys(operation, lock, invocation)) {
					requests.add(lock.request(key, permits));
				}
			}
		}
		return requests;
	}

	// Nothing is evaluated: what fails there is a reason to call a method unguarded.
	private static List<LockRequest> unguarded(LockOperation operation) {
		return operation.locks()
			.stream()
			.filter(LockSpecification::unguarded)
			.map((lock) -> lock.request(lock.name(), 1))
			.toList();
	}

}
