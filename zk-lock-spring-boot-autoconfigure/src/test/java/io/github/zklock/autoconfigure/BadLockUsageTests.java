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

import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.github.zklock.test.memory.InMemoryLockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application says that does not start, for each use that cannot work.
 */
@ExtendWith(OutputCaptureExtension.class)
class BadLockUsageTests {

	private static final String WAIT = "Set one of them: waitMs to 0 or more milliseconds, or waitTime to a text like "
			+ "5s, PT5S, 500ms or forever; or none for the configured default.";

	private static final String LEAST = "Set it to a text like 30s, PT30S or 500ms, shorter than the time between two "
			+ "runs.";

	private static final String JDK_PROXY = "spring.aop.proxy-target-class=false";

	private final AtomicReference<ConfigurableApplicationContext> application = new AtomicReference<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAopAutoConfiguration.class, ZkLockAutoConfiguration.class))
		.withInitializer(this.application::set)
		.withUserConfiguration(Scheduling.class)
		.withBean(InMemoryLockProvider.class);

	@ParameterizedTest(name = "{0}")
	@MethodSource({ "methods", "proxies", "keys", "values", "results" })
	void stopsTheApplicationWithTwoSentences(Use use) {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(use.property())
			.withBean("bean", use.bean());
		if (use.bean() == BadLockUsageBeans.WithoutProxy.class) {
			runner = runner.withBean(BadLockUsageBeans.Processor.class);
		}
		runner.run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure(),
					this.application.get().getBeanFactory());
			assertThat(analysis.getDescription()).isEqualTo(use.description());
			assertThat(analysis.getAction()).isEqualTo(use.action());
		});
	}

	@Test
	void acceptsWhatCanWork() {
		this.contextRunner.withBean(BadLockUsageBeans.GoodInitialization.class)
			.withBean(BadLockResultBeans.FinishedEntity.class)
			.withBean(BadLockResultBeans.FinishedLater.class)
			.withBean(BadLockResultBeans.Windows.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void knowsTheMethodsThatABeanDefinitionNames() {
		this.contextRunner
			.withBean(BadLockUsageBeans.NamedMethods.class, BadLockUsageBeans.NamedMethods::new, (definition) -> {
				definition.setInitMethodName("open");
				definition.setDestroyMethodName("shut");
			})
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("2 uses of @DistributedLock")
				.hasMessageContaining("open() is called by the container")
				.hasMessageContaining("shut() is called by the container"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "warn", "off" })
	void validationCanBeRelaxed(String validation, CapturedOutput output) {
		this.contextRunner.withBean(BadLockUsageBeans.FinalMethod.class)
			.withPropertyValues("zk-lock.aop.validation=" + validation)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN") && line.contains("FinalMethod")))
			.hasSize("warn".equals(validation) ? 1 : 0);
	}

	static Stream<Use> methods() {
		String noProxy = ", so the proxy cannot intercept it and it runs without its lock";
		return Stream.of(
				method("PrivateMethod", "run() is private" + noProxy, "Make it public, protected or package-private."),
				method("PrivateRepeated", "run() is private" + noProxy,
						"Make it public, protected or package-private."),
				method("StaticMethod", "run() is static" + noProxy, "Remove static."),
				method("FinalMethod", "run() is final" + noProxy, "Remove final."),
				method("Elsewhere",
						"hidden() is package-private in io.github.zklock.support.PackagePrivateLock, in another "
								+ "package" + noProxy,
						"Make it public or protected."),
				byContainer("Initialization", "initialize"),
				byContainer("InitializingBeanMethod", "afterPropertiesSet"),
				byContainer("DisposableBeanMethod", "destroy"), byContainer("CloseableMethod", "close"),
				method("SelfInvocation",
						"locked() is called by run() on the same object, so the call does not pass the proxy and runs "
								+ "without the lock",
						"Move the method to another bean, or inject the bean into itself with @Lazy and call it "
								+ "there; or guard run() instead."));
	}

	static Stream<Use> proxies() {
		String undeclared = "undeclared() is not declared by an interface, but bean 'bean' has a JDK proxy, through "
				+ "which it cannot be called";
		String declare = "Declare it in an interface of the class, or set spring.aop.proxy-target-class=true.";
		return Stream.of(method("UndeclaredOfApi", undeclared, declare).with(JDK_PROXY), method("WithoutProxy",
				"run() is in bean 'bean', which has no proxy that takes locks, so it runs without its lock",
				"If the log says that the bean is \"not eligible for getting processed by all "
						+ "BeanPostProcessors\", do not let a BeanPostProcessor or BeanFactoryPostProcessor "
						+ "depend on it; else make sure that the auto-configuration of zk-lock is active in the "
						+ "context of the bean and that the container creates the bean. A mock in a test needs the test "
						+ "dependency zk-lock-spring-boot-test."));
	}

	static Stream<Use> keys() {
		String give = "Set its key: plain text for one lock, or for example order:#{#order.id} for one lock per order.";
		return Stream.of(method("NoKey", "run() has an empty key", give),
				method("BlankKey", "run() has an empty key", give).with("blank= "),
				method("BadExpression",
						"run(long) has the key '#id +', which is not a valid SpEL expression: EL1042E: Problem parsing right "
								+ "operand",
						"Correct it. What begins with # or ' is one whole expression; in text write " + "#{#id} +."),
				method("BadTemplate",
						"run(long) has the key 'order:#{#id', which is not a valid SpEL expression: No ending suffix '}'"
								+ " for expression starting at character 6: #{#id",
						"Correct the expression inside #{...}."),
				method("UnknownParameter",
						"run(long) uses #order in its key 'order:#{#order.id}', but there is no such parameter",
						"Use what the method has: #id, #root, @bean."),
				method("StrayHash",
						"run(String) has the key 'order-#order.id', in which a # neither begins the key nor stands "
								+ "before a {, so that it would be taken for plain text",
						"Write order-#{#order.id} instead."),
				method("ExpressionAsPlaceholder",
						"run(long) has the key 'order:${#id}', in which ${...} has an expression, but means a property",
						"Write #{#id} instead of ${#id}."),
				method("Placeholder", "run() has the key '${app.unknown}', in which a placeholder cannot be resolved",
						"Define the property, or give the placeholder a default: ${name:default}."));
	}

	static Stream<Use> values() {
		return Stream.of(method("SkippedPrimitive",
				"run() is to be skipped when the lock is not acquired, but returns the primitive int, for "
						+ "which there is no empty value",
				"Return void, int's wrapper or an Optional, set onNotAcquired = THROW, or name a fallbackMethod "
						+ "instead."),
				method("NegativeWait", "run() has waitMs = -2", WAIT),
				method("TwoWaits", "run() has both waitMs = 5 and waitTime = \"5s\"", WAIT),
				method("UnreadableWait", "run() has waitTime = \"soon\", which is not a duration", WAIT),
				method("NegativeWaitTime", "run() has the negative waitTime = \"-5s\"", WAIT),
				method("UnreadableLeast", "run() has lockAtLeastFor = \"long\", which is not a duration", LEAST),
				method("NegativeLeast", "run() has the negative lockAtLeastFor = \"-30s\"", LEAST),
				method("EndlessLeast", "run() has lockAtLeastFor = \"400d\", which is longer than 366 days", LEAST),
				method("KeptPermits", "run() has permits = \"3\" and lockAtLeastFor, which cannot be combined",
						"Remove permits: it is not defined which callers are kept out while permits are free. Or remove lockAtLeastFor."),
				method("KeptExpression",
						"run() has permits = \"#root.args.length\" and lockAtLeastFor, which cannot be " + "combined",
						"Remove permits: it is not defined which callers are kept out while permits are free. Or remove lockAtLeastFor."));
	}

	static Stream<Use> results() {
		String goesOn = ", whose work goes on after the method has returned and released its lock";
		String future = "Return a CompletableFuture, a Mono, a Flux or another type that ReactiveAdapterRegistry knows "
				+ "(with reactor-core on the class path): the lock is then held until it completes. Or return the "
				+ "finished result, or annotate a method that returns a Future with @Async as well: the lock is then "
				+ "held on the thread that does the work.";
		String web = "Annotate the method that does the work instead, in another bean; or return a CompletableFuture or "
				+ "a Mono of the finished result, until whose completion the lock is held.";
		return Stream.of(method("PlainFuture", "run() returns a Future" + goesOn, future),
				method("Call", "run() returns a Callable" + goesOn, future),
				method("Deferred", "run() returns a DeferredResult" + goesOn, web),
				method("AsyncTask", "run() returns a WebAsyncTask" + goesOn, web),
				method("Emitter", "run() returns a ResponseBodyEmitter" + goesOn, web),
				method("Events", "run() returns a SseEmitter" + goesOn, web),
				method("Streaming", "run() returns a StreamingResponseBody" + goesOn, web),
				method("StreamingEntity", "run() returns a StreamingResponseBody" + goesOn, web),
				method("FluxEntity", "run() returns a Flux" + goesOn, web),
				method("LaterFluxEntity", "run() returns a Flux" + goesOn, web),
				method("LaterStreaming", "run() returns a StreamingResponseBody" + goesOn, web),
				method("LaterFuture", "run() returns a CompletableFuture" + goesOn, web));
	}

	private static Use method(String bean, String problem, String action) {
		Class<?> type = type(bean);
		return new Use(type, "The @DistributedLock method " + type.getName() + "." + problem + ".", action, "none=");
	}

	private static Use byContainer(String bean, String method) {
		return method(bean,
				method + "() is called by the container on the bean itself, so the call does not pass the proxy and "
						+ "runs without the lock",
				"Move the work to a method of another bean and call that; or, instead of @PostConstruct and the like, "
						+ "use @EventListener(ApplicationReadyEvent.class).");
	}

	private static Class<?> type(String bean) {
		return Stream.of(BadLockUsageBeans.class, BadLockValueBeans.class, BadLockResultBeans.class)
			.flatMap((beans) -> Stream.of(beans.getDeclaredClasses()))
			.filter((type) -> type.getSimpleName().equals(bean))
			.findFirst()
			.orElseThrow();
	}

	record Use(Class<?> bean, String description, String action, String property) {

		Use with(String property) {
			return new Use(this.bean, this.description, this.action, property);
		}

		@Override
		public String toString() {
			return this.bean.getSimpleName();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

}
