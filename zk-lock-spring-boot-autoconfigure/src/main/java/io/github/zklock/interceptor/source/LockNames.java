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

package io.github.zklock.interceptor.source;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.zklock.interceptor.operation.LockOperation;
import io.github.zklock.interceptor.operation.LockTarget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * The names of all locks of an application, which metrics and properties go by.
 *
 * @since 0.1.0
 */
public final class LockNames {

	private static final Logger logger = LoggerFactory.getLogger(LockNames.class);

	private final Map<String, Set<Class<?>>> classes = new TreeMap<>();

	public LockNames(Collection<LockOperation> operations) {
		for (LockOperation operation : operations) {
			operation.locks()
				.forEach((lock) -> this.classes
					.computeIfAbsent(lock.name(), (name) -> new TreeSet<>(Comparator.comparing(Class::getName)))
					.add(operation.targetClass()));
		}
	}

	static String byDefault(LockTarget target) {
		String simpleName = target.targetClass().getSimpleName();
		return (simpleName.isEmpty() ? ClassUtils.getShortName(target.targetClass()) : simpleName) + "."
				+ target.method().getName();
	}

	/**
	 * Warn of properties for locks that do not exist.
	 */
	public void warnOfUnmatched(LockSettings settings) {
		for (String property : settings.unmatched(this.classes.keySet())) {
			logger.warn("The property {} has no effect: {}", property,
					this.classes.isEmpty() ? "there is no @DistributedLock method" : "the names of the locks are "
							+ this.classes.keySet()
							+ ", and what can be set for each is cache, client, enabled, once-per-tick and wait");
		}
	}

	/**
	 * Warn of a default name that several classes have. A name that is given by hand is
	 * shared on purpose.
	 */
	public void warnOfShared() {
		this.classes.forEach((name, types) -> {
			if (types.size() > 1 && types.stream().allMatch((type) -> name.startsWith(type.getSimpleName() + "."))) {
				logger.warn(
						"The locks of {} have the same name '{}' by default, and so share metrics and the properties "
								+ "zk-lock.locks.{}.*; give one of them a name of its own",
						types.stream().map(Class::getName).collect(Collectors.joining(" and ")), name, name);
			}
		});
	}

}
