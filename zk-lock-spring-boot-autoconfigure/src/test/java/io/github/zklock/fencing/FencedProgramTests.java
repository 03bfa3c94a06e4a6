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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockFencingAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockTransactionAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LossPolicy;
import io.github.zklock.fencing.FencedMethodBeans.WithPermits;
import io.github.zklock.fencing.FencedMethodBeans.WithoutLock;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Fences without {@code @Fenced}, and {@code @Fenced} without fences.
 */
class FencedProgramTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withUserConfiguration(FencedMethodTests.Database.class)
		.withPropertyValues("test.url=" + this.url);

	@Test
	void programMayRaiseAFenceItself() {
		this.runner.run((context) -> {
			FencedTransactions fences = context.getBean(FencedTransactions.class);
			LockOperations locks = context.getBean(LockOperations.class);
			TransactionTemplate transactions = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			run(locks, LockRequest.of("orders"), (handle) -> {
				fences.raise(handle);
				assertThatExceptionOfType(LockLostBeforeCommitException.class).isThrownBy(() -> transactions
					.executeWithoutResult((status) -> FencedMethodTests.apart(this.url, FencedMethodTests.LATER)));
			});
			assertThat(FencedMethodTests.tokens(context)).hasSize(2);
		});
	}

	@Test
	void fenceThatNoCommitWouldCheckIsNotRaised() {
		this.runner.run((context) -> {
			FencedTransactions fences = context.getBean(FencedTransactions.class);
			LockOperations locks = context.getBean(LockOperations.class);
			LockHandle handle = locks.acquire(List.of(LockRequest.of("orders")));
			assertThatIllegalStateException().isThrownBy(() -> fences.raise(handle))
				.withMessageContaining("does not run under the lock");
			handle.<@Nullable Object, RuntimeException>call((held) -> {
				fences.raise(held);
				return null;
			});
			handle.release();
			assertThatIllegalStateException()
				.isThrownBy(() -> run(locks, LockRequest.of("a").withOnLost(LossPolicy.IGNORE), fences::raise))
				.withMessageContaining("its loss is ignored");
			assertThatIllegalStateException()
				.isThrownBy(() -> run(locks, LockRequest.of("a").withPermits(2), fences::raise))
				.withMessageContaining("without permits");
			assertThat(FencedMethodTests.tokens(context)).hasSize(2);
		});
	}

	@Test
	void releaseOfASavepointIsNotChecked() {
		this.runner.run((context) -> {
			FencedTransactions fences = context.getBean(FencedTransactions.class);
			AtomicBoolean released = new AtomicBoolean();
			TransactionTemplate transactions = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			TransactionTemplate nested = new TransactionTemplate(context.getBean(PlatformTransactionManager.class),
					new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
			run(context.getBean(LockOperations.class), LockRequest.of("orders"), (handle) -> {
				fences.raise(handle);
				assertThatExceptionOfType(LockLostBeforeCommitException.class)
					.isThrownBy(() -> transactions.executeWithoutResult((status) -> {
						FencedMethodTests.apart(this.url, FencedMethodTests.LATER);
						nested.executeWithoutResult((inner) -> {
						});
						released.set(true);
					}));
			});
			assertThat(released).isTrue();
		});
	}

	@Test
	void startFailsIfNothingRaisesFences() {
		ApplicationContextRunner without = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
					ZkLockFencingAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class);
		for (Class<?> bean : List.of(WithoutLock.class, WithPermits.class)) {
			without.withBean(bean)
				.run((context) -> assertThat(context).getFailure()
					.hasMessageContaining("The @Fenced method " + bean.getName() + ".run() is not fenced"));
			without.withBean(bean)
				.withPropertyValues("zk-lock.enabled=false")
				.run((context) -> assertThat(context).hasNotFailed());
		}
	}

	private static void run(LockOperations locks, LockRequest request, Consumer<LockHandle> body) {
		locks.<@Nullable Object, RuntimeException>execute(request, (handle) -> {
			body.accept(handle);
			return null;
		});
	}

}
