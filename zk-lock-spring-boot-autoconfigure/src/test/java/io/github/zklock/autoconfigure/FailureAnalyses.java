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

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Analyzes a failure as an application does that does not start: with all registered
 * analyzers.
 */
final class FailureAnalyses {

	private FailureAnalyses() {
	}

	static FailureAnalysis of(@Nullable Throwable failure) {
		return of(failure, null);
	}

	static FailureAnalysis of(@Nullable Throwable failure, @Nullable BeanFactory beanFactory) {
		assertThat(failure).isNotNull();
		List<FailureAnalyzer> analyzers = SpringFactoriesLoader
			.forDefaultResourceLocation(FailureAnalyses.class.getClassLoader())
			.load(FailureAnalyzer.class, ArgumentResolver.of(BeanFactory.class, beanFactory),
					SpringFactoriesLoader.FailureHandler.handleMessage((message, cause) -> message.get()));
		return analyzers.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError("No analysis", failure));
	}

}
