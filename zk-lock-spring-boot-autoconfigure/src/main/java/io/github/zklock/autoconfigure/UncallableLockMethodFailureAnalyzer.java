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

package io.github.zklock.autoconfigure;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.core.LockRequest;
import io.github.zklock.interceptor.check.LockUsageValidator;
import io.github.zklock.interceptor.check.LockValidation;
import io.github.zklock.interceptor.operation.InvalidLockUsageException;
import io.github.zklock.interceptor.source.AnnotationLockOperationSource;
import io.github.zklock.interceptor.source.LockSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Analyzes a guarded method that Spring itself is to call and cannot, like a private
 * {@code @Scheduled} method: that fails before our own check, with a message that does
 * not say what asks for a proxy.
 */
class UncallableLockMethodFailureAnalyzer extends AbstractFailureAnalyzer<BeanCreationException> {

	private static final Pattern UNCALLABLE = Pattern.compile("Need to invoke method '([^']+)'");

	private final @Nullable ConfigurableListableBeanFactory beanFactory;

	UncallableLockMethodFailureAnalyzer(@Nullable BeanFactory beanFactory) {
		this.beanFactory = (beanFactory instanceof ConfigurableListableBeanFactory configurable) ? configurable : null;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BeanCreationException cause) {
		String beanName = null;
		for (Throwable each = cause; each != null; each = each.getCause()) {
			if (each instanceof BeanCreationException creation) {
				beanName = creation.getBeanName();
			}
			Matcher matcher = UNCALLABLE.matcher(String.valueOf(each.getMessage()));
			if (each instanceof IllegalStateException && beanName != null && matcher.find()) {
				return analyze(beanName, matcher.group(1), cause);
			}
		}
		return null;
	}

	private @Nullable FailureAnalysis analyze(String beanName, String methodName, Throwable cause) {
		if (this.beanFactory == null || !this.beanFactory.containsBeanDefinition(beanName)) {
			return null;
		}
		AnnotationLockOperationSource source = new AnnotationLockOperationSource(NoLockSettings::new,
				() -> this.beanFactory::resolveEmbeddedValue, this.beanFactory);
		return new LockUsageValidator(this.beanFactory, source, LockValidation.FAIL).check(beanName)
			.stream()
			.filter((finding) -> isAbout(finding, methodName))
			.findFirst()
			.map((finding) -> new FailureAnalysis(finding.getDescription(), finding.getAction(), cause))
			.orElse(null);
	}

	private static boolean isAbout(InvalidLockUsageException finding, String methodName) {
		return finding.getDescription().contains("." + methodName + "(");
	}

	/**
	 * What the configuration says does not matter here.
	 */
	private static final class NoLockSettings implements LockSettings {

		@Override
		public Duration defaultWait() {
			return LockRequest.DEFAULT_WAIT;
		}

		@Override
		public @Nullable Duration wait(String name) {
			return null;
		}

		@Override
		public boolean isEnabled(String name) {
			return true;
		}

	}

}
