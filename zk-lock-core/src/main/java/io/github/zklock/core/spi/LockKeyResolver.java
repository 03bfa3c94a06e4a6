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

package io.github.zklock.core.spi;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Changes the keys of the calls of guarded methods, for example to add the tenant of the
 * caller. A bean of this type is used for all guarded methods. Several are called in
 * their order, each with the keys that the one before it returned.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LockKeyResolver {

	/**
	 * Return the keys of one lock of a call. Several keys are acquired all or none.
	 * @param keys the keys that {@code @DistributedLock} declares for the call, at least
	 * one
	 * @param method the called method of the target class
	 * @param target the object whose method is called
	 * @param arguments the arguments of the call
	 * @return the keys, at least one
	 * @throws io.github.zklock.core.LockKeyException if there is none
	 */
	List<String> resolveKeys(List<String> keys, Method method, @Nullable Object target, @Nullable Object[] arguments);

}
