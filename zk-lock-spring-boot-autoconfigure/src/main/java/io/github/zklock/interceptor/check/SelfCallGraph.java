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

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which methods of an object call which others of the same object, over all classes and
 * interfaces of which it is made.
 */
final class SelfCallGraph {

	private static final Logger logger = LoggerFactory.getLogger(SelfCallGraph.class);

	// From the class to its superclasses to the interfaces, as calls are dispatched.
	private final Map<String, Map<String, SelfCallingMethod>> classes = new LinkedHashMap<>();

	SelfCallGraph(Class<?> type) {
		for (Class<?> each = type; each != null && !isJdk(each); each = each.getSuperclass()) {
			add(each);
		}
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			addInterfaces(each);
		}
	}

	/**
	 * Return the methods with which a call from outside can begin: those that are public,
	 * and those that nothing inside calls.
	 * @return the methods
	 */
	List<SelfCallingMethod> entries() {
		Set<SelfCallingMethod> called = methods().flatMap((method) -> called(method).stream())
			.collect(Collectors.toSet());
		Predicate<SelfCallingMethod> dispatched = (method) -> !method.isOverridable()
				|| method.equals(dispatch(method.signature()));
		return methods().filter(SelfCallingMethod::isVisible)
			.filter((method) -> method.has(Opcodes.ACC_PUBLIC) || !called.contains(method))
			.filter(dispatched)
			.toList();
	}

	/**
	 * Return the methods of the same object that a method calls.
	 * @param method the method
	 * @return those that its calls are dispatched to
	 */
	List<SelfCallingMethod> called(SelfCallingMethod method) {
		return method.calls().stream().map(this::resolve).filter(Objects::nonNull).distinct().toList();
	}

	private Stream<SelfCallingMethod> methods() {
		return this.classes.values().stream().flatMap((methods) -> methods.values().stream());
	}

	private @Nullable SelfCallingMethod resolve(SelfCallingMethod.Call call) {
		SelfCallingMethod named = this.classes.getOrDefault(call.owner(), Map.of()).get(call.signature());
		if (named != null && !named.isOverridable()) {
			return named;
		}
		return call.direct() ? inherited(call) : dispatch(call.signature());
	}

	private @Nullable SelfCallingMethod inherited(SelfCallingMethod.Call call) {
		return find(call.signature(),
				this.classes.entrySet()
					.stream()
					.dropWhile((entry) -> !entry.getKey().equals(call.owner()))
					.map(Map.Entry::getValue));
	}

	private @Nullable SelfCallingMethod dispatch(String signature) {
		return find(signature, this.classes.values().stream());
	}

	private static @Nullable SelfCallingMethod find(String signature,
			Stream<Map<String, SelfCallingMethod>> candidates) {
		return candidates.map((methods) -> methods.get(signature))
			.filter((method) -> method != null && !method.has(Opcodes.ACC_ABSTRACT) && method.isOverridable())
			.findFirst()
			.orElse(null);
	}

	private void addInterfaces(Class<?> type) {
		for (Class<?> each : type.getInterfaces()) {
			if (!isJdk(each) && !this.classes.containsKey(Type.getInternalName(each))) {
				add(each);
				addInterfaces(each);
			}
		}
	}

	private void add(Class<?> type) {
		try {
			this.classes.put(Type.getInternalName(type), SelfCallReader.read(type));
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			logger.debug("The calls that {} makes on itself are not checked, since its class file cannot be analyzed",
					type, ex);
		}
	}

	static boolean isJdk(Class<?> type) {
		return type.getName().startsWith("java.") || type.getName().startsWith("javax.");
	}

}
