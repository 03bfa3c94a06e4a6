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

package io.github.zklock.interceptor.check;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

import io.github.zklock.core.InvalidLockUsageException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.core.spi.LockSettings;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/**
 * Checks the locks of an application together, for faults that no single lock shows.
 */
final class LockedApplication {

	private static final Logger logger = LoggerFactory.getLogger(LockedApplication.class);

	private final ListableBeanFactory beanFactory;

	private final Collection<LockOperation> operations;

	LockedApplication(ListableBeanFactory beanFactory, Collection<LockOperation> operations) {
		this.beanFactory = beanFactory;
		this.operations = operations;
	}

	void check(Consumer<InvalidLockUsageException> findings) {
		checkPermits(findings);
		checkOperations(findings);
		this.operations.forEach((operation) -> checkProvider(operation, findings));
		checkAmbiguity(LockOperations.class, findings);
	}

	/**
	 * Warn of names that several methods share, and of properties for names of no lock.
	 */
	void warn() {
		Set<String> names = new TreeSet<>();
		Map<String, Set<String>> byDefault = new TreeMap<>();
		for (LockOperation operation : this.operations) {
			for (LockSpecification lock : operation.locks()) {
				names.add(lock.name());
				// A name that is set explicitly is shared on purpose. Jobs may not share
				// it.
				if (lock.name().equals(operation.target().defaultName())) {
					byDefault.computeIfAbsent(lock.name(), (name) -> new TreeSet<>())
						.add(operation.targetClass().getName() + "." + operation.method().getName());
				}
			}
		}
		byDefault.forEach(LockedApplication::warnOfShared);
		this.beanFactory.getBeanProvider(LockSettings.class)
			.ifAvailable(
					(settings) -> settings.unmatched(names).forEach((property) -> warnOfUnmatched(property, names)));
	}

	private static void warnOfShared(String name, Set<String> methods) {
		if (methods.size() > 1) {
			logger.warn(
					"The locks of {} have the same name '{}' by default, and so share metrics and the properties "
							+ "zk-lock.locks.{}.*; give one of them a name of its own",
					String.join(" and ", methods), name, name);
		}
	}

	private static void warnOfUnmatched(String property, Set<String> names) {
		logger.warn(
				"The property {} has no effect on a method, and on requests in code with that name only if it is "
						+ "wait, unguarded or cache: {}",
				property,
				names.isEmpty() ? "there is no @DistributedLock method" : "the names of the locks are " + names
						+ ", and what can be set for each is cache, max-attempts, once-per-tick, recover-within, "
						+ "shards-per-node, unguarded and wait");
	}

	// Of methods that request one key with different numbers, the later one is refused.
	private void checkPermits(Consumer<InvalidLockUsageException> findings) {
		Map<String, LockSpecification> locks = new HashMap<>();
		Map<String, LockTarget> targets = new HashMap<>();
		for (LockOperation operation : this.operations) {
			LockTarget target = operation.target();
			for (LockSpecification lock : operation.locks()) {
				if (lock.unguarded() || !lock.key().isLiteral() || lock.permitsExpression() != null) {
					continue;
				}
				String key = lock.key().text();
				String place = lock.provider() + " " + key;
				LockSpecification other = locks.putIfAbsent(place, lock);
				LockTarget otherTarget = targets.putIfAbsent(place, target);
				if (other != null && other.permits() != lock.permits()) {
					findings.accept(target.invalid(
							"asks for the key '" + key + "' in mode " + lock.mode() + " with permits = "
									+ lock.permits() + ", but " + otherTarget + " in mode " + other.mode()
									+ " with permits = " + other.permits() + ", and one key has one number of permits",
							"Use the same number in both, or different keys."));
				}
			}
		}
	}

	private void checkOperations(Consumer<InvalidLockUsageException> findings) {
		if (beans(LockOperations.class).length > 0) {
			return;
		}
		this.operations.stream()
			.filter((operation) -> operation.provider().isEmpty())
			.findFirst()
			.ifPresent((operation) -> findings.accept(operation.target()
				.invalid("cannot be guarded, since there is no bean of type LockOperations",
						"Depend on zk-lock-spring-boot-starter, which brings the client for ZooKeeper, or define a LockProvider "
								+ "bean, from which LockOperations are made.")));
	}

	private void checkProvider(LockOperation operation, Consumer<InvalidLockUsageException> findings) {
		String name = operation.provider();
		if (name.isEmpty()
				|| this.beanFactory.containsBean(name) && this.beanFactory.isTypeMatch(name, LockProvider.class)) {
			return;
		}
		Class<?> type = this.beanFactory.containsBean(name) ? this.beanFactory.getType(name) : null;
		findings.accept(operation.target()
			.invalid(
					"has provider = " + name + ", but "
							+ ((type != null) ? "the bean of that name is a " + type.getName()
									: "there is no bean of that name")
							+ ": the LockProvider beans are " + List.of(beans(LockProvider.class)),
					"Name one of them, or declare a LockProvider bean with the name '" + name + "'."));
	}

	private void checkAmbiguity(Class<?> type, Consumer<InvalidLockUsageException> findings) {
		if (beans(type).length < 2) {
			return;
		}
		try {
			this.beanFactory.getBeanProvider(type).getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			findings.accept(new InvalidLockUsageException(
					"There are several beans of type " + type.getSimpleName() + ", of which only one can be asked: "
							+ ex.getBeanNamesFound() + ".",
					"Mark one of them with @Primary, or make one of them out of all."));
		}
	}

	private String[] beans(Class<?> type) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, type, true, false);
	}

}
