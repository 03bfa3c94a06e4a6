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

package io.github.zklock.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

/**
 * No signature of a promised type names a type of zk-lock that is not promised: it could
 * change at any time, and no application could use, implement or replace it.
 */
public final class PromisedSignatures extends ArchCondition<JavaClass> {

	private final Set<String> promised = ProjectModules.all("src/test/resources/public-types.txt")
		.stream()
		.flatMap(PromisedSignatures::lines)
		.collect(Collectors.toUnmodifiableSet());

	private PromisedSignatures() {
		super("name only promised types of zk-lock in their signatures, if they are promised");
	}

	/**
	 * Return the rule.
	 * @return the rule, for the classes of any module
	 */
	public static ArchRule rule() {
		return ArchRuleDefinition.classes().should(new PromisedSignatures());
	}

	private static Stream<String> lines(Path file) {
		try {
			return Files.readAllLines(file).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void check(JavaClass type, ConditionEvents events) {
		if (!isPromised(type)) {
			return;
		}
		String name = type.getName();
		type.getSuperclass().ifPresent((parent) -> check(name + " extends", Stream.of(parent), type, events));
		check(name + " implements", type.getInterfaces().stream(), type, events);
		check(name + " has a type parameter", type.getTypeParameters().stream(), type, events);
		check(name + " is annotated with", types(type.getAnnotations()), type, events);
		type.getMembers().stream().filter(PromisedSignatures::isVisible).forEach((member) -> check(member, events));
	}

	private void check(JavaMember member, ConditionEvents events) {
		String name = member.getFullName();
		check(name + " is annotated with", types(member.getAnnotations()), member, events);
		if (member instanceof JavaCodeUnit unit) {
			check(name + " returns", Stream.of(unit.getReturnType()), unit, events);
			check(name + " has a parameter", unit.getParameterTypes().stream(), unit, events);
			check(name + " has a type parameter", unit.getTypeParameters().stream(), unit, events);
			check(name + " has an annotated parameter",
					unit.getParameters().stream().flatMap((parameter) -> types(parameter.getAnnotations())), unit,
					events);
			check(name + " throws", unit.getExceptionTypes().stream(), unit, events);
		}
		else {
			check(name + " is a", Stream.of(((JavaField) member).getType()), member, events);
		}
	}

	private void check(String what, Stream<? extends JavaType> named, Object owner, ConditionEvents events) {
		named.flatMap((each) -> each.getAllInvolvedRawTypes().stream())
			.map(JavaClass::getBaseComponentType)
			.filter((each) -> each.getPackageName().startsWith("io.github.zklock") && !isPromised(each))
			.forEach((each) -> events
				.add(SimpleConditionEvent.violated(owner, what + " " + each.getName() + ", which is not promised")));
	}

	private boolean isPromised(JavaClass type) {
		boolean nested = type.getEnclosingClass().isPresent();
		return nested ? isVisible(type.getModifiers()) && isPromised(type.getEnclosingClass().get())
				: this.promised.contains(type.getName());
	}

	private static boolean isVisible(JavaMember member) {
		return isVisible(member.getModifiers()) && !member.getModifiers().contains(JavaModifier.SYNTHETIC);
	}

	private static boolean isVisible(Set<JavaModifier> modifiers) {
		return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
	}

	private static Stream<JavaClass> types(Set<? extends JavaAnnotation<?>> annotations) {
		return annotations.stream().map(JavaAnnotation::getRawType);
	}

}
