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

package io.github.zklock.support;

import java.util.Set;

/**
 * What a client asks of a server, as far as a {@link FaultProxy} tells it apart.
 */
public enum ZooKeeperOperation {

	/**
	 * The creation of a node, unless it is a container.
	 */
	CREATE(1, 15, 21),

	/**
	 * The creation of a container.
	 */
	CREATE_CONTAINER(19),

	/**
	 * A delete.
	 */
	DELETE(2),

	/**
	 * A look whether a node exists.
	 */
	EXISTS(3),

	/**
	 * A read of a node's data.
	 */
	GET_DATA(4),

	/**
	 * A write of a node's data.
	 */
	SET_DATA(5),

	/**
	 * A listing of children.
	 */
	GET_CHILDREN(8, 12),

	/**
	 * A sync.
	 */
	SYNC(9),

	/**
	 * A transaction. Its path is the paths of all its parts, one after the other.
	 */
	MULTI(14),

	/**
	 * Several reads at once. Its path is the paths of all its parts, one after the other.
	 */
	MULTI_READ(22),

	/**
	 * The question as whom the server knows the client.
	 */
	WHO_AM_I(107),

	/**
	 * The orderly end of a session.
	 */
	CLOSE_SESSION(-11),

	/**
	 * Everything that is not said above: pings, watches, authentication.
	 */
	OTHER;

	private final Set<Integer> codes;

	ZooKeeperOperation(Integer... codes) {
		this.codes = Set.of(codes);
	}

	boolean hasPath() {
		return !hasPaths() && this != WHO_AM_I && this != CLOSE_SESSION && this != OTHER;
	}

	boolean hasPaths() {
		return this == MULTI || this == MULTI_READ;
	}

	static ZooKeeperOperation of(int code) {
		for (ZooKeeperOperation operation : values()) {
			if (operation.codes.contains(code)) {
				return operation;
			}
		}
		return OTHER;
	}

}
