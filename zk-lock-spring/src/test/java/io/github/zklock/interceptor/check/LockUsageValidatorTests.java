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

package io.github.zklock.interceptor.check;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.LockTestConfiguration;
import io.github.zklock.interceptor.LockTestConfiguration.TestProxy;
import io.github.zklock.interceptor.check.LockUsageBeans.Api;
import io.github.zklock.interceptor.check.LockUsageBeans.ApiBean;
import io.github.zklock.interceptor.check.LockUsageBeans.FinalClass;
import io.github.zklock.interceptor.check.LockUsageBeans.FinalMethod;
import io.github.zklock.interceptor.check.LockUsageBeans.FinalMethodOfClassLevel;
import io.github.zklock.interceptor.check.LockUsageBeans.FinalOfApi;
import io.github.zklock.interceptor.check.LockUsageBeans.Good;
import io.github.zklock.interceptor.check.LockUsageBeans.PrivateMethod;
import io.github.zklock.interceptor.check.LockUsageBeans.TwoMistakes;
import io.github.zklock.interceptor.check.LockUsageBeans.Unlocked;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockUsageValidator}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockUsageValidatorTests {

	private static final String NO_LOCK = "so the proxy cannot intercept it and it runs without its lock.";

	@ParameterizedTest
	@MethodSource
	void refuses(TestProxy proxy, Class<?> bean, String description, String action) {
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> start(proxy, LockValidation.FAIL, (context) -> context.registerBean("bean", bean)))
			.satisfies((ex) -> {
				assertThat(ex.getDescription())
					.isEqualTo("The @DistributedLock method " + bean.getName() + "." + description);
				assertThat(ex.getAction()).isEqualTo(action);
				assertThat(ex).hasMessage(ex.getDescription() + " " + ex.getAction());
			});
	}

	static Stream<Arguments> refuses() {
		return Stream.of(
				Arguments.of(TestProxy.CGLIB, FinalMethodOfClassLevel.class, "run() is final, " + NO_LOCK,
						"Remove final."),
				Arguments.of(TestProxy.NONE, FinalClass.class,
						"run() is in a final class, which cannot have a proxy, so it runs without its lock.",
						"Remove final from the class (a record cannot be guarded), or move the method to another bean."));
	}

	@Test
	void listsAllFindings() {
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> start(TestProxy.CGLIB, LockValidation.FAIL, (context) -> {
				context.registerBean("a", TwoMistakes.class);
				context.registerBean("b", PrivateMethod.class);
				context.registerBean("again", PrivateMethod.class);
			}))
			.satisfies((ex) -> {
				assertThat(ex.getDescription()).startsWith("3 uses of @DistributedLock cannot work:")
					.contains("first() is final", "second() uses #nothing", "PrivateMethod.run() is private")
					.contains("  3. ");
				assertThat(ex.getAction()).startsWith("Correct each of them:").contains("  3. ");
			});
	}

	@Test
	void warnsOfAllFindings(CapturedOutput output) {
		start(TestProxy.CGLIB, LockValidation.WARN, (context) -> context.registerBean("a", TwoMistakes.class));
		assertThat(output.toString()).contains("WARN", "first() is final", "second() uses #nothing", "Remove final.");
	}

	@Test
	void saysNothingWhenOff(CapturedOutput output) {
		start(TestProxy.CGLIB, LockValidation.OFF, (context) -> context.registerBean("a", TwoMistakes.class));
		assertThat(output.toString()).doesNotContain("@DistributedLock");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void acceptsWhatWorks(TestProxy proxy) {
		start(proxy, LockValidation.FAIL, (context) -> {
			context.registerBean("good", Good.class);
			context.registerBean("unlocked", Unlocked.class);
		});
	}

	@Test
	void acceptsAScopedProxy() {
		start(TestProxy.CGLIB, LockValidation.FAIL, (context) -> {
			BeanDefinition target = BeanDefinitionBuilder.rootBeanDefinition(Good.class)
				.setScope("prototype")
				.getBeanDefinition();
			BeanDefinitionHolder proxy = ScopedProxyUtils.createScopedProxy(new BeanDefinitionHolder(target, "good"),
					context, true);
			context.registerBeanDefinition(proxy.getBeanName(), proxy.getBeanDefinition());
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "singleton", "prototype" })
	void checksLazyBeansWithoutCreatingThem(String scope) {
		AtomicBoolean created = new AtomicBoolean();
		Consumer<AnnotationConfigApplicationContext> beans = (context) -> context.registerBean("lazy",
				FinalMethod.class, () -> {
					created.set(true);
					return new FinalMethod();
				}, (definition) -> {
					definition.setLazyInit(true);
					definition.setScope(scope);
				});
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> start(TestProxy.CGLIB, LockValidation.FAIL, beans))
			.withMessageContaining("FinalMethod.run() is final");
		assertThat(created).isFalse();
	}

	@Test
	void takesALazyBeanForInterfaceBasedWhenTheProxyIs() {
		assertThatExceptionOfType(InvalidLockUsageException.class)
			.isThrownBy(() -> start(TestProxy.JDK, LockValidation.FAIL,
					(context) -> context.registerBean("lazy", ApiBean.class,
							(definition) -> definition.setLazyInit(true))))
			.withMessageContaining("undeclared() is not declared by an interface");
	}

	@ParameterizedTest
	@ValueSource(strings = { "singleton", "prototype" })
	void checksABeanOfUnknownClassWhenItIsCreated(String scope) {
		try (AnnotationConfigApplicationContext context = context(TestProxy.CGLIB, LockValidation.FAIL)) {
			context.registerBean("late", Api.class, FinalOfApi::new, (definition) -> {
				definition.setLazyInit(true);
				definition.setScope(scope);
			});
			context.refresh();
			for (int i = 0; i < 2; i++) {
				assertThatException().isThrownBy(() -> context.getBean("late"))
					.withRootCauseInstanceOf(InvalidLockUsageException.class)
					.withMessageContaining("FinalOfApi.declared() is final");
			}
		}
	}

	private static void start(TestProxy proxy, LockValidation validation,
			Consumer<AnnotationConfigApplicationContext> beans) {
		try (AnnotationConfigApplicationContext context = context(proxy, validation)) {
			beans.accept(context);
			context.refresh();
		}
	}

	private static AnnotationConfigApplicationContext context(TestProxy proxy, LockValidation validation) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test",
					Map.of("test.proxy", proxy.name(), "test.validation", validation.name())));
		context.register(LockTestConfiguration.class);
		return context;
	}

}
