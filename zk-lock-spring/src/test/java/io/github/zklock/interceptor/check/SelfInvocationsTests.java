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

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.invoke.StringConcatFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Formatter;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.interceptor.source.TestLockSettings;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.OverridingClassLoader;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SelfInvocations}, as the start-up check uses it.
 */
@ExtendWith(OutputCaptureExtension.class)
class SelfInvocationsTests {

	private final TestLockSettings settings = new TestLockSettings();

	@ParameterizedTest
	@ValueSource(strings = { "Unqualified: locked() is called by run()", "Copied: locked() is called by run()",
			"Constructor: locked() is called by the constructor",
			"Wide: wide(long, double, Object) is called by run(List, boolean)",
			"Helper: locked() is called by help(String)",
			"Lambda: wide(long, double, Object) is called by run(double, List)",
			"Reference: locked() is called by run()", "Anonymous: locked() is called by run()",
			"Templated: one(Long) is called by io.github.zklock.interceptor.check.SelfInvocationBeans$Template.all(Object)",
			"Defaulted: step() is called by io.github.zklock.interceptor.check.SelfInvocationBeans$WithDefault.run()",
			"OtherKey: locked() is called by run()", "OtherBeginning: customer(long) is called by order(long)",
			"WriteUnderRead: write(long) is called by read(long)", "OfTwo: both() is called by run()",
			"NobodyCalls: locked() is called by initialize()", "PublicHelper: locked() is called by run()",

			"ClassLevelTemplate: one(String) is called by "
					+ "io.github.zklock.interceptor.check.SelfInvocationBeans$Template.all(Object)" })
	void findsACallWithoutTheLock(String expected) throws ClassNotFoundException {
		assertFound(SelfInvocationBeans.class, expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Recursive: locked() is called by again(int)", "Behind: guarded() is called by run()",
			"NamedTwice: locked() is called by run()",
			"Cast: locked() is called by io.github.zklock.interceptor.check.SelfDispatchBeans$Caster.run()",
			"Begun: begin() is called by the constructor of io.github.zklock.interceptor.check.SelfDispatchBeans$Beginning",
			"DefaultedBelow: step() is called by io.github.zklock.interceptor.check.SelfInvocationBeans$WithDefault.run()",
			"Initializer: locked() is called by the constructor",
			"OfConstant: step() is called by io.github.zklock.interceptor.check.SelfDispatchBeans$WithConstant.run()",
			"OfTwoInterfaces: step() is called by run()",
			"Child: locked() is called by io.github.zklock.interceptor.check.SelfDispatchBeans$Grandparent.help()" })
	void findsTheMethodThatIsReallyCalled(String expected) throws ClassNotFoundException {
		assertFound(SelfDispatchBeans.class, expected);
	}

	private void assertFound(Class<?> beans, String expected) throws ClassNotFoundException {
		String[] parts = expected.split(": ");
		Class<?> type = Class.forName(beans.getName() + "$" + parts[0]);
		assertThat(findings(type)).singleElement()
			.satisfies((finding) -> assertThat(finding.getDescription())
				.isEqualTo("The @DistributedLock method " + type.getName() + "." + parts[1]
						+ " on the same object, so the call does not pass the proxy and " + "runs without the lock."));
	}

	@ParameterizedTest
	@MethodSource
	void acceptsWhatIsHarmlessOrUncertain(Class<?> type) {
		assertThat(findings(type)).isEmpty();
	}

	static Stream<Class<?>> acceptsWhatIsHarmlessOrUncertain() {
		return Stream.of(HarmlessSelfInvocationBeans.class, HarmlessSelfDispatchBeans.class)
			.flatMap((beans) -> Arrays.stream(beans.getDeclaredClasses()));
	}

	@Test
	void warnsOfACallOfANamedInnerClass(CapturedOutput output) {
		assertThat(findings(InnerCall.class)).isEmpty();
		assertThat(output.toString().lines().filter((line) -> line.contains("on the object around it"))).singleElement()
			.asString()
			.contains("WARN", "InnerCall.locked() is called by Task.run()");
	}

	@Test
	void acceptsACallWhoseLockIsDisabled() {
		this.settings.unguarded.add("unqualified-locked");
		assertThat(findings(SelfInvocationBeans.Unqualified.class)).isEmpty();
	}

	@Test
	void disabledLockOfTheCallerDoesNotCoverWhatItCalls() {
		this.settings.unguarded.add("same-key-run");
		assertThat(findings(HarmlessSelfInvocationBeans.SameKey.class))
			.extracting(InvalidLockUsageException::getDescription)
			.satisfiesExactlyInAnyOrder((first) -> assertThat(first).contains("locked() is called by run()"),
					(second) -> assertThat(second).contains("locked() is called by inner()"));
	}

	@Test
	void remedyIsToGuardTheCallerUnlessItIsAConstructor() {
		assertThat(findings(SelfInvocationBeans.Helper.class)).singleElement()
			.satisfies((finding) -> assertThat(finding.getAction()).endsWith("; or guard help(String) instead."));
		assertThat(findings(SelfInvocationBeans.Constructor.class)).singleElement()
			.satisfies((finding) -> assertThat(finding.getAction()).endsWith("with @Lazy and call it there."));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 99 })
	void leavesAloneAClassFileThatItCannotRead(int version) throws ClassNotFoundException {
		ClassLoader ofAnotherVersion = new OverridingClassLoader(getClass().getClassLoader()) {

			@Override
			public InputStream getResourceAsStream(String name) {
				return (version != 0)
						? new ByteArrayInputStream(new byte[] { -54, -2, -70, -66, 0, 0, 0, (byte) version, 0 }) : null;
			}

			@Override
			protected boolean isEligibleForOverriding(String className) {
				return className.startsWith(SelfInvocationBeans.class.getName());
			}

			@Override
			protected InputStream openStreamForClass(String name) {
				return getParent().getResourceAsStream(ClassUtils.convertClassNameToResourcePath(name) + ".class");
			}

		};
		Class<?> type = ofAnotherVersion.loadClass(SelfInvocationBeans.Unqualified.class.getName());
		assertThat(type).isNotEqualTo(SelfInvocationBeans.Unqualified.class);
		assertThat(findings(type)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(classes = { BigDecimal.class, BigInteger.class, ConcurrentHashMap.class, Formatter.class, Long.class,
			Double.class, Float.class, HashMap.class, Math.class, StringConcatFactory.class, Arrays.class,
			SelfInvocationBeans.Wide.class })
	void understandsAnyCode(Class<?> type) throws Exception {
		assertThat(SelfCallReader.read(type)).hasSizeGreaterThan(1);
	}

	private List<InvalidLockUsageException> findings(Class<?> type) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(beanFactory);
		AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(beanFactory);
		LockOperationSource source = new AnnotationLockOperationSource(() -> this.settings, () -> (text) -> text);
		beanFactory.registerBeanDefinition("bean", new RootBeanDefinition(type));
		List<InvalidLockUsageException> findings = new ArrayList<>();
		new LockedBean(beanFactory, source, "bean", type).check((operation) -> {
		}, findings::add);
		return findings;
	}

	static class InnerCall {

		void begin() {
			new Task().run();
		}

		@DistributedLock("inner")
		void locked() {
		}

		class Task {

			void run() {
				locked();
			}

		}

	}

}
