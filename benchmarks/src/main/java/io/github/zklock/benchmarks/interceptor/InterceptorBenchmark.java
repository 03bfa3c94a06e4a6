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

package io.github.zklock.benchmarks.interceptor;

import java.util.concurrent.TimeUnit;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.aop.support.AopUtils;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One call of a guarded method, and the same call written with the template. The lock is
 * free and in memory, so the difference is what the annotation costs.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 12, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class InterceptorBenchmark {

	private static final LockRequest REQUEST = LockRequest.of("order:42");

	/**
	 * How the bean is proxied: {@code cglib} or {@code jdk}.
	 */
	@Param({ "cglib", "jdk" })
	public String proxy;

	private final Order order = new Order(42);

	private final Orders unguarded = new GuardedOrders();

	private ConfigurableApplicationContext application;

	private LockOperations operations;

	private Orders orders;

	/**
	 * Start the application.
	 * @throws IllegalStateException if the bean is not proxied as it should be
	 */
	@Setup
	public void start() {
		boolean jdk = this.proxy.equals("jdk");
		this.application = OrdersApplication.run(!jdk);
		this.operations = this.application.getBean(LockOperations.class);
		this.orders = this.application.getBean(Orders.class);
		if (jdk != AopUtils.isJdkDynamicProxy(this.orders) || !AopUtils.isAopProxy(this.orders)) {
			throw new IllegalStateException("Not the proxy that was asked for: " + this.orders.getClass());
		}
	}

	/**
	 * Stop the application.
	 */
	@TearDown
	public void stop() {
		this.application.close();
	}

	/**
	 * Call the template with a request that exists already: the strictest measure.
	 * @return the result of the body
	 */
	@Benchmark
	public long direct() {
		return this.operations.execute(REQUEST, (handle) -> this.unguarded.literal(this.order));
	}

	/**
	 * Call the template as one would by hand, with a request for each call.
	 * @return the result of the body
	 */
	@Benchmark
	public long directWithRequest() {
		return this.operations.execute(LockRequest.of("order:" + this.order.id()),
				(handle) -> this.unguarded.template(this.order));
	}

	/**
	 * Call a method whose key is plain text.
	 * @return the result of the method
	 */
	@Benchmark
	public long literal() {
		return this.orders.literal(this.order);
	}

	/**
	 * Call a method whose key is {@code #id}.
	 * @return the result of the method
	 */
	@Benchmark
	public long variable() {
		return this.orders.variable(this.order.id());
	}

	/**
	 * Call a method whose key is <code>order:#{#order.id}</code>.
	 * @return the result of the method
	 */
	@Benchmark
	public long template() {
		return this.orders.template(this.order);
	}

}
