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

package io.github.zklock.benchmarks.interceptor;

/**
 * What is called: the same work, guarded in different ways.
 *
 * @since 0.1.0
 */
public interface Orders {

	/**
	 * Do the work under a lock with one key for all calls.
	 * @param order what to work on
	 * @return something that depends on the order
	 */
	long literal(Order order);

	/**
	 * Do the work under a lock whose key is an argument.
	 * @param id what to work on
	 * @return something that depends on the order
	 */
	long variable(long id);

	/**
	 * Do the work under a lock whose key is text with an expression in it.
	 * @param order what to work on
	 * @return something that depends on the order
	 */
	long template(Order order);

}
