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

import java.util.List;

/**
 * Libraries are not there that a ZooKeeper server needs, but a client does not.
 */
@SuppressWarnings("serial")
class MissingServerLibraryException extends IllegalStateException {

	private final List<String> libraries;

	/**
	 * Create the exception.
	 * @param libraries the missing ones, as {@code group:artifact:version}
	 */
	MissingServerLibraryException(List<String> libraries) {
		super("The embedded ZooKeeper server needs " + String.join(" and ", libraries) + " on the class path");
		this.libraries = libraries;
	}

	List<String> getLibraries() {
		return this.libraries;
	}

}
