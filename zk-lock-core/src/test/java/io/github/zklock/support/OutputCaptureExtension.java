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

package io.github.zklock.support;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Captures what each test prints, for its parameter {@link CapturedOutput}. Spring Boot
 * has an extension of the same name, which tests without Spring cannot use.
 */
public final class OutputCaptureExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

	@Override
	public void beforeEach(ExtensionContext context) {
		store(context).put(CapturedOutput.class, new CapturedOutput());
	}

	@Override
	public void afterEach(ExtensionContext context) {
		output(context).end();
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == CapturedOutput.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return output(context);
	}

	private static CapturedOutput output(ExtensionContext context) {
		return store(context).get(CapturedOutput.class, CapturedOutput.class);
	}

	private static Store store(ExtensionContext context) {
		return context.getStore(Namespace.create(OutputCaptureExtension.class, context.getRequiredTestMethod()));
	}

}
