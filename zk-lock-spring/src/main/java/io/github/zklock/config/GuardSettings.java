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

package io.github.zklock.config;

import io.github.zklock.annotation.LockValidation;

/**
 * What an application says about all of its guarded methods. The bean is created early,
 * for the first proxy.
 *
 * @since 0.1.0
 */
public interface GuardSettings {

	/**
	 * Return the order of the lock among the advice of a method. Asked early.
	 * @return the order
	 */
	int order();

	/**
	 * Return what to do at start-up about methods that cannot be guarded.
	 * @return the validation
	 */
	LockValidation validation();

	/**
	 * Return whether locks are turned off.
	 * @return {@code true} if no method is to be guarded
	 */
	default boolean isTurnedOff() {
		return false;
	}

}
