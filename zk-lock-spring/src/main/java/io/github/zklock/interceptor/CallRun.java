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

package io.github.zklock.interceptor;

import java.time.Duration;
import java.util.List;

import io.github.zklock.core.LockException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockOperation.Recovery;
import io.github.zklock.scheduling.ScheduledRun;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * The run of a scheduled task that a call of a guarded method may be.
 *
 * @param operation the lock of the method
 * @param invocation the call, whose attributes hold its run and its tick
 * @param subscription the run, if it is a subscription to what the call has returned
 */
record CallRun(LockOperation operation, ProxyMethodInvocation invocation, @Nullable ScheduledRun subscription) {

	private static final String TICK = LockTick.class.getName();

	private static final String RUN = ScheduledRun.class.getName();

	/** Return the run in a copy of the call. */
	CallRun in(ProxyMethodInvocation copy) {
		return new CallRun(this.operation, copy, this.subscription);
	}

	/**
	 * Return the run as one subscription. Another subscription of a retry is still the
	 * same run.
	 */
	CallRun ofSubscription() {
		return new CallRun(this.operation, this.invocation, scheduled());
	}

	/**
	 * Return the requests of the call with its tick, or the same list if it has none. The
	 * tick stays with the call: another attempt of a retry is still the same run.
	 */
	List<LockRequest> planned(List<LockRequest> requests, LockRefusals refusals) {
		LockTick tick = (this.invocation.getUserAttribute(TICK) instanceof LockTick known) ? known : tick(refusals);
		if (tick != null) {
			this.invocation.setUserAttribute(TICK, tick);
		}
		return planned(requests, tick);
	}

	/** Do the same for a subscription, which has a tick of its own. */
	List<LockRequest> plannedAnew(List<LockRequest> requests, LockRefusals refusals) {
		return planned(requests, tick(refusals));
	}

	private static List<LockRequest> planned(List<LockRequest> requests, @Nullable LockTick tick) {
		if (tick == null) {
			return requests;
		}
		// A run by hand does not wait for another one.
		return requests.stream()
			.map((request) -> tick.isByHand() ? request.withWait(Duration.ZERO) : request)
			.map((request) -> request.withTick(tick))
			.toList();
	}

	private @Nullable LockTick tick(LockRefusals refusals) {
		Duration shortestPeriod = this.operation.oncePerTick().shortestPeriod();
		if (shortestPeriod == null) {
			return null;
		}
		ScheduledRun run = scheduled();
		LockTick tick = (run != null) ? run.toTick(this.operation.schedule(), shortestPeriod) : null;
		Recovery recovery = this.operation.recovery();
		if (run == null || tick == null || tick.isPeriodic() || tick.isByHand() || recovery == null) {
			return tick;
		}
		LockTick repeated = tick.withMaxAttempts(recovery.maxAttempts());
		return (!run.isLate() && refusals.isLookedFor(this.operation, run)) ? repeated.yielding(recovery.within())
				: repeated;
	}

	/** Return the run, which belongs to the call from now on. */
	@Nullable ScheduledRun scheduled() {
		if (this.subscription == null) {
			moveTo(this.invocation, this.operation.targetClass());
		}
		return taken();
	}

	// Subscriptions share the attributes of their invocation.
	private @Nullable ScheduledRun taken() {
		if (this.subscription != null) {
			return this.subscription;
		}
		return (this.invocation.getUserAttribute(RUN) instanceof ScheduledRun run) ? run : null;
	}

	/**
	 * Return whether this call is a run that is meant for another bean of its class. Such
	 * a run ends here.
	 */
	boolean isOfAnother() {
		Object target = this.invocation.getThis();
		ScheduledRun run = taken();
		if (run == null) {
			run = ScheduledRun.peek(this.invocation.getMethod(), this.operation.targetClass(),
					this.invocation.getProxy());
		}
		if (run == null || target == null || run.isFor(target)) {
			return false;
		}
		scheduled();
		run.isOfAnother();
		return true;
	}

	/**
	 * Return whether the call only makes up for a run that was missed. Without a lock
	 * there is none.
	 */
	boolean isLate() {
		ScheduledRun run = (this.operation.recovery() != null) ? scheduled() : null;
		return run != null && run.isLate();
	}

	/**
	 * Return whether the call is one shard of a tick. The other shards are not refused
	 * with it.
	 */
	boolean isShard() {
		ScheduledRun run = scheduled();
		return run != null && run.isShard();
	}

	/** Return whether the call is a run that handles this refusal itself. */
	boolean isRefused(LockException refusal) {
		ScheduledRun run = scheduled();
		return run != null && run.isRefused(refusal);
	}

	/**
	 * The method is about to run under its lock.
	 * @return whether the call is a run, which has begun now
	 */
	boolean begins(LockCall call, LockHandle handle) {
		ScheduledRun run = scheduled();
		if (run == null) {
			return false;
		}
		call.refusals().begins(call, run, handle);
		run.begins();
		return true;
	}

	/** The method of a run has ended. */
	void ended(LockCall call, LockHandle handle) {
		ScheduledRun run = taken();
		if (run != null) {
			call.refusals().ended(call, run, handle);
		}
	}

	/**
	 * The run takes place without a lock. A run that this call has not taken is left to
	 * the next guarded method.
	 */
	void beginsUnguarded() {
		ScheduledRun run = taken();
		if (run != null) {
			run.beginsUnguarded();
		}
		else {
			ScheduledRun.beginsUnguarded(this.invocation.getMethod(), this.operation.targetClass(),
					this.invocation.getProxy());
		}
	}

	/**
	 * The run that the call has taken does not take place, for another reason than a
	 * refusal.
	 */
	void cannotBegin(LockCall call, Throwable failure) {
		ScheduledRun run = taken();
		if (run != null) {
			run.cannotBegin(failure);
			// Its tick may be recorded, and then no other node runs it.
			if (!call.requests().isEmpty() && !run.hasBegun()) {
				call.refusals().unfinished(call, run);
			}
		}
	}

	/**
	 * The run does not take place, since this call needs no lock.
	 */
	void settled() {
		ScheduledRun run = scheduled();
		if (run != null) {
			run.settled();
		}
	}

	/**
	 * Move the run of this thread to a call, which then may go on in another thread.
	 */
	static void moveTo(ProxyMethodInvocation invocation, Class<?> targetClass) {
		ScheduledRun run = ScheduledRun.take(invocation.getMethod(), targetClass, invocation.getProxy());
		if (run != null) {
			invocation.setUserAttribute(RUN, run);
		}
	}

}
