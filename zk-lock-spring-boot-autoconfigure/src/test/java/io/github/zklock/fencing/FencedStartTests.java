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

import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockFencingAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockTransactionAutoConfiguration;
import io.github.zklock.autoconfigure.observation.ZkLockMetricsAutoConfiguration;
import io.github.zklock.core.LockLostException;
import io.github.zklock.fencing.FencedMethodBeans.Orders;
import io.github.zklock.fencing.FencedMethodBeans.OtherDatabase;
import io.github.zklock.fencing.FencedMethodBeans.WithIgnoredLoss;
import io.github.zklock.fencing.FencedMethodBeans.WithPermits;
import io.github.zklock.fencing.FencedMethodBeans.WithPublisher;
import io.github.zklock.fencing.FencedMethodBeans.WithoutLock;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@code @Fenced} needs at the start of an application, and what it counts.
 */
@ExtendWith(OutputCaptureExtension.class)
class FencedStartTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withUserConfiguration(FencedMethodTests.Database.class)
		.withPropertyValues("test.url=" + this.url);

	private final ApplicationContextRunner orders = this.runner.withBean(Orders.class);

	@Test
	void startNamesTheDatabase(CapturedOutput output) {
		this.orders.run((context) -> assertThat(output.toString()).contains(
				"Transactions of the data source 'default' are fenced: H2, checked as h2, in the table zk_lock_fence"));
	}

	@Test
	void startFailsWithoutTheTable() {
		this.orders.withPropertyValues("zk-lock.fencing.initialize-schema=never")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("There is no table zk_lock_fence")
				.hasMessageContaining("create table if not exists zk_lock_fence"));
	}

	@Test
	void applicationWithoutAFencedMethodNeedsNoTable(CapturedOutput output) {
		this.runner.withPropertyValues("zk-lock.fencing.initialize-schema=always").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output.toString()).doesNotContain("are fenced");
			assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("select count(*) from information_schema.tables where table_name = 'ZK_LOCK_FENCE'",
						Long.class))
				.isZero();
		});
	}

	@Test
	void fencesAreCounted() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		this.orders.withConfiguration(AutoConfigurations.of(ZkLockMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, () -> registry)
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> orders.add(() -> FencedMethodTests.apart(this.url, FencedMethodTests.LATER)));
				assertThatExceptionOfType(LockLostException.class).isThrownBy(orders::count);
			});
		assertThat(registry.get("zk.lock.fence.raised").counter().count()).isOne();
		assertThat(registry.get("zk.lock.fence.refused").counter().count()).isOne();
		assertThat(registry.get("zk.lock.fence.rollbacks").counter().count()).isOne();
	}

	@Test
	void dataSourceIsNamed() {
		this.runner.withUserConfiguration(Other.class)
			.withPropertyValues("test.other=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")
			.run((context) -> {
				context.getBean(OtherDatabase.class).add();
				JdbcTemplate other = new JdbcTemplate(context.getBean("other", DataSource.class));
				assertThat(other.queryForList("select token from zk_lock_fence")).hasSize(2);
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { WithoutLock.class, WithPermits.class, WithIgnoredLoss.class, WithPublisher.class })
	void startFailsIfAMethodCannotBeFenced(Class<?> bean) {
		this.runner.withBean(bean)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("The @Fenced method " + bean.getName() + ".run()"));
	}

	@Test
	void allMethodsThatCannotBeFencedAreNamed() {
		this.runner.withBean(WithPublisher.class)
			.withBean(WithIgnoredLoss.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("2 uses", WithPublisher.class.getName() + ".run()",
						WithIgnoredLoss.class.getName() + ".run()"));
	}

	@Test
	void methodThatCannotBeFencedIsRefusedIfTheStartIsNot() {
		this.runner.withBean(WithPermits.class)
			.withPropertyValues("zk-lock.aop.validation=off")
			.run((context) -> assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> context.getBean(WithPermits.class).run())
				.withMessageContaining("whose holders do not exclude each other"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "off", "warn" })
	void methodWithoutADatabaseIsWarnedOf(String validation, CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
					ZkLockFencingAutoConfiguration.class))
			.withBean(InMemoryLockProvider.class)
			.withBean(WithPermits.class)
			.withPropertyValues("zk-lock.aop.validation=" + validation)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output.toString().lines().filter((line) -> line.contains("is not fenced, since")))
					.singleElement()
					.asString()
					.contains("WARN", "The @Fenced method " + WithPermits.class.getName() + ".run()");
			});
	}

	@Test
	void methodWithoutATransactionIsWarnedOfWhereTheChecksAreOff(CapturedOutput output) {
		this.runner.withBean(WithoutTransaction.class)
			.withPropertyValues("zk-lock.aop.validation=off")
			.run((context) -> {
				context.getBean(WithoutTransaction.class).run();
				assertThat(output.toString()).contains("The @Fenced method " + WithoutTransaction.class.getName()
						+ ".run() ran no transaction of its data source");
			});
	}

	static class WithoutTransaction {

		@Fenced
		@DistributedLock("plain")
		void run() {
			// Forgets its transaction.
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Other {

		@Bean(destroyMethod = "close")
		HikariDataSource other(Environment environment) {
			return FencedMethodTests.Database.pool(environment.getRequiredProperty("test.other"));
		}

		@Bean
		PlatformTransactionManager otherManager(@Qualifier("other") DataSource other) {
			return new JdbcTransactionManager(other);
		}

		@Bean
		OtherDatabase otherDatabase(@Qualifier("other") DataSource other) {
			return new OtherDatabase(new JdbcTemplate(other));
		}

	}

}
