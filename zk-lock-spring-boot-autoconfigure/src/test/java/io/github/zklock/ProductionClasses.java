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

package io.github.zklock;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;

/**
 * The classes of all modules that are published, but for the module for tests of Spring
 * Boot, which stands above.
 */
final class ProductionClasses {

	static final JavaClasses ALL = new ClassFileImporter().withImportOption(new DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("-tests.jar") && !location.contains("/test-fixtures"))
		.importPackages("io.github.zklock");

	private ProductionClasses() {
	}

}
