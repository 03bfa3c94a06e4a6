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

/**
 * ZooKeeper does not let the client lock, and the application is to stop then.
 */
@SuppressWarnings("serial")
class ZooKeeperAccessDeniedException extends RuntimeException {

	/**
	 * What to do, as sentences.
	 */
	static final String REMEDY = "Give the client CREATE, READ and DELETE there (the ACL of new nodes is that of the "
			+ "ACLProvider bean, open to everybody without one), or let it authenticate as somebody who has them "
			+ "(authorization(...) in a CuratorFrameworkBuilderCustomizer bean), or set 'zk-lock.root' to a node "
			+ "where it may";

	private final String denial;

	ZooKeeperAccessDeniedException(String denial) {
		super(denial + ", and zk-lock.fail-fast is enabled");
		this.denial = denial;
	}

	String getDenial() {
		return this.denial;
	}

}
