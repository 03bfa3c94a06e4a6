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
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.interceptor.check.SelfCallReader.Call;
import io.github.zklock.interceptor.check.SelfCallReader.CallingMethod;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Which methods of an object call which others of the same object, over all classes and
 * interfaces of which it is made.
 */
final class SelfCallGraph {

	private static final Logger logger = LoggerFactory.getLogger(SelfCallGraph.class);

	// As the virtual machine counts the items of a constant pool.
	private static final int CLASS = 7;

	private static final int NAME_AND_TYPE = 12;

	// From the class to its superclasses to the interfaces, as calls are dispatched.
	private final Map<String, Map<String, CallingMethod>> classes = new LinkedHashMap<>();

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
	 */
	List<CallingMethod> entries() {
		Set<CallingMethod> called = methods().flatMap((method) -> called(method).stream()).collect(Collectors.toSet());
		Predicate<CallingMethod> dispatched = (method) -> !method.isOverridable()
				|| method.equals(find(method.signature(), null));
		return methods().filter(CallingMethod::isVisible)
			.filter((method) -> method.has(Opcodes.ACC_PUBLIC) || !called.contains(method))
			.filter(dispatched)
			.toList();
	}

	/**
	 * Follow the calls from a method on the same object, as far as none is guarded.
	 * @param found is told of each call of a guarded method: the method in the source
	 * that makes it, and the one that is called
	 */
	void follow(CallingMethod entry, Predicate<CallingMethod> guarded, BiConsumer<CallingMethod, CallingMethod> found) {
		follow(entry, entry, guarded, found, new HashSet<>());
	}

	private void follow(CallingMethod method, CallingMethod visible, Predicate<CallingMethod> guarded,
			BiConsumer<CallingMethod, CallingMethod> found, Set<String> visited) {
		for (CallingMethod called : called(method)) {
			if (guarded.test(called)) {
				found.accept(visible, called);
			}
			else if (visited.add(called.id())) {
				follow(called, called.isVisible() ? called : visible, guarded, found, visited);
			}
		}
	}

	private List<CallingMethod> called(CallingMethod method) {
		return method.calls().stream().map(this::resolve).filter(Objects::nonNull).distinct().toList();
	}

	private Stream<CallingMethod> methods() {
		return this.classes.values().stream().flatMap((methods) -> methods.values().stream());
	}

	private @Nullable CallingMethod resolve(Call call) {
		CallingMethod named = this.classes.getOrDefault(call.owner(), Map.of()).get(call.signature());
		if (named != null && !named.isOverridable()) {
			return named;
		}
		return find(call.signature(), call.direct() ? call.owner() : null);
	}

	// From a class on, or the one that a call on the object is dispatched to.
	private @Nullable CallingMethod find(String signature, @Nullable String owner) {
		return this.classes.entrySet()
			.stream()
			.dropWhile((entry) -> owner != null && !entry.getKey().equals(owner))
			.map((entry) -> entry.getValue().get(signature))
			.filter((method) -> method != null && !method.has(Opcodes.ACC_ABSTRACT) && method.isOverridable())
			.findFirst()
			.orElse(null);
	}

	private void addInterfaces(Class<?> type) {
		for (Class<?> each : type.getInterfaces()) {
			if (!isJdk(each) && !this.classes.containsKey(internalName(each))) {
				add(each);
				addInterfaces(each);
			}
		}
	}

	private void add(Class<?> type) {
		try {
			this.classes.put(internalName(type), SelfCallReader.read(type));
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			logger.debug("The calls that {} makes on itself are not checked, since its class file cannot be analyzed",
					type, ex);
		}
	}

	private static boolean isJdk(Class<?> type) {
		return type.getName().startsWith("java.") || type.getName().startsWith("javax.");
	}

	private static String internalName(Class<?> type) {
		return ClassUtils.convertClassNameToResourcePath(type.getName());
	}

	/**
	 * Return whether a class, or what it extends or implements, may call a method of one
	 * of the names. Only the constant pool of its class file is read, in which each
	 * method that is called has its name: most classes call none of their guarded
	 * methods, and an application with such classes only does not load what follows the
	 * code of the others.
	 */
	static boolean mayCall(@Nullable Class<?> type, Set<String> names) {
		return type != null && !isJdk(type) && (refersTo(type, names) || mayCall(type.getSuperclass(), names)
				|| Arrays.stream(type.getInterfaces()).anyMatch((each) -> mayCall(each, names)));
	}

	private static boolean refersTo(Class<?> type, Set<String> names) {
		try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			return code != null && refersTo(new ClassReader(code), internalName(type) + "$", names);
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			// Left to what reads the code.
			return true;
		}
	}

	// A class inside of it may be one without a name, whose code counts as its own.
	private static boolean refersTo(ClassReader file, String inside, Set<String> names) {
		char[] buffer = new char[file.getMaxStringLength()];
		for (int i = 1; i < file.getItemCount(); i++) {
			int item = file.getItem(i);
			int tag = (item > 0) ? file.readByte(item - 1) : 0;
			if ((tag == NAME_AND_TYPE && names.contains(file.readUTF8(item, buffer)))
					|| (tag == CLASS && file.readUTF8(item, buffer).startsWith(inside))) {
				return true;
			}
		}
		return false;
	}

}
