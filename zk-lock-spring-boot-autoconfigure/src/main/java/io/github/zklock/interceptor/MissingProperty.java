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

package io.github.zklock.interceptor;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * Finds properties that an argument cannot have, before the first call. Only a final
 * class tells: a subclass of another may have more.
 */
final class MissingProperty {

	private MissingProperty() {
	}

	/**
	 * Return what is missing on the way.
	 * @param argument the type of the argument
	 * @param properties the properties, from the argument on
	 * @return text like {@code "Order has no property 'idd'"}, or {@code null} if nothing
	 * is known to be missing
	 */
	static @Nullable String find(ResolvableType argument, List<String> properties) {
		ResolvableType type = argument;
		for (String property : properties) {
			Class<?> owner = type.resolve();
			if (owner == null || !isDecidable(owner)) {
				return null;
			}
			ResolvableType next = read(type, owner, property);
			if (next == null) {
				return owner.getSimpleName() + " has no property '" + property + "'";
			}
			type = next;
		}
		return null;
	}

	private static boolean isDecidable(Class<?> type) {
		return Modifier.isFinal(type.getModifiers()) && !type.isArray() && !type.isPrimitive() && type != Class.class;
	}

	private static @Nullable ResolvableType read(ResolvableType type, Class<?> owner, String property) {
		String name = property.toLowerCase(Locale.ROOT);
		Set<String> accessors = Set.of(name, "get" + name, "is" + name);
		for (Method method : owner.getMethods()) {
			if (method.getParameterCount() == 0 && accessors.contains(method.getName().toLowerCase(Locale.ROOT))) {
				return ResolvableType.forType(method.getGenericReturnType(), type);
			}
		}
		return Arrays.stream(owner.getFields())
			.filter((field) -> field.getName().equalsIgnoreCase(property))
			.map(Field::getGenericType)
			.map((field) -> ResolvableType.forType(field, type))
			.findFirst()
			.orElse(null);
	}

}
