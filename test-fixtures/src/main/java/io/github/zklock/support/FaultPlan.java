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

import java.util.Queue;

import io.github.zklock.support.Fault.Action;
import org.apache.zookeeper.KeeperException;

/**
 * What may happen to one request.
 */
public final class FaultPlan {

	private final Queue<Fault> faults;

	private final String path;

	FaultPlan(Queue<Fault> faults, String path) {
		this.faults = faults;
		this.path = path;
	}

	/**
	 * The request passes: to fail the one after it.
	 * @return the fault, which fires as the others do
	 */
	public Fault pass() {
		return add(Action.PASS, KeeperException.Code.OK);
	}

	/**
	 * The connection is reset, the server never sees the request.
	 * @return the fault
	 */
	public Fault killBefore() {
		return add(Action.KILL_BEFORE, KeeperException.Code.OK);
	}

	/**
	 * The server has executed the request, the connection is reset before the reply.
	 * @return the fault
	 */
	public Fault killAfter() {
		return add(Action.KILL_AFTER, KeeperException.Code.OK);
	}

	/**
	 * The request is not executed and answered by an error code.
	 * @param code the code
	 * @return the fault
	 */
	public Fault answer(KeeperException.Code code) {
		return add(Action.ANSWER, code);
	}

	/**
	 * The request, and what follows on its connection, waits for {@link Fault#release()}.
	 * @return the fault
	 */
	public Fault holdRequest() {
		return add(Action.HOLD_REQUEST, KeeperException.Code.OK);
	}

	/**
	 * The server has executed the request; its reply, and what follows on its connection,
	 * waits for {@link Fault#release()}.
	 * @return the fault
	 */
	public Fault holdReply() {
		return add(Action.HOLD_REPLY, KeeperException.Code.OK);
	}

	/**
	 * The server has executed the request; its reply never comes, though the replies to
	 * pings that follow do.
	 * @return the fault
	 */
	public Fault loseReply() {
		return add(Action.LOSE_REPLY, KeeperException.Code.OK);
	}

	private Fault add(Action action, KeeperException.Code code) {
		Fault fault = new Fault(action, code, this.path);
		this.faults.add(fault);
		return fault;
	}

}
