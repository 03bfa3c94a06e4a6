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

package io.github.zklock;

import java.security.Principal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ArchitectureTests {

	private static final String BASE = "io.github.zklock";

	private static final String[] JDK = { "java..", "org.jspecify..", "org.slf4j.." };

	private static final JavaClasses CLASSES = ProductionClasses.ALL;

	@Test
	void seesTheClassesOfTheLibrary() {
		assertThat(CLASSES.contain(BASE + ".core.LockTemplate")).isTrue();
		assertThat(CLASSES.contain(BASE + ".zookeeper.ZooKeeperLockProvider")).isTrue();
		assertThat(CLASSES.contain(BASE + ".interceptor.LockInterceptor")).isTrue();
		assertThat(CLASSES.contain(BASE + ".support.ProjectModules")).isFalse();
		assertThat(CLASSES.contain(BASE + ".ArchitectureTests")).isFalse();
	}

	@ParameterizedTest
	@MethodSource("packageRules")
	void packagesDependOnlyOnWhatTheyMay(ArchRule rule) {
		rule.check(CLASSES);
	}

	static Stream<ArchRule> packageRules() {
		return Stream.of(
				only("annotation", "core").orOf("org.springframework.core..", "org.springframework.aot..",
						"org.springframework.context.annotation.."),
				only("core").orOf(),
				only("zookeeper", "core").orOf("org.apache.curator..", "org.apache.zookeeper..", "javax.crypto..",
						"javax.net..", "javax.security.auth.."),
				only("scheduling", "core").orOf("org.springframework.core..", "org.springframework.scheduling..",
						"org.springframework.util.."),
				only("interceptor", "annotation", "core", "scheduling", "transaction").orOf("org.springframework.aop..",
						"org.aopalliance..", "org.springframework.aot..", "org.springframework.expression..",
						"org.springframework.context..", "org.springframework.beans..", "org.springframework.core..",
						"org.springframework.util..", "org.springframework.scheduling..",
						"org.springframework.format..", "org.objectweb.asm..", "org.springframework.transaction..",
						"org.springframework.http..", "reactor..", "org.reactivestreams..", "io.micrometer.context.."),
				only("bridge", "core", "scheduling").orOf("net.javacrumbs.shedlock..", "org.springframework.aot..",
						"org.springframework.beans..", "org.springframework.core..",
						"org.springframework.integration..", "org.springframework.util.."),
				only("transaction", "core").orOf("org.springframework.transaction..", "reactor..",
						"org.reactivestreams..", "org.aopalliance..", "org.springframework.aop..",
						"org.springframework.beans..", "org.springframework.context..", "org.springframework.core..",
						"org.springframework.util.."),
				only("fencing", "annotation", "core", "interceptor", "transaction").orOf("javax.sql..",
						"org.aopalliance..", "org.springframework.aop..", "org.springframework.beans..",
						"org.springframework.core..", "org.springframework.dao..", "org.springframework.jdbc..",
						"org.springframework.transaction..", "org.springframework.util.."),
				only("config", "annotation", "core", "interceptor", "scheduling", "transaction", "fencing", "leader")
					.orOf("javax.sql..", "org.aopalliance..", "org.springframework.aop..", "org.springframework.aot..",
							"org.springframework.beans..", "org.springframework.context..",
							"org.springframework.core..", "org.springframework.scheduling..",
							"org.springframework.transaction.interceptor..", "org.springframework.util.."),
				only("observation", "core", "transaction", "leader").orOf("io.micrometer.."),
				only("health", "core", "zookeeper").orOf("org.springframework.boot.."),
				only("endpoint", "core", "interceptor", "leader", "zookeeper").orOf("org.springframework.boot..",
						"org.springframework.lang.."),
				only("testcontainers", "autoconfigure").orOf("org.springframework.boot..", "org.testcontainers.."),
				only("dockercompose", "autoconfigure").orOf("org.springframework.boot.."), backendUsesOnlyTheSpi(),
				onlyLeavesAreUnused(), noCycles(), engineIsHidden(), leadersKnowNoBackend());
	}

	private static ArchRule leadersKnowNoBackend() {
		return only("leader", "core").orOf("org.springframework.aot..", "org.springframework.beans..",
				"org.springframework.context..", "org.springframework.util..");
	}

	// The interfaces of a backend, and what packages share, are in the terms of the API.
	private static ArchRule noCycles() {
		return SlicesRuleDefinition.slices()
			.matching(BASE + ".(**)")
			.should()
			.beFreeOfCycles()
			.ignoreDependency(JavaClass.Predicates.resideInAnyPackage(BASE + ".core.spi", BASE + ".core.internal"),
					JavaClass.Predicates.resideInAPackage(BASE + ".core"));
	}

	// What this backend can do, one of an application can do as well.
	private static ArchRule backendUsesOnlyTheSpi() {
		return ArchRuleDefinition.classes()
			.that()
			.resideInAPackage(BASE + ".test.memory")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(BASE + ".test.memory", BASE + ".core", BASE + ".core.spi..", JDK[0], JDK[1], JDK[2]);
	}

	private static ArchRule engineIsHidden() {
		return ArchRuleDefinition.noClasses()
			.that()
			.resideOutsideOfPackage(BASE + ".zookeeper..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(InternalPackages.names()
				.stream()
				.filter((name) -> name.startsWith(BASE + ".zookeeper.") && !name.endsWith(".client"))
				.toArray(String[]::new));
	}

	@ParameterizedTest
	@MethodSource("houseRules")
	void classesFollowTheHouseRules(ArchRule rule) {
		rule.check(CLASSES);
	}

	static Stream<ArchRule> houseRules() {
		return Stream.of(autoConfigurationsArePublicAndFinal(), beanMethodsArePackagePrivate(), noWallClock(),
				noSleep(), noCommonTimer(), noInheritance(), noTimeBesideTheTasksOfTheEngine(),
				noThreadBesideThoseOfTheEngine(), noCommonPool(), noCuratorBesideItsConnection(), noForeignInternals(),
				noForeignNullness(), noForeignText(), noTextOfRequests(), namesSaySomething(),
				ArchRuleDefinition.classes().should(beInNullMarkedPackages()));
	}

	private static ArchRule autoConfigurationsArePublicAndFinal() {
		return ArchRuleDefinition.classes()
			.that()
			.areAnnotatedWith("org.springframework.boot.autoconfigure.AutoConfiguration")
			.and()
			.resideOutsideOfPackage("io.github.zklock.test")
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration");
	}

	private static ArchRule beanMethodsArePackagePrivate() {
		return ArchRuleDefinition.methods()
			.that()
			.areAnnotatedWith("org.springframework.context.annotation.Bean")
			.should()
			.bePackagePrivate();
	}

	// A scheduler has a clock, which names its ticks and decides nothing.
	private static ArchRule noWallClock() {
		return ArchRuleDefinition.noClasses()
			.that()
			.resideOutsideOfPackage(BASE + ".scheduling..")
			.should()
			.callMethod(System.class, "currentTimeMillis")
			.orShould()
			.callMethod(Instant.class, "now")
			.orShould()
			.callMethod(LocalDateTime.class, "now")
			.orShould()
			.callMethod(ZonedDateTime.class, "now")
			.orShould()
			.callConstructor(Date.class)
			.orShould()
			.dependOnClassesThat()
			.areAssignableTo(Clock.class)
			.because("a wall clock jumps: durations are taken from System.nanoTime()");
	}

	private static ArchRule noSleep() {
		return ArchRuleDefinition.noClasses()
			.should()
			.callMethod(Thread.class, "sleep", long.class)
			.because("nothing may wait that cannot be told to stop");
	}

	private static ArchRule noCommonTimer() {
		return ArchRuleDefinition.noClasses()
			.should()
			.callMethod(CompletableFuture.class, "orTimeout", long.class, TimeUnit.class)
			.orShould()
			.callMethod(CompletableFuture.class, "completeOnTimeout", Object.class, long.class, TimeUnit.class)
			.orShould()
			.callMethod(CompletableFuture.class, "delayedExecutor", long.class, TimeUnit.class)
			.orShould()
			.callMethod(CompletableFuture.class, "delayedExecutor", long.class, TimeUnit.class, Executor.class)
			.because("an application that holds up the one thread behind them would hold up what is promised");
	}

	private static ArchRule noInheritance() {
		return ArchRuleDefinition.noClasses()
			.should()
			.callConstructorWhere(DescribedPredicate.describe("a thread that inherits thread locals",
					(call) -> call.getTargetOwner().isEquivalentTo(Thread.class)
							&& call.getTarget().getRawParameterTypes().size() < 5))
			.because("a thread must not run with what whoever needed it first has left there");
	}

	private static ArchRule noTimeBesideTheTasksOfTheEngine() {
		return engineWithout("EngineThreads").should()
			.accessTargetWhere(DescribedPredicate.describe("a clock",
					(access) -> isOf(access, System.class)
							&& List.of("nanoTime", "currentTimeMillis").contains(access.getName())))
			.orShould()
			.accessTargetWhere(DescribedPredicate.describe("chance",
					(access) -> isOf(access, Math.class) && access.getName().equals("random")
							|| isOf(access, System.class) && access.getName().equals("identityHashCode")
							|| isOf(access, ThreadLocalRandom.class)))
			.because("a simulation owns time and chance");
	}

	// The provider knows who asks, the data of a node say so, the others keep an
	// interrupt, name the thread in a message, or see that it is virtual.
	private static ArchRule noThreadBesideThoseOfTheEngine() {
		return engineWithout("EngineThreads", "BoundedThreads", "ZooKeeperLockProvider", "OwnerData", "LockAttempt",
				"BoundedReads", "QueueInspector", "EngineTasks", "VirtualCallers")
			.should()
			.accessTargetWhere(DescribedPredicate.describe("a thread",
					(access) -> isOf(access, Thread.class) || isOf(access, LockSupport.class)
							|| access.getTargetOwner().isAssignableTo(ExecutorService.class)))
			.because("a simulation owns all threads");
	}

	private static ArchRule noCommonPool() {
		return ArchRuleDefinition.noClasses()
			.should()
			.accessTargetWhere(DescribedPredicate.describe("the common pool",
					(access) -> isOf(access, CompletableFuture.class) && access.getName().endsWith("Async")
							&& access.getTarget() instanceof CodeUnitAccessTarget target
							&& target.getRawParameterTypes()
								.stream()
								.noneMatch((type) -> type.isEquivalentTo(Executor.class))))
			.because("what blocks there holds up the application, and an application may hold it up");
	}

	private static ArchRule noCuratorBesideItsConnection() {
		return engineWithout("CuratorConnection").should()
			.dependOnClassesThat(curatorExcept("CuratorFramework", "ACLProvider", "DefaultACLProvider"))
			.orShould()
			.accessTargetWhere(JavaAccess.Predicates.targetOwner(curatorExcept("ACLProvider", "DefaultACLProvider")))
			.because("a simulation has another connection");
	}

	private static DescribedPredicate<JavaClass> curatorExcept(String... names) {
		return DescribedPredicate.describe("are of Curator, except " + List.of(names),
				(type) -> type.getPackageName().startsWith("org.apache.curator")
						&& !List.of(names).contains(type.getSimpleName()));
	}

	private static GivenClassesConjunction engineWithout(String... names) {
		assertThat(names).allSatisfy((name) -> assertThat(CLASSES)
			.anyMatch((type) -> type.getSimpleName().equals(name) && type.getPackageName().contains("zookeeper")));
		return ArchRuleDefinition.noClasses()
			.that()
			.resideInAPackage(BASE + ".zookeeper..")
			.and()
			.resideOutsideOfPackage(BASE + ".zookeeper.client")
			.and(DescribedPredicate.describe("are none of " + List.of(names), (type) -> Stream.of(names)
				.noneMatch((name) -> type.getName().matches(".*\\." + name + "(\\$.*)?"))));
	}

	private static boolean isOf(JavaAccess<?> access, Class<?> owner) {
		return access.getTargetOwner().isEquivalentTo(owner);
	}

	private static ArchRule noForeignInternals() {
		return ArchRuleDefinition.noClasses()
			.should()
			.dependOnClassesThat(foreignAutoConfigurations())
			.orShould()
			.dependOnClassesThat()
			.haveFullyQualifiedName("org.springframework.boot.context.properties.PropertyMapper")
			.orShould()
			.dependOnClassesThat()
			.resideInAnyPackage("com.fasterxml.jackson..", "tools.jackson..", "com.google.common..",
					"javax.annotation..")
			.because("they differ between the lines of Spring Boot, or are not ours");
	}

	// The actuator of Spring Boot 3.5 knows an optional parameter by no other annotation.
	private static ArchRule noForeignNullness() {
		return ArchRuleDefinition.noClasses()
			.that()
			.resideOutsideOfPackage(BASE + ".endpoint..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.lang..")
			.because("nullness is told by JSpecify");
	}

	// A name of a node becomes a key, which is checked like any other.
	private static ArchRule noForeignText() {
		return engineWithout("ForeignText", "LockPaths").should()
			.accessTargetWhere(DescribedPredicate.describe("text of other clients",
					(access) -> isOf(access, String.class) && access.getName().equals("<init>")
							|| isOf(access, Id.class) && List.of("getId", "getScheme").contains(access.getName())))
			.because("one place cuts and cleans what other clients have written");
	}

	private static ArchRule noTextOfRequests() {
		return ArchRuleDefinition.noClasses()
			.that(JavaClass.Predicates.resideInAPackage(BASE + ".endpoint..")
				.and(DescribedPredicate.not(JavaClass.Predicates.simpleName("EndpointUser"))))
			.should()
			.accessTargetWhere(DescribedPredicate.describe("text of a user or of other clients",
					(access) -> isOf(access, String.class) && access.getName().equals("<init>")
							|| isOf(access, Id.class) || isOf(access, Principal.class)))
			.because("one place cuts and cleans the name of a user");
	}

	private static ArchRule namesSaySomething() {
		return ArchRuleDefinition.classes()
			.should()
			.haveNameNotMatching(".*(Manager|Utils?|Helper|Impl|Service)")
			.because("these names say nothing");
	}

	private static ArchRule onlyLeavesAreUnused() {
		return ArchRuleDefinition.noClasses()
			.that()
			.resideOutsideOfPackages(BASE + ".testcontainers..", BASE + ".dockercompose..", BASE + ".test..",
					BASE + ".autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(BASE + ".testcontainers..", BASE + ".dockercompose..", BASE + ".test..",
					BASE + ".autoconfigure..");
	}

	private static DescribedPredicate<JavaClass> foreignAutoConfigurations() {
		return DescribedPredicate.describe("are auto-configurations of others",
				(type) -> type.getSimpleName().endsWith("AutoConfiguration") && !type.isAnnotation()
						&& !type.getPackageName().startsWith(BASE));
	}

	private static ArchCondition<JavaClass> beInNullMarkedPackages() {
		return new ArchCondition<>("be in a package annotated with @NullMarked") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(type, marked,
						type.getFullName() + (marked ? " is" : " is not") + " in such a package"));
			}

		};
	}

	private static Only only(String ownPackage, String... others) {
		return new Only(ownPackage, others);
	}

	private record Only(String ownPackage, String[] others) {

		ArchRule orOf(String... libraries) {
			Stream<String> own = Stream.concat(Stream.of(this.ownPackage), Stream.of(this.others))
				.map((name) -> BASE + "." + name + "..");
			String[] allowed = Stream.of(own, Stream.of(JDK), Stream.of(libraries))
				.flatMap((names) -> names)
				.toArray(String[]::new);
			return ArchRuleDefinition.classes()
				.that()
				.resideInAPackage(BASE + "." + this.ownPackage + "..")
				.should()
				.onlyDependOnClassesThat()
				.resideInAnyPackage(allowed);
		}

	}

}
