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

package io.github.zklock.config;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.zklock.annotation.EnableDistributedLocks;
import io.github.zklock.annotation.LockValidation;
import io.github.zklock.config.EnabledLockBeans.AfterCommit;
import io.github.zklock.config.EnabledLockBeans.BadKey;
import io.github.zklock.config.EnabledLockBeans.Database;
import io.github.zklock.config.EnabledLockBeans.FencedOrders;
import io.github.zklock.config.EnabledLockBeans.Hourly;
import io.github.zklock.config.EnabledLockBeans.Orders;
import io.github.zklock.config.EnabledLockBeans.Seats;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockJob;
import io.github.zklock.core.LockJobs;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockTemplate;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.BeanFactoryLockOperationSourceAdvisor;
import io.github.zklock.interceptor.LockInterceptor;
import io.github.zklock.interceptor.check.LockUsageValidator;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.scheduling.ScheduledRunConfigurer;
import io.github.zklock.support.ManualTaskScheduler;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.test.memory.InMemoryLockTesting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Applications without Spring Boot.
 */
class EnableDistributedLocksTests {

	private static final Instant START = Instant.parse("2026-10-05T09:30:00Z");

	private final InMemoryLockProvider provider = new InMemoryLockProvider();

	private final InMemoryLockTesting locks = new InMemoryLockTesting(this.provider);

