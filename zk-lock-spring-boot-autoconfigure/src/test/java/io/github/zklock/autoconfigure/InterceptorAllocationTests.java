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

package io.github.zklock.autoconfigure;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the annotation costs in memory: unlike time, it is the same on every machine. Most
 * of it is the context that Spring makes for the expressions of one call.
 */
class InterceptorAllocationTests {

	// The JVM's first compiler, which tests run with, leaves no allocation out.
	private static final long LIMIT = 3_300;

	private static final int CALLS = 1_000;

	private static final int BATCHES = 200;

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@ParameterizedTest(name = "{1}, JDK proxy: {0}")
	@MethodSource
	void aCallAllocatesFewBytesMoreThanTheTemplate(boolean jdkProxy, String key, ToLongFunction<Orders> guarded) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class))
			.withPropertyValues("spring.aop.proxy-target-class=" + !jdkProxy)
			.withBean(InMemoryLockProvider.class)
			.withBean(GuardedOrders.class)
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				assertThat(AopUtils.isAopProxy(orders)).isTrue();
				assertThat(AopUtils.isJdkDynamicProxy(orders)).isEqualTo(jdkProxy);
				LockOperations operations = context.getBean(LockOperations.class);
				LockRequest request = LockRequest.of("order:42");
				Orders unguarded = new GuardedOrders();
				long direct = bytes(() -> operations.execute(request, (handle) -> guarded.applyAsLong(unguarded)), 0);
				assertThat(bytes(() -> guarded.applyAsLong(orders), direct + LIMIT) - direct).isPositive()
					.isLessThanOrEqualTo(LIMIT);
			});
	}

	static Stream<Arguments> aCallAllocatesFewBytesMoreThanTheTemplate() {
		Order order = new Order(42);
		return Stream.of(false, true)
			.flatMap((jdkProxy) -> Stream.of(call(jdkProxy, "order:42", (orders) -> orders.literal(order)),
					call(jdkProxy, "#id", (orders) -> orders.variable(42)),
					call(jdkProxy, "order:#{#order.id}", (orders) -> orders.template(order))));
	}

	private static Arguments call(boolean jdkProxy, String key, ToLongFunction<Orders> call) {
		return Arguments.of(jdkProxy, key, call);
	}

	// The least of many batches, since code that is not compiled yet allocates more.
	private long bytes(LongSupplier call, long enough) {
		long least = Long.MAX_VALUE;
		for (int batch = 0; batch < BATCHES && least > enough; batch++) {
			long before = this.threads.getCurrentThreadAllocatedBytes();
			long sum = 0;
			for (int i = 0; i < CALLS; i++) {
				sum += call.getAsLong();
			}
			least = Math.min(least, (this.threads.getCurrentThreadAllocatedBytes() - before) / CALLS);
			assertThat(sum).isEqualTo(43L * CALLS);
		}
		return least;
	}

	interface Orders {

		long literal(Order order);

		long variable(long id);

		long template(Order order);

	}

	static class GuardedOrders implements Orders {

		@Override
		@DistributedLock("order:42")
		public long literal(Order order) {
			return order.id() + 1;
		}

		@Override
		@DistributedLock("#id")
		public long variable(long id) {
			return id + 1;
		}

		@Override
		@DistributedLock("order:#{#order.id}")
		public long template(Order order) {
			return order.id() + 1;
		}

	}

	record Order(long id) {
	}

}
