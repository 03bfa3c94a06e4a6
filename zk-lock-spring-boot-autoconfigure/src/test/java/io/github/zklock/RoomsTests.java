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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.Architectures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The engine and the interceptor have rooms, one above the other, each small enough to
 * fit into one head.
 */
class RoomsTests {

	private static final String BASE = "io.github.zklock";

	private static final int MOST_FILES = 20;

	// Classes that all need each other can only be understood together.
	private static final int MOST_TOGETHER = 8;

	// What every lock passes.
	private static final Set<String> ON_THE_WAY_OF_A_LOCK = Set.of("Place", "PlaceOwner", "PlaceState", "NodeCreation",
			"Predecessors", "Gates", "Services", "Turn", "LocalHandOff", "LocalQueue", "ZooKeeperLockHandle",
			"LockAttempt", "LockCall", "LockRun", "SharedHold");

	// What only jobs, or locks with a minimum time, have.
	private static final Set<String> BEHIND_A_GATE = Set.of("JobGate", "JobRules", "JobRun", "JobMemory", "JobRecord",
			"RecordedRun", "LockTick", "ScheduledRun", "AtLeastGate", "AtLeastStamp", "MinimumHolds", "StampMemory");

	private static final JavaClasses CLASSES = ProductionClasses.ALL;

	@ParameterizedTest
	@MethodSource("rules")
	void roomsAreSmallAndHaveOneDirection(ArchRule rule) {
		rule.check(CLASSES);
	}

	static Stream<ArchRule> rules() {
		return Stream.of(roomsOfTheInterceptor(), roomsOfTheEngine(), fewFilesInEachRoom());
	}

	private static ArchRule fewFilesInEachRoom() {
		return ArchRuleDefinition.classes()
			.that()
			.resideInAnyPackage(BASE + ".interceptor..", BASE + ".zookeeper..")
			.should(new ArchCondition<>("be in a package of at most " + MOST_FILES + " files") {

				@Override
				public void check(JavaClass type, ConditionEvents events) {
					long files = CLASSES.stream()
						.filter((each) -> each.isTopLevelClass() && each.getPackageName().equals(type.getPackageName()))
						.count();
					events.add(new SimpleConditionEvent(type, files <= MOST_FILES,
							type.getFullName() + " is in a package of " + files + " files"));
				}

			})
			.because("a package has to fit into one head");
	}

	// The operation model is for applications too, the rooms above it are not: a change
	// in
	// them is a change for the classes of Spring Boot's side and for the endpoint only.
	private static ArchRule roomsOfTheInterceptor() {
		String root = BASE + ".interceptor";
		return Architectures.layeredArchitecture()
			.consideringOnlyDependenciesInAnyPackage(BASE + "..")
			.layer("boot")
			.definedBy(BASE + ".autoconfigure..", BASE + ".endpoint..", BASE + ".config..", BASE + ".fencing..")
			.layer("hints")
			.definedBy(DescribedPredicate.describe("runtime hints",
					(type) -> type.getName().equals(BASE + ".config.LockRuntimeHints")))
			.layer("check")
			.definedBy(root + ".check")
			.layer("interceptor")
			.definedBy(root)
			.layer("source")
			.definedBy(root + ".source")
			.layer("expression")
			.definedBy(root + ".expression")
			.layer("operation")
			.definedBy(root + ".operation")
			.whereLayer("check")
			.mayOnlyBeAccessedByLayers("boot")
			.whereLayer("interceptor")
			.mayOnlyBeAccessedByLayers("check", "boot")
			.whereLayer("source")
			.mayOnlyBeAccessedByLayers("interceptor", "check", "boot")
			.whereLayer("expression")
			.mayOnlyBeAccessedByLayers("source", "interceptor", "hints")
			.whereLayer("operation")
			.mayOnlyBeAccessedByLayers("expression", "source", "interceptor", "check", "boot");
	}

	// From below; above them all are the provider and what belongs to it.
	private static ArchRule roomsOfTheEngine() {
		String root = BASE + ".zookeeper";
		Architectures.LayeredArchitecture rooms = Architectures.layeredArchitecture()
			.consideringOnlyDependenciesInAnyPackage(BASE + "..");
		List<String> names = List.of("tasks", "node", "request", "session", "queue", "local");
		for (String name : names) {
			rooms = rooms.layer(name).definedBy(root + "." + name);
		}
		rooms = rooms.layer("provider")
			.definedBy(root)
			.layer("inspect")
			.definedBy(root + ".inspect..")
			.layer("client")
			.definedBy(root + ".client");
		for (int i = 0; i < names.size(); i++) {
			List<String> above = new ArrayList<>(names.subList(i + 1, names.size()));
			above.addAll(List.of("inspect", "provider", "client"));
			rooms = rooms.whereLayer(names.get(i)).mayOnlyBeAccessedByLayers(above.toArray(String[]::new));
		}
		return rooms.as("the rooms of the engine have one direction, and nobody else uses them");
	}

	@Test
	void waySharedByAllLocksNamesNoGate() {
		Map<String, Set<String>> named = new HashMap<>();
		for (Map.Entry<String, Set<String>> type : needs().entrySet()) {
			if (ON_THE_WAY_OF_A_LOCK.contains(simpleName(type.getKey()))) {
				named.put(simpleName(type.getKey()),
						type.getValue()
							.stream()
							.map(RoomsTests::simpleName)
							.filter(BEHIND_A_GATE::contains)
							.collect(Collectors.toSet()));
			}
		}
		assertThat(named.keySet()).containsAll(ON_THE_WAY_OF_A_LOCK);
		assertThat(named).allSatisfy((type, gates) -> assertThat(gates).as(type).isEmpty());
	}

	private static String simpleName(String type) {
		return type.substring(type.lastIndexOf('.') + 1);
	}

	@Test
	void fewClassesNeedEachOther() {
		Map<String, Set<String>> needs = needs();
		Map<String, Set<String>> reached = new HashMap<>();
		needs.keySet().forEach((type) -> reached.put(type, reachable(type, needs)));
		for (String type : needs.keySet()) {
			Set<String> together = new TreeSet<>(reached.get(type));
			together.removeIf((other) -> !reached.get(other).contains(type));
			assertThat(together).as("in a cycle with %s", type).hasSizeLessThanOrEqualTo(MOST_TOGETHER);
		}
	}

	private static Map<String, Set<String>> needs() {
		Map<String, Set<String>> needs = new HashMap<>();
		for (JavaClass type : CLASSES) {
			Set<String> others = needs.computeIfAbsent(file(type), (name) -> new HashSet<>());
			for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
				JavaClass target = dependency.getTargetClass().getBaseComponentType();
				if (CLASSES.contain(target.getName()) && !file(target).equals(file(type))) {
					others.add(file(target));
				}
			}
		}
		return needs;
	}

	private static Set<String> reachable(String type, Map<String, Set<String>> needs) {
		Set<String> found = new HashSet<>();
		Deque<String> next = new ArrayDeque<>(needs.get(type));
		while (!next.isEmpty()) {
			String other = next.pop();
			if (found.add(other)) {
				next.addAll(needs.get(other));
			}
		}
		return found;
	}

	private static String file(JavaClass type) {
		String name = type.getName();
		return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
	}

}
