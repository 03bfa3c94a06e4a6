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

package io.github.zklock.zookeeper.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHolder;
import io.github.zklock.core.LockInterruptedException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockPermitsException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.zookeeper.node.JobRecord;
import io.github.zklock.zookeeper.session.AuthenticationFailures;
import io.github.zklock.zookeeper.session.SessionTracker;
import io.github.zklock.zookeeper.tasks.EngineTasks;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exceptions of a request.
 */
public final class AttemptFailures {

	private static final String REMEDY = "check that it is up and that the connect string is right";

	private final LockRequest request;

	private final EngineTasks tasks;

	private final long start;

	private final SessionTracker tracker;

	public AttemptFailures(LockRequest request, SessionTracker tracker, EngineTasks tasks) {
		this.request = request;
		this.tracker = tracker;
		this.tasks = tasks;
		this.start = tasks.nanoTime();
	}

	/**
	 * Return when the request came, by the clock of the engine.
	 */
	public long start() {
		return this.start;
	}

	public long waitedNanos() {
		return this.tasks.nanoTime() - this.start;
	}

	public LockException notAcquired(Optional<LockHolder> holder, @Nullable Duration kept) {
		if (kept != null) {
			return LockNotAcquiredException.kept(this.request, waited(), holder.orElse(null), kept);
		}
		return new LockNotAcquiredException(this.request, waited(), holder.orElse(null));
	}

	public LockException tooManyWaiters(int most) {
		return new LockNotAcquiredException(this.request.withWait(Duration.ZERO), waited(), null,
				"as many requests of this process wait for the key as LockLimits.waitersPerKey allows (" + most + ")");
	}

	LockException hasRun(LockTick run, @Nullable LockHolder runner) {
		return LockNotAcquiredException.hasRun(this.request, waited(), run, runner);
	}

	LockException hasDied(int attempts, @Nullable LockHolder runner) {
		return LockNotAcquiredException.hasDied(this.request, waited(), attempts, runner);
	}

	LockException hasNeverRun() {
		return LockNotAcquiredException.hasNeverRun(this.request, waited());
	}

	LockException yields() {
		return LockNotAcquiredException.yields(this.request, waited());
	}

	LockException paused(Instant since, @Nullable String by) {
		return LockNotAcquiredException.paused(this.request, waited(), since, by);
	}

	public LockException noAnswer() {
		if (this.tracker.usable() != null) {
			return unavailable(
					"ZooKeeper is connected, but slow: it did not answer, or confirm the session after a slow "
							+ "answer, in time; wait for longer, or look at the load of its servers");
		}
		return notReached("ZooKeeper did not answer in time");
	}

	public LockException noConnection() {
		return notReached("there is no connection to ZooKeeper");
	}

	private LockException notReached(String fact) {
		String reason = this.tracker.problem();
		return unavailable((reason != null) ? fact + ": " + reason : fact + "; " + REMEDY);
	}

	public LockException unavailable(String reason) {
		return new LockUnavailableException(this.request, waited(), reason, null);
	}

	public LockException failed(Throwable cause) {
		return new LockUnavailableException(this.request, waited(), "a step of the lock engine failed with "
				+ cause.getClass().getName() + "; what it left is cleaned up, and the next request begins anew", cause);
	}

	/**
	 * Return the failure of a request for which the application gives no ACL.
	 */
	public LockException noAcl(Throwable cause) {
		return new LockUnavailableException(this.request, waited(),
				"the ACL provider of the application failed with " + cause, cause);
	}

	LockException denied(String code, String path) {
		return denied(code, path, "CREATE, READ and DELETE");
	}

	LockException denied(String code, String path, String permissions) {
		if (code.equals(Code.AUTHFAILED.name())) {
			return unavailable(AuthenticationFailures.PROBLEM);
		}
		return new LockAccessException(this.request, waited(), "ZooKeeper answered " + code + " at " + path
				+ "; check the permissions " + permissions + " of this client, and the quota, there", null);
	}

	LockException vanishes(String path) {
		return new LockAccessException(this.request, waited(), JobRecord.vanishing(path), null);
	}

	/**
	 * Return the failure of a request beside nodes that may not be deleted.
	 * @param refusal what ZooKeeper has answered, and the remedy
	 */
	public LockException undeleted(String refusal) {
		return new LockAccessException(this.request, waited(), "ZooKeeper answered " + refusal, null);
	}

	LockException noChroot() {
		return unavailable("the path at the end of the connect string does not exist; create it, or leave it out");
	}

	LockException usedUp(String path) {
		return unavailable("the sequence numbers under " + path
				+ " are used up; delete that node while no client uses the lock, so that they start again");
	}

	LockException noToken() {
		return unavailable(
				"the transactions of ZooKeeper have numbers from which no fencing token can be made, as after "
						+ "500,000 elections of a leader; move the locks to an ensemble with new data");
	}

	LockException unreadable(String path) {
		return unavailable("the connection was lost at least twice right after the nodes in " + path
				+ " were listed, so their names are probably longer than this client reads; delete the nodes that do "
				+ "not belong there, with a client whose jute.maxbuffer is large enough. Until then this key is "
				+ "refused for a minute or more at a time");
	}

	LockException otherPermits(int permitsInUse) {
		return new LockPermitsException(this.request, waited(), permitsInUse);
	}

	public LockException interrupted() {
		return new LockInterruptedException(this.request, waited());
	}

	private Duration waited() {
		return Duration.ofNanos(waitedNanos());
	}

}
