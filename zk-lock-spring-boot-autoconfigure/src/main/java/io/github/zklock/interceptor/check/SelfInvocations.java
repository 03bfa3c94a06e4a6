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

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.zklock.core.LockMode;
import io.github.zklock.interceptor.check.SelfCallReader.CallingMethod;
import io.github.zklock.interceptor.operation.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import org.objectweb.asm.Type;

import org.springframework.util.ClassUtils;

/**
 * Finds guarded methods that are called on {@code this}, and so not through the proxy
 * that would take their lock. Only what is certain counts: a method that runs under the
 * same lock, or one whose key may turn out to be the same, may call another directly.
 */
final class SelfInvocations {

	private final Map<String, Guarded> guarded = new HashMap<>();

	/**
	 * Add a method that the proxy guards, and whether to report calls without its locks.
	 */
	void add(LockTarget target, LockOperation operation, boolean checked) {
		Method method = target.method();
		String id = CallingMethod.id(method.getDeclaringClass(), method.getName()
				+ MethodType.methodType(method.getReturnType(), method.getParameterTypes()).descriptorString());
		this.guarded.put(id, new Guarded(target, operation.locks(), checked));
	}

	void check(Class<?> type, Consumer<InvalidLockUsageException> findings) {
		Set<String> names = this.guarded.values()
			.stream()
			.filter(Guarded::checked)
			.map((method) -> method.target().method().getName())
			.collect(Collectors.toSet());
		if (names.isEmpty() || !SelfCallGraph.mayCall(type, names)) {
			return;
		}
		SelfCallGraph graph = new SelfCallGraph(type);
		for (CallingMethod entry : graph.entries()) {
			Guarded holder = this.guarded.get(entry.id());
			List<LockSpecification> held = (holder != null) ? holder.locks() : List.of();
			graph.follow(entry, (called) -> this.guarded.containsKey(called.id()), (caller, called) -> {
				Guarded method = this.guarded.get(called.id());
				if (method != null && method.checked()
						&& !method.locks().stream().allMatch((lock) -> isCovered(lock, held))) {
					findings.accept(finding(method.target(), type, caller));
				}
			});
		}
	}

	private static boolean isCovered(LockSpecification lock, List<LockSpecification> held) {
		return !lock.enabled() || held.stream()
			.anyMatch((other) -> other.enabled() && other.client().equals(lock.client())
					&& other.key().mayEqual(lock.key())
					&& (other.mode() != LockMode.READ || lock.mode() == LockMode.READ));
	}

	private static InvalidLockUsageException finding(LockTarget target, Class<?> type, CallingMethod caller) {
		String name = describe(caller, type);
		return target.invalid(
				"is called by " + name + " on the same object, so the call does not pass the proxy "
						+ "and runs without the lock",
				"Move the method to another bean, or inject the bean into itself with @Lazy and call it there"
						+ (caller.isConstructor() ? "." : "; or guard " + name + " instead."));
	}

	private static String describe(CallingMethod caller, Class<?> type) {
		String owner = (caller.type() == type) ? "" : caller.type().getName();
		if (caller.isConstructor()) {
			return "the constructor" + (owner.isEmpty() ? "" : " of " + owner);
		}
		int descriptor = caller.signature().indexOf('(');
		return (owner.isEmpty() ? "" : owner + ".") + caller.signature().substring(0, descriptor)
				+ Arrays.stream(Type.getArgumentTypes(caller.signature().substring(descriptor)))
					.map((argument) -> ClassUtils.getShortName(argument.getClassName()))
					.collect(Collectors.joining(", ", "(", ")"));
	}

	private record Guarded(LockTarget target, List<LockSpecification> locks, boolean checked) {

	}

}
