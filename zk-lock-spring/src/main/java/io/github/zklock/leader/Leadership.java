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

package io.github.zklock.leader;

import java.time.Duration;

import io.github.zklock.core.LockCallback;
import org.jspecify.annotations.Nullable;

/**
 * A role that this node has got, from then on until its beans have stopped. Thread safe.
 *
 * @since 0.1.0
 * @see LeaderRoles#current(String)
 */
public interface Leadership {

	/**
	 * Return the role.
	 * @return the name of the role
	 */
	String role();

	/**
	 * Return the fencing token: a positive number, greater for every later leader of the
	 * role. A resource that compares tokens refuses what an earlier leader still writes.
	 * @return the fencing token
	 */
	long fencingToken();

	/**
	 * Return for how long no other node can lead the role, even if the backend does not
	 * answer from now on. While the connection is up, the lease is extended again and
	 * again. Measured with the monotonic clock of this process, without any I/O.
	 * @return the time, zero if the lease is over, or
	 * {@link io.github.zklock.core.LockRequest#FOREVER} if the backend has no leases, as
	 * locks in memory
	 */
	Duration remaining();

	/**
	 * Check that no other node can lead the role at this moment: the call to make before
	 * each irrevocable step, even in {@code stop()}.
	 * @throws io.github.zklock.core.LockLostException if the lease is over
	 */
	void assertLeader();

	/**
	 * Run a body under the lock of the role. Then
	 * {@link io.github.zklock.core.LockHandle#current() LockHandle.current()} returns
	 * that lock, and transactions of the body check it before they commit.
	 * @param <T> the type of the result
	 * @param <E> the exception that the body declares
	 * @param body the body
	 * @return what the body returns
	 * @throws E what the body throws
	 */
	<T extends @Nullable Object, E extends Throwable> T call(LockCallback<T, E> body) throws E;

}
