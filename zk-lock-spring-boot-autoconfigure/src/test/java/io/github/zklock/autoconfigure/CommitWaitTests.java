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

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import io.github.zklock.autoconfigure.ReactiveTransactionApplication.Locked;
import io.github.zklock.autoconfigure.ReactiveTransactionApplication.Orders;
import io.github.zklock.autoconfigure.TransactionApplication.Inner;
import io.github.zklock.autoconfigure.TransactionApplication.Outer;
import io.github.zklock.autoconfigure.TransactionApplication.Rows;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.ReactiveTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A real server is stopped before the commit to a real database. A commit waits for the
 * server while the lock may still be held.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class CommitWaitTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private CompletableFuture<Void> restarted = CompletableFuture.completedFuture(null);

	@ParameterizedTest
	@EnumSource
	void transactionSurvivesARestartOfTheServer(Call call) {
		try (ConfigurableApplicationContext context = application(TransactionApplication.class, "")) {
			call.body.accept(context, () -> restartDuringTheCommit(context));
			assertThat(this.restarted).succeedsWithin(Duration.ofSeconds(30));
			assertThat(context.getBean(Rows.class).count()).isOne();
		}
	}

	@Test
	void reactiveTransactionSurvivesARestartOfTheServer() {
		try (ConfigurableApplicationContext context = application(Reactive.class, "")) {
			String result = context.getBean(Locked.class)
				.transactional(() -> restartDuringTheCommit(context))
				.block(Duration.ofMinutes(2));
			assertThat(result).isEqualTo("inserted");
			assertThat(this.restarted).succeedsWithin(Duration.ofSeconds(30));
			assertThat(context.getBean(ReactiveTransactionApplication.Rows.class).count()).isOne();
		}
	}

	@Test
	void waitIsBoundedAndTheRollbackIsLoggedAndCounted(CapturedOutput output) {
		try (ConfigurableApplicationContext context = application(TransactionApplication.class,
				"zk-lock.commit-wait=100ms")) {
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> context.getBean(Inner.class).lockedTransaction(() -> stop(context)))
				.withMessage("Lock 'orders' (EXCLUSIVE) is not known to be held before the commit: the connection is "
						+ "interrupted. The transaction is rolled back, and it is safe to try it again")
				.satisfies((ex) -> assertThat(ex).hasNoSuppressedExceptions());
			assertThat(context.getBean(Rows.class).count()).isZero();
			assertThat(output.toString().lines().filter((line) -> line.contains("No commit: Lock 'orders'"))).hasSize(1)
				.allMatch((line) -> line.contains("WARN"));
			assertThat(context.getBean(MeterRegistry.class).get("zk.lock.rollbacks").counter().count()).isOne();
			server.start();
		}
	}

	@Test
	void waitOfMoreThanASecondIsLoggedOnce(CapturedOutput output) {
		try (ConfigurableApplicationContext context = application(TransactionApplication.class, "")) {
			context.getBean(Inner.class).lockedTransaction(() -> {
				stop(context);
				this.restarted = CompletableFuture.runAsync(() -> {
					Awaitility.await().until(() -> !waits(output).isEmpty());
					server.start();
				});
			});
			assertThat(this.restarted).succeedsWithin(Duration.ofSeconds(30));
			assertThat(context.getBean(Rows.class).count()).isOne();
			assertThat(waits(output)).singleElement()
				.asString()
				.contains("INFO")
				.containsPattern("A commit under Lock 'orders' \\(EXCLUSIVE\\) waits for the connection to ZooKeeper, "
						+ "for [0-9.]+s more at most; then its transaction is rolled back");
		}
	}

	private static List<String> waits(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("A commit under")).toList();
	}

	@Test
	void interruptEndsTheWait() {
		try (ConfigurableApplicationContext context = application(TransactionApplication.class, "")) {
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> context.getBean(Inner.class).lockedTransaction(() -> {
					stop(context);
					Thread.currentThread().interrupt();
				}));
			assertThat(Thread.interrupted()).isTrue();
			server.start();
			assertThat(context.getBean(Rows.class).count()).isZero();
		}
	}

	// The lock is known to be uncertain when the commit begins, and for a while after.
	private void restartDuringTheCommit(ConfigurableApplicationContext context) {
		stop(context);
		this.restarted = CompletableFuture.runAsync(server::start,
				CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS));
	}

	private static void stop(ConfigurableApplicationContext context) {
		server.stop();
		ZooKeeperLockProvider provider = context.getBean(ZooKeeperLockProvider.class);
		Awaitility.await().until(() -> provider.status().connection() != Connection.CONNECTED);
	}

	private static ConfigurableApplicationContext application(Class<?> source, String property) {
		return new SpringApplicationBuilder(source, Meters.class).web(WebApplicationType.NONE)
			.properties("zk-lock.connect-string=" + server.connectString(), "zk-lock.session-timeout=60s",
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
					"spring.main.banner-mode=off", property.isEmpty() ? "test=none" : property)
			.run();
	}

	enum Call {

		LOCK_OUTSIDE((application, restart) -> application.getBean(Inner.class).lockedTransaction(restart)),

		LOCK_INSIDE((application, restart) -> application.getBean(Outer.class).callLocked(restart));

		private final BiConsumer<ConfigurableApplicationContext, Runnable> body;

		Call(BiConsumer<ConfigurableApplicationContext, Runnable> body) {
			this.body = body;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Meters {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ ReactiveTransactionApplication.Rows.class, Orders.class, Locked.class })
	static class Reactive {

		@Bean
		ReactiveTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcReactiveTransactionManager(dataSource);
		}

	}

}
