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

package io.github.zklock.test;

import java.util.Locale;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.DistributedLocks;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;

/**
 * Rules for the classes of an application, to be checked by ArchUnit, which has to be on
 * the class path of the tests. They look at the classes only, and so need no Spring:
 * {@link LockAssertions} checks what an application has in fact.
 *
 * @since 0.1.0
 */
public final class LockRules {

	/**
	 * Every {@code @Scheduled} method is guarded by {@code @DistributedLock}: itself,
	 * through a composed annotation, through its class or through what it inherits. For
	 * methods that all nodes are to run, build your own rule with {@link #beGuarded()}.
	 */
	public static final ArchRule SCHEDULED_METHODS_ARE_GUARDED = ArchRuleDefinition.methods()
		.that(areScheduled())
		.should(beGuarded())
		.because("every node runs them, unless a lock lets only one in");

	/**
	 * No {@code @DistributedLock} method is private, static, final or in a final class,
	 * where no proxy can take its lock.
	 */
	public static final ArchRule GUARDED_METHODS_CAN_BE_INTERCEPTED = ArchRuleDefinition.methods()
		.that(DescribedPredicate.describe("are annotated with @DistributedLock", LockRules::isAnnotated))
		.should(beInterceptable())
		.because("a proxy takes the lock, and it can intercept no other methods");

	private LockRules() {
	}

	/**
	 * Return the condition that a method is guarded by {@code @DistributedLock}, for own
	 * rules.
	 * @return the condition
	 */
	public static ArchCondition<JavaMethod> beGuarded() {
		return new ArchCondition<>("be guarded by @DistributedLock") {

			@Override
			public void check(JavaMethod method, ConditionEvents events) {
				boolean guarded = isGuarded(method);
				events.add(new SimpleConditionEvent(method, guarded,
						method.getDescription()
								+ (guarded ? " is guarded in " : " is not guarded by @DistributedLock in ")
								+ method.getSourceCodeLocation()));
			}

		};
	}

	private static ArchCondition<JavaMethod> beInterceptable() {
		return new ArchCondition<>("be interceptable") {

			@Override
			public void check(JavaMethod method, ConditionEvents events) {
				Stream.of(JavaModifier.PRIVATE, JavaModifier.STATIC, JavaModifier.FINAL)
					.filter((modifier) -> method.getModifiers().contains(modifier))
					.map((modifier) -> " is " + modifier.name().toLowerCase(Locale.ROOT))
					.forEach((problem) -> violated(method, problem, events));
				if (method.getOwner().getModifiers().contains(JavaModifier.FINAL)) {
					violated(method, " is in a final class", events);
				}
			}

		};
	}

	private static void violated(JavaMethod method, String problem, ConditionEvents events) {
		events.add(SimpleConditionEvent.violated(method,
				method.getDescription() + problem + " in " + method.getSourceCodeLocation()));
	}

	private static DescribedPredicate<JavaMethod> areScheduled() {
		return DescribedPredicate.describe("are annotated with @Scheduled",
				(method) -> method.isMetaAnnotatedWith(Scheduled.class) || method.isMetaAnnotatedWith(Schedules.class));
	}

	private static boolean isGuarded(JavaMethod method) {
		return inherited(method.getOwner()).anyMatch((type) -> isAnnotated(type) || type.getMethods()
			.stream()
			.anyMatch((candidate) -> isSame(candidate, method) && isAnnotated(candidate)));
	}

	private static Stream<JavaClass> inherited(JavaClass type) {
		return Stream.of(Stream.of(type), type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
			.flatMap((types) -> types);
	}

	private static boolean isSame(JavaMethod candidate, JavaMethod method) {
		return candidate.getName().equals(method.getName())
				&& candidate.getRawParameterTypes().size() == method.getRawParameterTypes().size();
	}

	private static boolean isAnnotated(CanBeAnnotated element) {
		return element.isMetaAnnotatedWith(DistributedLock.class)
				|| element.isMetaAnnotatedWith(DistributedLocks.class);
	}

}
