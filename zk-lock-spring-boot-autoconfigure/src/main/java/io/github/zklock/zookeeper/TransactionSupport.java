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

package io.github.zklock.zookeeper;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.CreateResult;

/**
 * What the answers of a server tell of its transactions.
 */
final class TransactionSupport {

	private volatile boolean supported = true;

	private volatile boolean joining = true;

	/**
	 * Return whether it takes them at all.
	 */
	boolean isSupported() {
		return this.supported;
	}

	/**
	 * Return whether requests for one directory are sent together.
	 */
	boolean isJoining() {
		return this.supported && this.joining;
	}

	/**
	 * A part of a transaction was answered: perhaps without its stat, as to a client that
	 * is confined to a part of the tree, which has to ask for it then.
	 */
	void learn(OpResult result) {
		if (result instanceof CreateResult created && created.getStat() == null) {
			this.joining = false;
		}
	}

	/**
	 * A transaction was answered: perhaps the server is too old to take one.
	 */
	void learn(int rc) {
		if (rc == Code.UNIMPLEMENTED.intValue() || rc == Code.MARSHALLINGERROR.intValue()) {
			this.supported = false;
		}
	}

}
