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
import java.util.Map;
import java.util.function.Consumer;

import io.github.zklock.core.LockOperations;
import io.github.zklock.interceptor.LockNotAcquiredHandler;
import io.github.zklock.interceptor.operation.InvalidLockUsageException;
import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockSpecification;
import io.github.zklock.interceptor.operation.LockTarget;
import io.github.zklock.interceptor.source.LockNames;
import io.github.zklock.interceptor.source.LockSettings;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/**
 * The locks of an application taken together: what does not show in any one of them.
 */
final class LockedApplication {

	private final ListableBeanFactory beanFactory;

	private final Collection<LockOperation> operations;

	LockedApplication(ListableBeanFactory beanFactory, Collection<LockOperation> operations) {
		this.beanFactory = beanFactory;
		this.operations = operations;
	}

	void check(Consumer<InvalidLockUsageException> findings) {
		checkPermits(findings);
		checkOperations(findings);
		checkAmbiguity(LockOperations.class, findings);
		checkAmbiguity(LockNotAcquiredHandler.class, findings);
	}

	void warn() {
		LockNames names = new LockNames(this.operations);
		names.warnOfShared();
		this.beanFactory.getBeanProvider(LockSettings.class).ifAvailable(names::warnOfUnmatched);
	}

	// Those who ask for one key with different numbers are refused, whoever comes later.
	private void checkPermits(Consumer<InvalidLockUsageException> findings) {
		Map<String, LockSpecification> locks = new HashMap<>();
		Map<String, LockTarget> targets = new HashMap<>();
		for (LockOperation operation : this.operations) {
			LockTarget target = operation.target();
			for (LockSpecification lock : operation.locks()) {
				if (!lock.enabled() || !lock.key().isLiteral() || lock.permitsExpression() != null) {
					continue;
				}
				String key = lock.key().getText();
				String place = lock.client() + " " + key;
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
		if (this.operations.isEmpty() || beans(LockOperations.class).length > 0) {
			return;
		}
		LockOperation operation = this.operations.iterator().next();
		findings.accept(operation.target()
			.invalid("cannot be guarded, since there is no bean of type LockOperations",
					"Depend on zk-lock-spring-boot-starter, which brings the client for ZooKeeper, or define a LockProvider "
							+ "bean, from which LockOperations are made."));
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
