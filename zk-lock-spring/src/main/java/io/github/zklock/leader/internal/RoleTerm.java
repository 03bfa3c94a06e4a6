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

package io.github.zklock.leader.internal;

import io.github.zklock.core.internal.DurationText;
import io.github.zklock.core.internal.Failures;
import io.github.zklock.leader.LeadershipGranted;
import io.github.zklock.leader.LeadershipRevoked;
import io.github.zklock.leader.LeadershipRevoked.Reason;
import io.github.zklock.leader.internal.LeaderStatus.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;

/**
 * One term of a leader, on the thread of the role: from the event of the grant to the
 * release of the role.
 */
final class RoleTerm {

	private static final Logger logger = LoggerFactory.getLogger(RoleTerm.class);

	private final HeldRole held;

	private final RoleBeans beans;

	private final ApplicationEventPublisher events;

	private final Thread thread = Thread.currentThread();

	// Changes under the monitor of this.
	private volatile State state = State.STARTING;

	RoleTerm(HeldRole held, RoleBeans beans, ApplicationEventPublisher events) {
		this.held = held;
		this.beans = beans;
		this.events = events;
	}

	HeldRole held() {
		return this.held;
	}

	State state() {
		return this.held.isLed() ? this.state : State.STOPPING;
	}

	/**
	 * Start the beans, and stop them when the role is revoked.
	 * @return why it was revoked
	 */
	Reason serve() {
		this.held.watch();
		logger.info("This node leads role '{}' from now on, with token {}", this.held.role(), this.held.fencingToken());
		this.held.revoked().thenRun(this::interruptStart);
		Throwable failure = start();
		Reason reason = this.held.revoked().join();
		if (reason == Reason.START_FAILED) {
			logger.warn("Role '{}' is given up, since it could not be started on this node", this.held.role(), failure);
		}
		else if (failure != null) {
			logger.debug("The start of role '{}' ended with its revocation", this.held.role(), failure);
		}
		logger.info("This node does not lead role '{}' any more ({}), and stops its beans within {}", this.held.role(),
				reason, DurationText.of(this.held.remaining()));
		Throwable unheard = Failures.thrownBy(() -> this.events.publishEvent(new LeadershipRevoked(this.held, reason)));
		if (unheard != null) {
			logger.warn("A listener of LeadershipRevoked failed for role '{}'", this.held.role(), unheard);
		}
		this.beans.stop();
		this.held.end();
		return reason;
	}

	private @Nullable Throwable start() {
		Throwable failure = Failures.thrownBy(() -> {
			if (this.held.isLed()) {
				this.events.publishEvent(new LeadershipGranted(this.held));
			}
			if (this.held.isLed()) {
				this.beans.start();
			}
		});
		synchronized (this) {
			this.state = (failure != null) ? State.STOPPING : State.LEADING;
			// The interrupt of a revocation was for the start only.
			Thread.interrupted();
		}
		if (failure != null) {
			this.held.revoke(Reason.START_FAILED);
		}
		return failure;
	}

	// A start must not use up the lease. Called on any thread.
	private synchronized void interruptStart() {
		if (this.state == State.STARTING) {
			this.thread.interrupt();
		}
	}

}
