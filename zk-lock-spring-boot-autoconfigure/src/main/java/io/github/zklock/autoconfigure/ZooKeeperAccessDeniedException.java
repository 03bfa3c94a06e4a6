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

import io.github.zklock.zookeeper.ZooKeeperAccessCheck.Denial;

/**
 * ZooKeeper does not let the client lock, and the application is to stop then.
 */
@SuppressWarnings("serial")
class ZooKeeperAccessDeniedException extends RuntimeException {

	private final transient Denial denial;

	ZooKeeperAccessDeniedException(Denial denial) {
		super(denial.text() + ", and zk-lock.fail-fast is enabled");
		this.denial = denial;
	}

	Denial getDenial() {
		return this.denial;
	}

	/**
	 * Return what to do.
	 * @param denial why the client cannot lock
	 * @return sentences, the last without its end
	 */
	static String remedy(Denial denial) {
		String detail = denial.detail();
		return switch (denial.reason()) {
			case CHROOT -> "Create the node '" + detail + "' (zkCli.sh create " + detail
					+ "), or correct the path at the end of 'zk-lock.connect-string', or use '"
					+ "zk-lock.namespace' instead of it, whose nodes are created as needed";
			case PERMISSION -> "Give the client CREATE, READ and DELETE there (new nodes belong to the client that "
					+ "creates them if zk-lock.auth"
					+ " is set, else to everybody, unless an ACLProvider bean decides), or "
					+ "let it authenticate as somebody who has them (zk-lock.auth.*"
					+ "; with a wrong password it is another user of the same name), or set '"
					+ "zk-lock.root' to a node where it may";
			case EXPOSED -> String.valueOf(detail);
			case NOT_AUTHENTICATED -> "Correct zk-lock.auth.sasl.*, or with client certificates "
					+ "zk-lock.ssl.bundle and ssl.clientAuth of the servers"
					+ "; the log of org.apache.zookeeper tells why the login has failed";
			case REFUSED_AUTHENTICATION -> "Correct user and password of zk-lock.auth.*";
		};
	}

}