	private final ManualTaskScheduler scheduler = new ManualTaskScheduler(START);

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.provider.keysInUse()).isZero();
	}

	@ParameterizedTest
	@ValueSource(classes = { Enabled.class, WithClassProxies.class })
	void guardedMethodRunsUnderItsLock(Class<?> configuration) {
		try (AnnotationConfigApplicationContext context = start(configuration, Orders.class)) {
			Seats seats = context.getBean(Seats.class);
			assertThat(seats.sell("a1")).isEqualTo("seat:a1");
			LockHandle other = this.locks.hold("seat:a1");
			assertThat(seats.sellNow("a1")).isEqualTo("sold out");
			other.release();
			assertThat(AopUtils.isCglibProxy(seats)).isEqualTo(configuration == WithClassProxies.class);
		}
	}

	@Test
	void methodsOfTheContextUseOneTemplateAndItsSettings() {
		try (AnnotationConfigApplicationContext context = start(Enabled.class)) {
			assertThat(context.getBean(LockOperations.class)).isExactlyInstanceOf(LockTemplate.class);
			assertThat(context.getBean(LockSettings.class).defaultWait()).hasSeconds(10);
			assertThat(context.getBeanNamesForType(LockUsageValidator.class)).hasSize(1);
			assertThat(context.getBeanNamesForType(ScheduledRunConfigurer.class)).isEmpty();
		}
	}

	@Test
	void lockIsOutsideTheTransactionUnlessAnotherOrderIsSet() {
		try (AnnotationConfigApplicationContext context = start(Enabled.class, Database.class, AfterCommit.class)) {
			assertThat(advisors(context)).containsSubsequence(BeanFactoryLockOperationSourceAdvisor.class,
					BeanFactoryTransactionAttributeSourceAdvisor.class);
			assertThat(context.getBean(BeanFactoryLockOperationSourceAdvisor.class).getOrder())
				.isEqualTo(BeanFactoryLockOperationSourceAdvisor.DEFAULT_ORDER);
		}
		try (AnnotationConfigApplicationContext context = start(Ordered.class)) {
			assertThat(context.getBean(BeanFactoryLockOperationSourceAdvisor.class).getOrder()).isEqualTo(42);
		}
	}

	private static List<Class<?>> advisors(AnnotationConfigApplicationContext context) {
		return List.of(((Advised) context.getBean(AfterCommit.class)).getAdvisors())
			.stream()
			.<Class<?>>map(Object::getClass)
			.toList();
	}

	@Test
	void badKeyIsRefusedAtTheStart() {
		assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(() -> start(Enabled.class, BadKey.class))
			.withMessageContaining(BadKey.class.getName() + ".work()");
	}

	@ParameterizedTest
	@ValueSource(classes = { Warning.class, Unchecked.class })
	void badKeyIsLeftToTheCallIfTheAnnotationSaysSo(Class<?> configuration) {
		try (AnnotationConfigApplicationContext context = start(configuration, BadKey.class)) {
			assertThatExceptionOfType(InvalidLockUsageException.class).isThrownBy(context.getBean(BadKey.class)::work);
		}
	}

	@Test
	void contextWithoutAProviderIsRefusedWithWhatToDeclare() {
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> new AnnotationConfigApplicationContext(Enabled.class))
			.withMessage("@EnableDistributedLocks has no locks, since there is no bean of type LockProvider. Declare "
					+ "one, such as: @Bean ZooKeeperLockProvider locks(CuratorFramework client) "
					+ "{ return ZooKeeperLockProvider.builder(client).build(); }");
	}

	@Test
	void severalProvidersNeedAPrimaryOne() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Enabled.class);
		context.registerBean("one", LockProvider.class, () -> this.provider);
		context.registerBean("other", LockProvider.class, InMemoryLockProvider::new);
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(context::refresh)
			.withRootCauseInstanceOf(InvalidLockUsageException.class)
			.withStackTraceContaining("Mark one of them with @Primary");
	}

	@Test
	void beansOfTheApplicationWin() {
		LockOperations operations = new LockTemplate(this.provider);
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Enabled.class, Orders.class);
			context.registerBean("ownLocks", LockOperations.class, () -> operations);
			context.registerBean("ownSettings", LockSettings.class, TestLockSettings::new);
			context.registerBean("ownInterceptor", LockInterceptor.class,
					() -> new LockInterceptor(context.getBean(LockOperationSource.class), operations));
			context.refresh();
			assertThat(context.getBeansOfType(LockOperations.class)).containsOnlyKeys("ownLocks");
			assertThat(context.getBeansOfType(LockSettings.class)).containsOnlyKeys("ownSettings");
			assertThat(context.getBeansOfType(LockInterceptor.class)).containsOnlyKeys("ownInterceptor");
			assertThat(context.getBean(Seats.class).sell("b2")).isEqualTo("seat:b2");
		}
	}

	@Test
	void scheduledMethodRunsOncePerTickOnTwoNodes() {
		InMemoryLockProvider other = this.provider.another("other");
		try (AnnotationConfigApplicationContext one = node(this.provider);
				AnnotationConfigApplicationContext two = node(other)) {
			this.scheduler.advance(Duration.ofHours(2));
			assertThat(one.getBean(Hourly.class).runs() + two.getBean(Hourly.class).runs()).isEqualTo(2);
		}
	}

	@Test
	void jobIsPausedResumedAndRunByHand() {
		try (AnnotationConfigApplicationContext context = node(this.provider)) {
			LockJobs jobs = context.getBean(LockJobs.class);
			assertThat(jobs.list()).extracting(LockJob::name).containsExactly("hourly-report");
			jobs.pause("hourly-report", "ann");
			this.scheduler.advance(Duration.ofHours(1));
			assertThat(context.getBean(Hourly.class).runs()).isZero();
			CompletableFuture<Void> begun = jobs.run("hourly-report");
			this.scheduler.advance(Duration.ZERO);
			assertThat(begun).succeedsWithin(Duration.ofSeconds(30));
			assertThat(context.getBean(Hourly.class).runs()).isOne();
			jobs.resume("hourly-report");
			this.scheduler.advance(Duration.ofHours(1));
			assertThat(context.getBean(Hourly.class).runs()).isEqualTo(2);
		}
	}

	@Test
	void lockIsReleasedAfterTheCommitAndALossRollsBack() {
		try (AnnotationConfigApplicationContext context = start(Enabled.class, Database.class, AfterCommit.class)) {
			AfterCommit orders = context.getBean(AfterCommit.class);
			orders.inTransaction(() -> {
				orders.add();
				this.locks.assertHeld("after-commit");
			});
			this.locks.assertFree("after-commit");
			assertThat(rows(context)).isOne();
			assertThatExceptionOfType(LockLostBeforeCommitException.class).isThrownBy(() -> orders.inTransaction(() -> {
				orders.add();
				this.locks.lose("after-commit");
			}));
			assertThat(rows(context)).isOne();
		}
	}

	@Test
	void transactionUnderALostLockIsRolledBack() {
		try (AnnotationConfigApplicationContext context = start(Enabled.class, Database.class, AfterCommit.class)) {
			AfterCommit orders = context.getBean(AfterCommit.class);
			orders.addAround(() -> this.locks.assertHeld("around"));
			assertThat(rows(context)).isOne();
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> orders.addAround(() -> this.locks.lose("around")));
			assertThat(rows(context)).isOne();
		}
	}

	@Test
	void fenceRefusesTheCommitOfAnEarlierHolder() {
		try (AnnotationConfigApplicationContext context = start(Enabled.class, Database.class, FencedOrders.class)) {
			FencedOrders orders = context.getBean(FencedOrders.class);
			orders.add(() -> {
			});
			assertThat(rows(context)).isOne();
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> orders.add(() -> laterHolder(context)));
			assertThat(rows(context)).isOne();
		}
	}

	// On a connection of its own, outside the transaction.
	private static void laterHolder(AnnotationConfigApplicationContext context) {
		CompletableFuture
			.runAsync(() -> assertThat(context.getBean(JdbcTemplate.class)
				.update("update zk_lock_fence set token = token + 1000000 where lock_key = '/locks/orders'")).isOne())
			.join();
	}

	private static int rows(AnnotationConfigApplicationContext context) {
		return context.getBean(JdbcTemplate.class).queryForObject("select count(*) from orders", Integer.class);
	}

	@Test
	void childContextUsesTheLocksOfItsParentAndItsOwnAttributes() {
		try (AnnotationConfigApplicationContext parent = start(Ordered.class);
				AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
			child.setParent(parent);
			child.register(WithClassProxies.class, Orders.class);
			child.refresh();
			assertThat(child.getBeanNamesForType(LockOperations.class)).isEmpty();
			assertThat(List.of(((Advised) child.getBean(Seats.class)).getAdvisors())
				.stream()
				.filter(BeanFactoryLockOperationSourceAdvisor.class::isInstance)
				.map((advisor) -> ((BeanFactoryLockOperationSourceAdvisor) advisor).getOrder()))
				.containsExactly(BeanFactoryLockOperationSourceAdvisor.DEFAULT_ORDER);
			LockHandle held = this.locks.hold("seat:c3");
			assertThat(child.getBean(Seats.class).sellNow("c3")).isEqualTo("sold out");
			held.release();
			assertThat(child.getBean(Seats.class).sell("c3")).isEqualTo("seat:c3");
		}
	}

	private AnnotationConfigApplicationContext node(InMemoryLockProvider locks) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(Scheduled.class, Hourly.class);
		context.registerBean("locks", LockProvider.class, () -> locks);
		context.registerBean("taskScheduler", ManualTaskScheduler.class, () -> this.scheduler);
		context.refresh();
		return context;
	}

	private AnnotationConfigApplicationContext start(Class<?>... classes) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(classes);
		context.registerBean("locks", LockProvider.class, () -> this.provider);
		context.refresh();
		return context;
	}

	@EnableDistributedLocks
	static class Enabled {

	}

	@EnableDistributedLocks(proxyTargetClass = true)
	static class WithClassProxies {

	}

	@EnableDistributedLocks(order = 42)
	static class Ordered {

	}

	@EnableDistributedLocks(validation = LockValidation.WARN)
	static class Warning {

	}

	@EnableDistributedLocks(validation = LockValidation.OFF)
	static class Unchecked {

	}

	@EnableDistributedLocks
	@EnableScheduling
	static class Scheduled {

	}

}
