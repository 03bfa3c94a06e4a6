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

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.leader.LeaderRole;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.Assert;

/**
 * Finds the beans with a role, and refuses beans that cannot run on the leader only.
 */
final class RoleFinder {

	private final ConfigurableListableBeanFactory beanFactory;

	RoleFinder(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Return the beans by their roles.
	 * @throws InvalidLockUsageException if a bean or a role is not possible
	 */
	Map<String, RoleBeans> find() {
		Map<String, RoleBeans> found = new TreeMap<>();
		for (String beanName : this.beanFactory.getBeanNamesForAnnotation(LeaderRole.class)) {
			String role = role(beanName);
			RoleBeans beans = found.computeIfAbsent(role, RoleBeans::new);
			beans.add(beanName, bean(beanName, role));
			stopBeforeNeeded(beanName, beans, new HashSet<>());
		}
		return found;
	}

	// Before it stops a bean, Spring stops what needs it, in the phase of that bean.
	private void stopBeforeNeeded(String beanName, RoleBeans beans, Set<String> seen) {
		for (String needed : this.beanFactory.getDependenciesForBean(beanName)) {
			if (this.beanFactory.getSingleton(needed) instanceof Lifecycle lifecycle && seen.add(needed)) {
				beans.stopBefore(RoleBeans.phase(lifecycle));
				stopBeforeNeeded(needed, beans, seen);
			}
		}
	}

	/**
	 * Return the request for the lock of a role.
	 * @throws LockException if the name of the role is not allowed
	 */
	static LockRequest request(String role) {
		return LockRequest.of("leader:" + role).withName(role).withReentrant(false);
	}

	private String role(String beanName) {
		String declared = Objects.requireNonNull(this.beanFactory.findAnnotationOnBean(beanName, LeaderRole.class))
			.value();
		try {
			String role = Objects.requireNonNullElse(this.beanFactory.resolveEmbeddedValue(declared), "").strip();
			Assert.isTrue(!role.contains("${"), "its placeholder has no value");
			request(role);
			return role;
		}
		catch (LockException | IllegalArgumentException ex) {
			throw new InvalidLockUsageException(
					"@LeaderRole(\"" + declared + "\") of bean '" + beanName + "' names no role: " + ex.getMessage()
							+ ".",
					"Give the role a name of letters, digits and dashes, such as @LeaderRole(\"indexer\"), and each "
							+ "placeholder a value.",
					ex);
		}
	}

	private Lifecycle bean(String beanName, String role) {
		String subject = "Bean '" + beanName + "' with @LeaderRole(\"" + role + "\") ";
		if (!this.beanFactory.isSingleton(beanName)) {
			throw new InvalidLockUsageException(subject + "is no singleton, so it is not one bean that can be started.",
					"Remove its scope.");
		}
		Object bean = this.beanFactory.getBean(beanName);
		if (!(bean instanceof Lifecycle lifecycle)) {
			throw new InvalidLockUsageException(
					subject + "is no Lifecycle, so it cannot be started and stopped: " + bean.getClass().getName()
							+ ".",
					"Let it implement org.springframework.context.Lifecycle, and do its work between start() and "
							+ "stop(). To ask whether this node leads, inject LeaderRoles instead.");
		}
		if (bean instanceof SmartLifecycle smart && smart.isAutoStartup()) {
			throw new InvalidLockUsageException(
					subject + "would be started by Spring on every node, since its isAutoStartup() returns true.",
					"Let isAutoStartup() return false, or implement Lifecycle instead of SmartLifecycle. For a "
							+ "container of another framework, set its autoStartup to false.");
		}
		if (RoleBeans.phase(lifecycle) == Integer.MAX_VALUE) {
			throw new InvalidLockUsageException(
					subject + "has the last phase, so Spring may stop it before its role is given up.",
					"Let getPhase() return a smaller number, for example 0.");
		}
		return lifecycle;
	}

}
