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

package io.github.zklock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the {@code long} parameter of a {@link DistributedLock @DistributedLock} method
 * that receives the fencing token of its lock. The token replaces the argument of the
 * caller. Hand it to the resource that the lock protects, which rejects a call with a
 * lower token than it has seen. A parameter of type
 * {@link io.github.zklock.core.LockHandle} is filled in with the handle and needs no
 * annotation. On an interface the annotation counts for the methods that implement it.
 * <p>
 * A call that needs no lock, because of its {@link DistributedLock#condition}, has no
 * token. A {@code long} is {@code 0} then. Since {@code 0} is lower than every token, a
 * resource that has seen a token rejects the call. A {@code Long} and a handle are
 * {@code null}. Locks can be turned off with {@code zk-lock.enabled=false} or
 * {@code zk-lock.locks.<name>.unguarded=true}. The handle is held then, but excludes no
 * other caller. Its token is lower than every other token as well. Several keys have a
 * token each, so the annotation is refused there, at start-up if that can be seen. Use a
 * {@link io.github.zklock.core.LockHandle} parameter and its
 * {@link io.github.zklock.core.LockHandle#handles() handles} instead.
 *
 * @since 0.1.0
 * @see io.github.zklock.core.LockHandle#fencingToken()
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FencingToken {

}
