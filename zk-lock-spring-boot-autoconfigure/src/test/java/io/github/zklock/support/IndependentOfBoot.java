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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.condition.DisabledIf;

import org.springframework.boot.SpringBootVersion;

/**
 * Tests of the engine that take long and in which nothing of Spring Boot runs: they run
 * with one line of it only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DisabledIf("io.github.zklock.support.IndependentOfBoot$Line#isNotTheFirst")
public @interface IndependentOfBoot {

	/**
	 * The line of Boot.
	 */
	final class Line {

		private Line() {
		}

		static boolean isNotTheFirst() {
			return !SpringBootVersion.getVersion().startsWith("3.");
		}

	}

}
