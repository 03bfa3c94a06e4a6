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

package io.github.zklock.autoconfigure;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;

/**
 * The name of a client, as its properties, messages and threads bear it.
 *
 * @param value the name
 */
record LockClientName(String value) {

	static final LockClientName DEFAULT = new LockClientName(LockRequest.DEFAULT_CLIENT);

	// Not by equals, which a record only links when it is called: 5 ms of each start.
	private boolean isDefault() {
		return this.value.equals(DEFAULT.value);
	}

	/**
	 * Return the full name of one of its properties.
	 * @param name the name after the prefix
	 */
	String property(String name) {
		return "zk-lock." + (isDefault() ? "" : "clients." + this.value + ".") + name;
	}

	/**
	 * Return the text that names the client in messages: empty for the default one.
	 */
	String label() {
		return isDefault() ? "" : " (client '" + LockException.printable(this.value) + "')";
	}

	/**
	 * Return the name of one of its threads.
	 */
	String thread(String purpose) {
		return "zk-lock-" + (isDefault() ? "" : this.value + "-") + purpose;
	}

}
