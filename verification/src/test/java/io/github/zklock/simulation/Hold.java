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

package io.github.zklock.simulation;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;

/**
 * One lock that a caller was given, as the judge sees it, until the caller gives it back.
 */
final class Hold {

	private final Participant process;

	private final String caller;

	private final LockRequest request;

	private final LockHandle handle;

	private final long token;

	private final long grantedAt;

	private final long session;

	private boolean open = true;

	private boolean handedOn;

	private boolean excused;

	private boolean told;

	private boolean returned;

	/**
	 * Create what is held.
	 * @param process whose caller holds it
	 * @param caller who holds it
	 * @param grantedAt when the engine has granted it, in virtual nanoseconds
	 */
	Hold(Participant process, String caller, LockRequest request, LockHandle handle, long grantedAt) {
		this.process = process;
		this.caller = caller;
		this.request = request;
		this.handle = handle;
		this.token = handle.fencingToken();
		this.grantedAt = grantedAt;
		this.session = process.session();
	}

	Participant process() {
		return this.process;
	}

	LockRequest request() {
		return this.request;
	}

	LockHandle handle() {
		return this.handle;
	}

	String key() {
		return this.request.key();
	}

	long token() {
		return this.token;
	}

	long grantedAt() {
		return this.grantedAt;
	}

	/**
	 * Return the session of its process at the grant.
	 */
	long session() {
		return this.session;
	}

	boolean isOpen() {
		return this.open;
	}

	void close() {
		this.returned |= !this.told;
		this.open = false;
	}

	/**
	 * The lock is returned while another caller of the process waits for it.
	 */
	void handOn() {
		this.handedOn = true;
	}

	boolean isHandedOn() {
		return this.handedOn;
	}

	/**
	 * Somebody has taken the lock away by hand, so that only the token protects.
	 */
	void excuse() {
		this.excused = true;
	}

	boolean isExcused() {
		return this.excused;
	}

	/**
	 * The holder was told of the loss.
	 */
	void tell() {
		this.told = true;
	}

	boolean isTold() {
		return this.told;
	}

	/**
	 * Return whether the lock was returned before its loss was reported. A write that was
	 * under way then comes after the next holder may have begun.
	 */
	boolean isReturned() {
		return this.returned;
	}

	/**
	 * Return whether whoever looks now sees that the lock is lost.
	 */
	boolean isLost() {
		return this.handle.state() == LockState.LOST;
	}

	boolean excludes(Hold other) {
		if (this.request.permits() > 1 && this.request.permits() == other.request.permits()) {
			return false;
		}
		return this.request.mode() != LockMode.READ || other.request.mode() != LockMode.READ;
	}

	@Override
	public String toString() {
		return this.caller + " " + this.request.mode() + " '" + key() + "' token 0x" + Long.toHexString(this.token);
	}

}
