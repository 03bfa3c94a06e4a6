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

package io.github.zklock.zookeeper.node;

import org.apache.zookeeper.KeeperException.Code;

/**
 * What a reply code means for a request.
 */
public enum ReplyCode {

	/** The request was executed. */
	OK,

	/** The node, or its parent, does not exist. */
	NO_NODE,

	/** The session has ended; so has, or will, everything in it. */
	SESSION_ENDED,

	/** The request is not permitted, now or later. */
	REFUSED,

	/** It is not known whether the request was executed, or it could not be for now. */
	UNKNOWN;

	public static ReplyCode of(int rc) {
		Code code = Code.get(rc);
		if (code == null) {
			return UNKNOWN;
		}
		return switch (code) {
			case OK -> OK;
			case NONODE -> NO_NODE;
			case SESSIONEXPIRED, UNKNOWNSESSION, SESSIONCLOSEDREQUIRESASLAUTH -> SESSION_ENDED;
			case NOAUTH, INVALIDACL, AUTHFAILED, NOCHILDRENFOREPHEMERALS, BADARGUMENTS, QUOTAEXCEEDED,
					EPHEMERALONLOCALSESSION ->
				REFUSED;
			default -> UNKNOWN;
		};
	}

	/**
	 * Return whether a server that serves the session has answered.
	 */
	public boolean isOfServer() {
		return this != UNKNOWN && this != SESSION_ENDED;
	}

	public static String text(int rc) {
		Code code = Code.get(rc);
		return (code != null) ? code.name() : "code " + rc;
	}

}
