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

/**
 * When the lock of a method is released.
 *
 * @since 0.1.0
 */
public enum ReleasePolicy {

	/**
	 * When the method ends: when it returns or throws, or when the stage or publisher it
	 * returned completes, fails or is cancelled.
	 */
	METHOD,

	/**
	 * After commit or rollback of the Spring transaction in which the method was called.
	 * If the lock is not known to be held before the commit, the transaction is rolled
	 * back. That is the transaction of the caller, even if the method itself begins a new
	 * one. Without such a transaction the same as {@link #METHOD}.
	 */
	TRANSACTION

}
