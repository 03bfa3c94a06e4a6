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

package io.github.zklock.core;

import java.lang.StackWalker.StackFrame;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Watches the order in which call chains take locks: two chains that wait for each
 * other's lock block until their time to wait is over. It ignores locks without a name of
 * their own, requests that do not wait, re-entered locks, and locks of the same name or
 * request among each other.
 */
final class LockOrder {

	/**
	 * The largest number of locks of a call chain that are checked.
	 */
	static final int MAX_HELD = 16;

	private static final List<String> INFRASTRUCTURE = List.of("io.github.zklock.core.",
			"io.github.zklock.interceptor.", "io.github.zklock.zookeeper.", "org.springframework.", "org.apache.",
			"reactor.", "kotlin", "java.", "jdk.", "sun.");

	private final LockOrderGraph graph = new LockOrderGraph();

	// The names of the locks that a thread holds outside of any scope. A release is not
	// reported here, and the thread may never take another lock and outlive the
	// application. So only classes of the JDK are used, and locks are held by weak
	// references.
	private final ThreadLocal<@Nullable Map<WeakReference<LockHandle>, List<String>>> loose = new ThreadLocal<>();

	/**
	 * Check the requests of the calling thread, before it waits.
	 * @param requests the requests, which are made together
	 */
	void asked(Collection<LockRequest> requests) {
		LockScope scope = LockScope.ofThread();
		if (scope == null && this.loose.get() == null) {
			return;
		}
		List<NamedLock> held = new ArrayList<>();
		for (LockScope each = scope; each != null && held.size() < MAX_HELD; each = each.outer()) {
			held.addAll(NamedLock.of(each.handle(), names(each.requests())));
		}
		looseLocks().forEach((lock, names) -> addTo(held, lock.get(), names));
		for (LockRequest request : requests) {
			if (!request.waitTime().isZero()) {
				held.forEach((outer) -> look(outer, request, held));
			}
		}
	}

	/**
	 * Remember a lock that the calling thread has acquired without running in its scope.
	 * @param requests the requests
	 * @param handle the lock
	 */
	void acquired(Collection<LockRequest> requests, LockHandle handle) {
		Map<WeakReference<LockHandle>, List<String>> held = looseLocks();
		if (held.isEmpty()) {
			held = new LinkedHashMap<>(2);
			this.loose.set(held);
		}
		if (held.size() < MAX_HELD) {
			held.put(new WeakReference<>(handle), names(requests));
		}
	}

	private static void addTo(List<NamedLock> held, @Nullable LockHandle handle, List<String> names) {
		if (handle != null) {
			held.addAll(NamedLock.of(handle, names));
		}
	}

	private Map<WeakReference<LockHandle>, List<String>> looseLocks() {
		Map<WeakReference<LockHandle>, List<String>> known = this.loose.get();
		if (known == null) {
			return Map.of();
		}
		known.keySet().removeIf((lock) -> !isHeld(lock.get()));
		if (known.isEmpty()) {
			this.loose.remove();
		}
		return known;
	}

	private void look(NamedLock outer, LockRequest inner, List<NamedLock> held) {
		boolean isNew = isName(inner.name()) && !this.graph.knows(outer.name(), inner.name());
		if (isNew && held.stream().noneMatch((lock) -> lock.holds(inner))) {
			this.graph.add(outer.name(), inner.name(), () -> place(outer, inner));
		}
	}

	private static boolean isName(String name) {
		return !name.equals(LockRequest.UNNAMED);
	}

	private static List<String> names(Collection<LockRequest> requests) {
		return (requests.size() == 1) ? List.of(requests.iterator().next().name())
				: requests.stream().map(LockRequest::name).distinct().limit(MAX_HELD).toList();
	}

	private static String place(NamedLock outer, LockRequest inner) {
		String caller = StackWalker.getInstance()
			.walk((frames) -> frames.filter(LockOrder::isOfApplication)
				.findFirst()
				.map((frame) -> " at " + frame.toStackTraceElement())
				.orElse(""));
		return "'" + LockKeys.abbreviate(inner.name()) + "' inside '" + LockKeys.abbreviate(outer.name()) + "' (key '"
				+ LockKeys.abbreviate(inner.key()) + "' inside '" + LockKeys.abbreviate(outer.handle().key())
				+ "', thread '" + Thread.currentThread().getName() + "'" + caller + ")";
	}

	private static boolean isOfApplication(StackFrame frame) {
		String type = frame.getClassName();
		return INFRASTRUCTURE.stream().noneMatch(type::startsWith) && !type.contains("$$");
	}

	private static boolean isHeld(@Nullable LockHandle handle) {
		LockState state = (handle != null) ? handle.state() : LockState.RELEASED;
		return state != LockState.RELEASED && state != LockState.LOST;
	}

	/**
	 * A lock that a call chain holds, by one of its names.
	 *
	 * @param name the name
	 * @param handle the lock
	 */
	record NamedLock(String name, LockHandle handle) {

		static List<NamedLock> of(LockHandle handle, List<String> names) {
			return isHeld(handle) ? names.stream().map((name) -> new NamedLock(name, handle)).toList() : List.of();
		}

		boolean holds(LockRequest request) {
			return this.handle.handles()
				.stream()
				.anyMatch((each) -> each.key().equals(request.key()) && each.client().equals(request.client()));
		}

	}

}
