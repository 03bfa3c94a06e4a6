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

package io.github.zklock.core.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import org.jspecify.annotations.Nullable;

/**
 * Who owns the locks under which a thread, or a chain of asynchronous calls, runs. The
 * {@linkplain LockScope scopes} of the thread and the {@linkplain SharedHold holds} of
 * the backends know it together.
 *
 * @since 0.1.0
 */
public final class LockOwners {

	private LockOwners() {
	}

	/**
	 * Give each request without an owner one. It is the holder of the key in a scope, so
	 * that the request re-enters, otherwise a new owner.
	 * @param requests the requests
	 * @param owner the new owner; {@code null} leaves it to the provider
	 * @param scope the innermost scope, or {@code null}
	 * @return the requests with their owners
	 */
	public static Collection<LockRequest> own(Collection<LockRequest> requests, @Nullable Object owner,
			@Nullable LockScope scope) {
		return (owner != null || scope != null) ? own(requests, owner, scope, null) : requests;
	}

	/**
	 * Return requests of the calling thread with their owners in a scope, except where
	 * that is the thread itself.
	 * @param requests the requests
	 * @param scope the scope, or {@code null} for none
	 * @return the requests with their owners
	 */
	public static Collection<LockRequest> ownByThread(Collection<LockRequest> requests, @Nullable LockScope scope) {
		return (scope != null) ? own(requests, null, scope, Thread.currentThread()) : requests;
	}

	private static Collection<LockRequest> own(Collection<LockRequest> requests, @Nullable Object owner,
			@Nullable LockScope scope, @Nullable Object unnamed) {
		boolean blocking = owner instanceof Thread || unnamed != null;
		List<LockRequest> owned = new ArrayList<>(requests.size());
		for (LockRequest request : requests) {
			Object holder = (request.owner() == null) ? holder(request, scope, blocking) : null;
			Object found = (holder != null) ? holder : owner;
			boolean named = request.owner() != null || found == null || found == unnamed;
			owned.add(named ? request : request.withOwner(found));
		}
		return owned;
	}

	// The outermost scope acquired the lock, and the others re-entered it.
	private static @Nullable Object holder(LockRequest request, @Nullable LockScope innermost, boolean blocking) {
		Object holder = null;
		for (LockScope scope = innermost; scope != null; scope = scope.outer()) {
			Object owner = holds(scope, request) ? owner(scope, request, blocking) : null;
			holder = (owner != null) ? owner : holder;
		}
		return holder;
	}

	private static @Nullable Object owner(LockScope scope, LockRequest request, boolean blocking) {
		Object named = scope.owner();
		for (LockRequest each : scope.requests()) {
			if (each.owner() != null && isSameLock(request, each.key())) {
				named = each.owner();
				break;
			}
		}
		return (named != null) ? registered(scope, request, named, blocking) : null;
	}

	// A thread owns only the locks that it acquires itself, even if a request names it.
	// The lock may also continue without its owner, which has left.
	private static Object registered(LockScope scope, LockRequest request, Object named, boolean blocking) {
		for (LockHandle each : scope.handle().handles()) {
			if (isSameLock(request, each.key())) {
				Object found = SharedHold.ownerOf(ObservedHandle.unobserved(each), blocking);
				return (found != null) ? found : named;
			}
		}
		return named;
	}

	private static boolean holds(LockScope scope, LockRequest request) {
		for (LockHandle each : scope.handle().handles()) {
			if (isSameLock(request, each.key()) && each.state() != LockState.RELEASED) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return whether a lock was requested with several {@linkplain LockRequest#permits()
	 * permits}, in a scope or in one around it.
	 * @param innermost the scope
	 * @param handle the lock
	 * @return whether others may hold it at the same time
	 */
	public static boolean isShared(LockScope innermost, LockHandle handle) {
		for (LockScope scope = innermost; scope != null; scope = scope.outer()) {
			for (LockRequest request : scope.requests()) {
				if (request.permits() > 1 && isSameLock(request, handle.key()) && isUnder(scope, handle)) {
					return true;
				}
			}
		}
		return false;
	}

	// Another provider may have another lock with the same key.
	private static boolean isUnder(LockScope scope, LockHandle handle) {
		LockHandle root = root(handle);
		return scope.handle().handles().stream().anyMatch((each) -> root(each) == root);
	}

	private static LockHandle root(LockHandle handle) {
		return SharedHold.rootOf(ObservedHandle.unobserved(handle));
	}

	private static boolean isSameLock(LockRequest request, String key) {
		return request.key().equals(key);
	}

	/**
	 * Return the outermost lock of a registry around the calling thread that has a key.
	 * The same key of another provider is another lock, which may be around this one.
	 * @param registry the registry
	 * @param key the key
	 * @return the hold, or {@code null} if there is none
	 */
	public static @Nullable SharedHold aroundThread(Object registry, String key) {
		SharedHold outermost = null;
		for (LockScope scope = LockScope.ofThread(); scope != null; scope = scope.outer()) {
			for (LockHandle each : scope.handle().handles()) {
				SharedHold hold = SharedHold.of(ObservedHandle.unobserved(each));
				outermost = (hold != null && hold.is(registry, key)) ? hold : outermost;
			}
		}
		return outermost;
	}

	/**
	 * Return the locks under which the calling thread runs.
	 * @return the handles of the backends
	 */
	public static Set<LockHandle> rootsOfThread() {
		Set<LockHandle> roots = new HashSet<>();
		for (LockScope scope = LockScope.ofThread(); scope != null; scope = scope.outer()) {
			scope.handle().handles().forEach((each) -> roots.add(root(each)));
		}
		return roots;
	}

}
