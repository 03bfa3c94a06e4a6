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

/**
 * Knows the objects that take the place of guarded beans on purpose, like mocks in a
 * test. They take no locks. Implementations are named in {@code spring.factories}.
 */
@FunctionalInterface
public interface StandIns {

	/**
	 * Return whether an object takes the place of a bean.
	 * @param bean the object
	 * @return whether it does
	 */
	boolean isStandIn(Object bean);

}
