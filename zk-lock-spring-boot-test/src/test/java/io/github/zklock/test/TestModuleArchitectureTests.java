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

package io.github.zklock.test;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.github.zklock.support.PromisedSignatures;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the module for the tests of applications may use.
 */
class TestModuleArchitectureTests {

	private static final String BASE = "io.github.zklock";

	private static final JavaClasses CLASSES = new ClassFileImporter().withImportOption(new DoNotIncludeTests())
		.importPackages(BASE + ".test");

	@Test
	void dependsOnlyOnWhatItMay() {
		assertThat(CLASSES.contain(BASE + ".test.LockTesting")).isTrue();
		ArchRuleDefinition.classes()
			.that()
			.resideInAPackage(BASE + ".test")
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify..", "org.slf4j..", BASE + ".test..", BASE + ".annotation..",
					BASE + ".core..", BASE + ".interceptor..", BASE + ".scheduling..", BASE + ".autoconfigure..",
					"com.tngtech.archunit..", "org.mockito..", "org.springframework.boot.autoconfigure..",
					"org.springframework.test..", "org.springframework.aop..", "org.springframework.beans..",
					"org.springframework.context..", "org.springframework.core..", "org.springframework.scheduling..",
					"org.springframework.util..")
			.check(CLASSES);
	}

	@Test
	void noPromisedSignatureNamesAnInternalType() {
		PromisedSignatures.rule().check(CLASSES);
	}

}
