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

import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.spi.TriggerFiredBundle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.quartz.AdaptableJobFactory;
import org.springframework.scheduling.quartz.JobDetailFactoryBean;
import org.springframework.scheduling.quartz.MethodInvokingJobDetailFactoryBean;
import org.springframework.scheduling.quartz.QuartzJobBean;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.scheduling.quartz.SpringBeanJobFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Guarded methods of Quartz jobs, whose objects are no beans.
 */
@ExtendWith(OutputCaptureExtension.class)
class QuartzJobTests {

	private static final String OF_CONTAINER = "factory.type=" + SpringBeanJobFactory.class.getName();

	private static final BlockingQueue<Boolean> LOCKED = new LinkedBlockingQueue<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	@ParameterizedTest
	@ValueSource(classes = { DetailOfFactory.class, BuiltDetail.class })
	void guardedMethodThatTheJobCallsOnItselfIsRefusedAtTheStart(Class<?> detail) {
		runner(detail, OF_CONTAINER, "job.type=" + Inside.class.getName())
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).contains(
						"Inside.executeInternal(JobExecutionContext) is called by",
						"QuartzJobBean.execute(JobExecutionContext) on the same object");
				assertThat(analysis.getAction())
					.isEqualTo("Its object is no bean, so move the body to a method of a bean, guard it there, and "
							+ "inject that bean.");
			}));
	}

	@Test
	void jobsThatAreMadeAfterTheStartUpChecksAreRefusedThen() {
		ApplicationContextRunner lazy = this.contextRunner.withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
		runner(lazy, BuiltDetail.class, OF_CONTAINER, "job.type=" + Inside.class.getName())
			.run((context) -> assertThatException().isThrownBy(() -> context.getBean(Scheduler.class))
				.havingRootCause()
				.withMessageContaining("Inside.executeInternal(JobExecutionContext)"));
		runner(lazy, BuiltDetail.class, "factory.type=" + AdaptableJobFactory.class.getName())
			.run((context) -> assertThatException().isThrownBy(() -> context.getBean(Scheduler.class))
				.havingRootCause()
				.withMessageContaining("Guarded.execute(JobExecutionContext)"));
	}

	@Test
	void guardedMethodThatTheJobCallsOnItselfIsAWarning(CapturedOutput output) {
		runner(BuiltDetail.class, OF_CONTAINER, "job.type=" + Inside.class.getName(), "zk-lock.aop.validation=warn")
			.run((context) -> assertThat(output).contains("WARN", "Inside.executeInternal(JobExecutionContext)"));
	}

	@Test
	void jobThatTheContainerMakesRunsWithItsLock() {
		runner(DetailOfFactory.class, OF_CONTAINER).run((context) -> assertThat(isRunWithLock(context)).isTrue());
	}

	@ParameterizedTest
	@ValueSource(classes = { AdaptableJobFactory.class, Autowiring.class, WithoutContext.class })
	void jobThatTheContainerDoesNotMakeIsRefusedSinceItWouldRunWithoutItsLock(Class<?> factory) {
		ApplicationContextRunner runner = runner(DetailOfFactory.class, "factory.type=" + factory.getName());
		runner.withPropertyValues("zk-lock.aop.validation=off")
			.run((context) -> assertThat(isRunWithLock(context)).isFalse());
		runner.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
			assertThat(analysis.getDescription()).contains("Guarded.execute(JobExecutionContext) is in a Quartz job",
					factory.getName());
			assertThat(analysis.getAction()).contains("SpringBeanJobFactory");
		}));
	}

	@Test
	void jobThatIsABeanIsRefusedWhereTheSchedulerMakesAnother() {
		runner(DetailOfFactory.class, "factory.type=" + AdaptableJobFactory.class.getName()).withBean(Guarded.class)
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void jobThatAFactoryTakesFromTheBeansRunsWithItsLock() {
		runner(DetailOfFactory.class, "factory.type=" + OfBeans.class.getName()).withBean(Guarded.class)
			.run((context) -> assertThat(isRunWithLock(context)).isTrue());
	}

	@Test
	void jobWithoutALockIsAccepted() {
		runner(DetailOfFactory.class, "factory.type=" + AdaptableJobFactory.class.getName(),
				"job.type=" + Plain.class.getName())
			.run((context) -> assertThat(isRunWithLock(context)).isFalse());
	}

	@Test
	void methodThatAJobInvokesOnAnObjectWithoutItsProxyIsRefused() {
		runner(Invoking.class, OF_CONTAINER).run((context) -> assertThat(context.getStartupFailure())
			.hasMessageContaining("Guarded.execute(JobExecutionContext)"));
	}

	private ApplicationContextRunner runner(Class<?> detail, String... properties) {
		return runner(this.contextRunner, detail, properties);
	}

	private static ApplicationContextRunner runner(ApplicationContextRunner runner, Class<?> detail,
			String... properties) {
		return runner.withUserConfiguration(Quartz.class, detail)
			.withPropertyValues("job.type=" + Guarded.class.getName())
			.withPropertyValues(properties);
	}

	private static boolean isRunWithLock(AssertableApplicationContext context) {
		try {
			assertThat(context).hasNotFailed();
			LOCKED.clear();
			context.getBean(Scheduler.class).triggerJob(context.getBean(JobDetail.class).getKey());
			Boolean locked = LOCKED.poll(60, TimeUnit.SECONDS);
			assertThat(locked).isNotNull();
			return locked;
		}
		catch (SchedulerException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static Class<? extends Job> typeOfJob(ApplicationContext context) {
		return (Class<? extends Job>) ClassUtils
			.resolveClassName(context.getEnvironment().getRequiredProperty("job.type"), null);
	}

	private static boolean isLocked() {
		try {
			return LockHandle.current().isHeld();
		}
		catch (IllegalStateException ex) {
			return false;
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Quartz {

		@Bean
		SchedulerFactoryBean scheduler(ApplicationContext context, ObjectProvider<JobDetail> details)
				throws ReflectiveOperationException {
			SchedulerFactoryBean scheduler = new SchedulerFactoryBean();
			Class<?> type = Class.forName(context.getEnvironment().getRequiredProperty("factory.type"));
			if (type != AdaptableJobFactory.class) {
				scheduler.setJobFactory((AdaptableJobFactory) type.getDeclaredConstructor().newInstance());
			}
			Properties properties = new Properties();
			properties.put("org.quartz.threadPool.threadCount", "1");
			scheduler.setQuartzProperties(properties);
			scheduler.setJobDetails(details.stream().toArray(JobDetail[]::new));
			return scheduler;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DetailOfFactory {

		@Bean
		JobDetailFactoryBean detail(ApplicationContext context) {
			JobDetailFactoryBean detail = new JobDetailFactoryBean();
			detail.setJobClass(typeOfJob(context));
			detail.setDurability(true);
			return detail;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BuiltDetail {

		@Bean
		JobDetail detail(ApplicationContext context) {
			return JobBuilder.newJob(typeOfJob(context)).storeDurably().build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Invoking {

		@Bean
		MethodInvokingJobDetailFactoryBean detail() {
			MethodInvokingJobDetailFactoryBean detail = new MethodInvokingJobDetailFactoryBean();
			detail.setTargetObject(new Guarded());
			detail.setTargetMethod("execute");
			detail.setArguments(new Object[] { null });
			return detail;
		}

	}

	static class Autowiring extends AdaptableJobFactory implements ApplicationContextAware {

		private @Nullable AutowireCapableBeanFactory beanFactory;

		@Override
		public void setApplicationContext(ApplicationContext context) {
			this.beanFactory = context.getAutowireCapableBeanFactory();
		}

		@Override
		protected Object createJobInstance(TriggerFiredBundle bundle) throws Exception {
			Object job = super.createJobInstance(bundle);
			this.beanFactory.autowireBean(job);
			return job;
		}

	}

	static class WithoutContext extends SpringBeanJobFactory {

		@Override
		public void setApplicationContext(ApplicationContext context) {
			// As is often seen, it keeps the context for itself.
		}

	}

	static class OfBeans extends Autowiring {

		private @Nullable ApplicationContext context;

		@Override
		public void setApplicationContext(ApplicationContext context) {
			this.context = context;
		}

		@Override
		protected Object createJobInstance(TriggerFiredBundle bundle) {
			return this.context.getBean(bundle.getJobDetail().getJobClass());
		}

	}

	static class Plain implements Job {

		@Override
		public void execute(@Nullable JobExecutionContext context) {
			LOCKED.add(isLocked());
		}

	}

	static class Guarded extends Plain {

		@Override
		@DistributedLock("job")
		public void execute(@Nullable JobExecutionContext context) {
			super.execute(context);
		}

	}

	static class Inside extends QuartzJobBean {

		@Override
		@DistributedLock("job")
		protected void executeInternal(JobExecutionContext context) {
			throw new IllegalStateException("It is refused");
		}

	}

}
