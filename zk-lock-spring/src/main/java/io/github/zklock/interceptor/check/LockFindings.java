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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.zklock.annotation.LockValidation;
import io.github.zklock.core.InvalidLockUsageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a start-up check has found, each mistake once. What is wrong with a class is found
 * for each of its beans.
 *
 * @since 0.1.0
 */
public final class LockFindings implements Consumer<InvalidLockUsageException> {

	private static final Logger logger = LoggerFactory.getLogger(LockFindings.class);

	private final LockValidation validation;

	private final Map<String, InvalidLockUsageException> findings = new LinkedHashMap<>();

	/**
	 * Create an empty list.
	 * @param validation whether {@link #report()} fails or only warns
	 */
	public LockFindings(LockValidation validation) {
		this.validation = validation;
	}

	@Override
	public void accept(InvalidLockUsageException finding) {
		this.findings.putIfAbsent(finding.getDescription(), finding);
	}

	/**
	 * Log what was found, or refuse it.
	 * @throws InvalidLockUsageException if there is a mistake that has to stop the
	 * application
	 */
	public void report() {
		Collection<InvalidLockUsageException> all = this.findings.values();
		if (this.validation != LockValidation.FAIL) {
			all.forEach((finding) -> logger.warn("{} {}", finding.getDescription(), finding.getAction()));
		}
		else if (all.size() == 1) {
			throw all.iterator().next();
		}
		else if (!all.isEmpty()) {
			throw new InvalidLockUsageException(
					all.size() + " uses of @DistributedLock cannot work:"
							+ list(all, InvalidLockUsageException::getDescription),
					"Correct each of them:" + list(all, InvalidLockUsageException::getAction));
		}
	}

	private static String list(Collection<InvalidLockUsageException> findings,
			Function<InvalidLockUsageException, String> text) {
		int[] number = { 0 };
		return findings.stream()
			.map((finding) -> System.lineSeparator() + "  " + ++number[0] + ". " + text.apply(finding))
			.collect(Collectors.joining());
	}

}
