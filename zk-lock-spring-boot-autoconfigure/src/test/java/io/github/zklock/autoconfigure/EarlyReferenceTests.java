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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.EventListener;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Beans with guarded methods in a circle of beans. Bean post-processors that come after
 * the proxies get the object without its proxy, such as those of {@code @Scheduled} and
 * of message listeners.
 */
@ExtendWith(OutputCaptureExtension.class)
class EarlyReferenceTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class,
				ZkLockSchedulingAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withUserConfiguration(Neighbours.class)
		.withAllowCircularReferences(true);

	@ParameterizedTest
	@ValueSource(classes = { SelfScheduled.class, SelfHandler.class })
	void beanThatIsInjectedIntoItselfIsRefused(Class<?> type) {
		this.contextRunner.withBean("jobs", type).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).isEqualTo("The @DistributedLock method " + type.getName()
						+ ".work(" + ((type == SelfHandler.class) ? "String" : "")
						+ ") is in bean 'jobs', which another bean got before its proxy was ready (jobs -> jobs), so "
						+ "@Scheduled, message listeners and the like call it without the proxy and it runs without "
						+ "its lock.");
				assertThat(analysis.getAction()).startsWith("Put @Lazy on an injection point of this circle");
			});
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { ScheduledWithOther.class, HandlerWithOther.class })
	void beanThatIsInjectedIntoABeanThatItNeedsIsRefused(Class<?> type) {
		this.contextRunner.withBean("jobs", type)
			.withBean("other", Other.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains(type.getName() + ".work(", "bean 'jobs'", "(jobs -> other -> jobs)"));
	}

	@Test
	void refusalIsAWarningWhereTheChecksWarn(CapturedOutput output) {
		this.contextRunner.withBean("jobs", SelfScheduled.class)
			.withPropertyValues("zk-lock.aop.validation=warn")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("(jobs -> jobs)", "Put @Lazy on");
			});
	}

	@Test
	void beanThatIsCreatedLateIsRefusedWhenItIsCreated() {
		this.contextRunner
			.withBean("jobs", SelfHandler.class, SelfHandler::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> assertThatExceptionOfType(Exception.class).isThrownBy(() -> context.getBean("jobs"))
				.havingRootCause()
				.isInstanceOf(InvalidLockUsageException.class)
				.withMessageContaining("(jobs -> jobs)"));
	}

	@ParameterizedTest
	@CsvSource({ "off,false", "off,true", "warn,false" })
	void handlerOfABeanInACircleIsAnErrorWhereTheStartGoesOn(String validation, boolean late, CapturedOutput output) {
		this.contextRunner.withPropertyValues("zk-lock.aop.validation=" + validation)
			.withBean("jobs", SelfHandler.class, SelfHandler::new, (definition) -> definition.setLazyInit(late))
			.withBean("listener", SelfListener.class, SelfListener::new, (definition) -> definition.setLazyInit(late))
			.run((context) -> {
				context.getBean("jobs");
				context.getBean("listener");
				for (String method : List.of("SelfHandler.work(String)", "SelfListener.work(String)")) {
					assertThat(output.getAll().lines())
						.filteredOn((line) -> line.contains("ERROR") && line.contains(method))
						.singleElement()
						.asString()
						.contains("runs without its lock for each message", "Put @Lazy on an injection point");
				}
			});
	}

	@Test
	void listenerOfEventsInACircleIsGuarded() {
		this.contextRunner.withPropertyValues("zk-lock.aop.validation=off")
			.withBean(EventHandler.class)
			.run((context) -> {
				context.publishEvent("one");
				assertThat(context.getBean(EventHandler.class).keys()).containsExactly("jobs");
			});
	}

	@Test
	void lazyInjectionIntoItselfIsGuarded() {
		this.contextRunner.withBean("jobs", LazyHandler.class).run((context) -> {
			context.getBean("in", DirectChannel.class).send(new GenericMessage<>("one"));
			assertThat(context.getBean(LazyHandler.class).keys()).containsExactly("jobs");
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@EnableIntegration
	static class Neighbours {

		@Bean
		DirectChannel in() {
			return new DirectChannel();
		}

	}

	static class SelfScheduled {

		@Autowired
		@Nullable SelfScheduled self;

		@Scheduled(fixedDelay = 3_600_000)
		@DistributedLock("jobs")
		void work() {
		}

	}

	static class SelfHandler {

		@Autowired
		@Nullable SelfHandler self;

		@ServiceActivator(inputChannel = "in")
		@DistributedLock("jobs")
		void work(String message) {
		}

	}

	static class SelfListener {

		@Autowired
		@Nullable SelfListener self;

		// As the listeners of Kafka, AMQP and JMS.
		@MessageMapping("in")
		@DistributedLock("jobs")
		void work(String message) {
		}

	}

	static class EventHandler {

		@Autowired
		@Nullable EventHandler self;

		private final List<@Nullable String> keys = new CopyOnWriteArrayList<>();

		@EventListener
		@DistributedLock("jobs")
		void work(String event) {
			this.keys.add(LockHandle.current().key());
		}

		List<@Nullable String> keys() {
			return this.keys;
		}

	}

	static class ScheduledWithOther {

		@Autowired
		@Nullable Other other;

		@Scheduled(fixedDelay = 3_600_000)
		@DistributedLock("jobs")
		void work() {
		}

	}

	static class HandlerWithOther {

		@Autowired
		@Nullable Other other;

		@ServiceActivator(inputChannel = "in")
		@DistributedLock("jobs")
		void work(String message) {
		}

	}

	static class Other {

		@Autowired(required = false)
		@Nullable ScheduledWithOther scheduled;

		@Autowired(required = false)
		@Nullable HandlerWithOther handler;

	}

	static class LazyHandler {

		@Autowired
		@Lazy
		@Nullable LazyHandler self;

		private final List<@Nullable String> keys = new CopyOnWriteArrayList<>();

		@ServiceActivator(inputChannel = "in")
		@DistributedLock("jobs")
		void work(String message) {
			this.keys.add(LockHandle.current().key());
		}

		List<@Nullable String> keys() {
			return this.keys;
		}

	}

}
