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

package io.github.zklock.interceptor.operation;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A guarded method with the settings that hold for it, for tools and people.
 *
 * @param method the class and the method, with the types of its parameters
 * @param problem why its lock cannot work, {@code null} if it can
 * @param settings what holds for a call as a whole, for each name of an attribute
 * @param locks what holds for each of its locks, for each name of an attribute
 * @since 0.1.0
 */
public record GuardedMethod(String method, @Nullable String problem, Map<String, Setting> settings,
		List<Map<String, Setting>> locks) {

	/**
	 * A setting.
	 *
	 * @param value its value, with placeholders resolved; of expressions the text
	 * @param source where it comes from: {@code annotation}, {@code default},
	 * {@code @Scheduled} for what is otherwise with scheduled methods, or the name of a
	 * property
	 */
	public record Setting(String value, String source) {

	}

}
