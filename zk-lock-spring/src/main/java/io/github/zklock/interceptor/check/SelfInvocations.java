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
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockMode;
import io.github.zklock.interceptor.check.SelfCallReader.Call;
import io.github.zklock.interceptor.check.SelfCallReader.CallingMethod;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Finds guarded methods that are called on {@code this}, and so not through the proxy
 * that would take their lock. It covers all classes and interfaces of an object. Only
 * certain faults count. A method that runs under the same lock may call another directly.
 * So may a method whose key may turn out to be the same. Without asm it finds nothing:
 * tests of applications have it, and start their contexts with it.
 */
final class SelfInvocations {

	private static final Logger logger = LoggerFactory.getLogger(SelfInvocations.class);

	// As the virtual machine counts the items of a constant pool.
	private static final int CLASS = 7;

	private static final int NAME_AND_TYPE = 12;

	private static final boolean READABLE = ClassUtils.isPresent("org.objectweb.asm.tree.analysis.Analyzer",
			SelfInvocations.class.getClassLoader());

	private final Class<?> type;

	private final boolean bean;

	private final Map<String, Guarded> guarded = new HashMap<>();

	// In the order in which calls are dispatched.
	private final Map<String, Map<String, CallingMethod>> classes = new LinkedHashMap<>();

	SelfInvocations(Class<?> type, boolean bean) {
		this.type = type;
		this.bean = bean;
	}

	/**
	 * Add a method that the proxy guards, and whether to report calls without its locks.
	 */
	void add(LockTarget target, LockOperation operation, boolean checked) {
		Method method = target.method();
		String id = CallingMethod.id(method.getDeclaringClass(), method.getName()
				+ MethodType.methodType(method.getReturnType(), method.getParameterTypes()).descriptorString());
		this.guarded.put(id, new Guarded(target, operation.locks(), checked));
	}

	void check(Consumer<InvalidLockUsageException> findings) {
		Set<String> names = this.guarded.values()
			.stream()
			.filter(Guarded::checked)
			.map((method) -> method.target().method().getName())
			.collect(Collectors.toSet());
		if (!READABLE || names.isEmpty() || !mayCall(this.type, names)) {
			return;
		}
		hierarchy(this.type).forEach(this::read);
		for (CallingMethod entry : entries()) {
			Guarded holder = this.guarded.get(entry.id());
			follow(entry, entry, (holder != null) ? holder.locks() : List.of(), findings, new HashSet<>());
		}
	}

	// From the class to its superclasses to the interfaces, as calls are dispatched.
	private static Set<Class<?>> hierarchy(Class<?> type) {
		Set<Class<?>> classes = new LinkedHashSet<>();
		for (Class<?> each = type; each != null && !isJdk(each); each = each.getSuperclass()) {
			classes.add(each);
		}
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			addInterfaces(each, classes);
		}
		return classes;
	}

	private static void addInterfaces(Class<?> type, Set<Class<?>> classes) {
		for (Class<?> each : type.getInterfaces()) {
			if (!isJdk(each) && classes.add(each)) {
				addInterfaces(each, classes);
			}
		}
	}

	private void read(Class<?> type) {
		try {
			this.classes.put(internalName(type), SelfCallReader.read(type));
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			logger.debug("The calls that {} makes on itself are not checked, since its class file cannot be analyzed",
					type, ex);
		}
	}

	// The methods with which a call from outside can begin: they are public, or nothing
	// inside calls them.
	private List<CallingMethod> entries() {
		Set<CallingMethod> called = methods().filter((method) -> !method.isInner())
			.flatMap((method) -> called(method).stream())
			.collect(Collectors.toSet());
		return methods().filter(CallingMethod::isVisible)
			.filter((method) -> method.has(Opcodes.ACC_PUBLIC) || !called.contains(method))
			.filter((method) -> !method.isOverridable() || method.equals(find(method.signature(), null)))
			.toList();
	}

	// As far as none is guarded. What is visible is the method in the source that makes
	// the call.
	private void follow(CallingMethod method, CallingMethod visible, List<LockSpecification> held,
			Consumer<InvalidLockUsageException> findings, Set<String> visited) {
		for (CallingMethod called : called(method)) {
			Guarded other = this.guarded.get(called.id());
			if (other == null && visited.add(called.id())) {
				follow(called, (called.isVisible() && !visible.isInner()) ? called : visible, held, findings, visited);
			}
			else if (other != null && other.checked()
					&& !other.locks().stream().allMatch((lock) -> isCovered(lock, held))) {
				if (visible.isInner()) {
					warn(other.target(), visible);
				}
				else {
					findings.accept(finding(other.target(), visible));
				}
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

	private static boolean isCovered(LockSpecification lock, List<LockSpecification> held) {
		return lock.unguarded() || held.stream()
			.anyMatch((other) -> !other.unguarded() && other.provider().equals(lock.provider())
					&& other.key().mayEqual(lock.key())
					&& (other.mode() != LockMode.READ || lock.mode() == LockMode.READ));
	}

	// The inner object may be used only while the lock is held.
	private void warn(LockTarget target, CallingMethod caller) {
		logger.warn("{} is called by {} on the object around it, so the call does not pass the proxy: it runs without "
				+ "the lock, unless a guarded method makes the call. Move the method to another bean, or inject the "
				+ "bean into itself with @Lazy and call it there", target, describe(caller));
	}

	private InvalidLockUsageException finding(LockTarget target, CallingMethod caller) {
		String name = describe(caller);
		return target.invalid(
				"is called by " + name + " on the same object, so the call does not pass the proxy "
						+ "and runs without the lock",
				this.bean
						? "Move the method to another bean, or inject the bean into itself with @Lazy and call it there"
								+ (caller.isConstructor() ? "." : "; or guard " + name + " instead.")
						: "Its object is no bean, so move the body to a method of a bean, guard it there, and inject "
								+ "that bean.");
	}

	private String describe(CallingMethod caller) {
		String owner = (caller.type() == this.type) ? "" : caller.type().getName();
		if (caller.isConstructor()) {
			return "the constructor" + (owner.isEmpty() ? "" : " of " + owner);
		}
		int descriptor = caller.signature().indexOf('(');
		return (owner.isEmpty() ? "" : owner + ".") + caller.signature().substring(0, descriptor)
				+ Arrays.stream(Type.getArgumentTypes(caller.signature().substring(descriptor)))
					.map((argument) -> ClassUtils.getShortName(argument.getClassName()))
					.collect(Collectors.joining(", ", "(", ")"));
	}

	private static boolean isJdk(Class<?> type) {
		return type.getName().startsWith("java.") || type.getName().startsWith("javax.");
	}

	private static String internalName(Class<?> type) {
		return ClassUtils.convertClassNameToResourcePath(type.getName());
	}

	/**
	 * Return whether a class, or what it extends or implements, may call a method of one
	 * of the names. Only the constant pool of its class file is read, which names each
	 * called method. Most classes call none of their guarded methods. An application with
	 * such classes only does not load the reader of their code.
	 */
	static boolean mayCall(Class<?> type, Set<String> names) {
		return hierarchy(type).stream().anyMatch((each) -> refersTo(each, names));
	}

	private static boolean refersTo(Class<?> type, Set<String> names) {
		try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			return code != null && refersTo(new ClassReader(code), internalName(type) + "$", names);
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			// The reader of the code reports it.
			return true;
		}
	}

	// A class inside it may be anonymous, and its code counts as code of this class.
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

	private record Guarded(LockTarget target, List<LockSpecification> locks, boolean checked) {

	}

}
