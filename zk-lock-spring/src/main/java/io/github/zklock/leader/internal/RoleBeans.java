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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.internal.Failures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/**
 * The beans of a role, in the order of their phases. Only the thread of the role starts
 * and stops them.
 */
final class RoleBeans {

	private static final Logger logger = LoggerFactory.getLogger(RoleBeans.class);

	private final String role;

	private final List<Member> members = new ArrayList<>();

	private final Deque<Member> begun = new ArrayDeque<>();

	// Those that do not say that they run.
	private final Set<Member> unclear = new HashSet<>();

	private int first = Integer.MIN_VALUE;

	RoleBeans(String role) {
		this.role = role;
	}

	void add(String beanName, Lifecycle bean) {
		this.members.add(new Member(beanName, bean));
		this.members.sort(Comparator.comparingInt(Member::phase));
		stopBefore(phase(bean));
	}

	/**
	 * Stop before another bean, which Spring stops in this phase after what needs it.
	 */
	void stopBefore(int phase) {
		this.first = Math.max(this.first, phase);
	}

	/**
	 * Return the phase before which all of them stop.
	 */
	int phase() {
		return this.first;
	}

	static int phase(Lifecycle bean) {
		return (bean instanceof Phased phased) ? phased.getPhase() : 0;
	}

	/**
	 * Refuse a bean that runs although its node does not lead.
	 */
	void requireStopped() {
		this.members.stream().filter((member) -> member.bean.isRunning()).findFirst().ifPresent((member) -> {
			throw new InvalidLockUsageException(
					"Bean '" + member.name + "' with @LeaderRole(\"" + this.role
							+ "\") runs before its node leads: the bean itself, or a framework, has started it.",
					"Let only the role start it: turn off its automatic start-up, start it nowhere else, and let "
							+ "isRunning() return false until start() was called.");
		});
	}

	void start() {
		for (Member member : this.members) {
			// Also one whose start fails may run.
			this.begun.push(member);
			member.bean.start();
			if (!member.bean.isRunning()) {
				this.unclear.add(member);
				logger.warn("isRunning() of bean '{}' of role '{}' returns false after start(): let it return true "
						+ "until stop() has ended. stop() is called nevertheless", member.name, this.role);
			}
		}
	}

	/**
	 * Stop those that were started, in the reverse order. Returns when all of them have
	 * stopped.
	 */
	void stop() {
		while (!this.begun.isEmpty()) {
			Member member = this.begun.pop();
			boolean unclear = this.unclear.remove(member);
			Throwable failure = Failures.thrownBy(() -> {
				if (unclear || member.bean.isRunning()) {
					member.stop();
				}
			});
			if (failure != null) {
				logger.error("Bean '{}' of role '{}' failed to stop: it may still work on this node", member.name,
						this.role, failure);
			}
		}
	}

	/**
	 * A bean of the role.
	 */
	private record Member(String name, Lifecycle bean) {

		int phase() {
			return RoleBeans.phase(this.bean);
		}

		void stop() throws InterruptedException {
			if (this.bean instanceof SmartLifecycle smart) {
				CountDownLatch stopped = new CountDownLatch(1);
				smart.stop(stopped::countDown);
				stopped.await();
			}
			else {
				this.bean.stop();
			}
		}

	}

}
