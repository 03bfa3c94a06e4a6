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

package io.github.zklock.interceptor.expression;

import java.time.temporal.TemporalAccessor;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;

/**
 * The conversions of the application, except that dates and numbers become text in the
 * same way everywhere: a formatter would follow the locale of the request, and two
 * requests that mean the same key would not exclude each other.
 */
final class LockKeyTypeConverter implements TypeConverter {

	private static final TypeDescriptor STRING = TypeDescriptor.valueOf(String.class);

	private final TypeConverter delegate;

	LockKeyTypeConverter(ConversionService conversionService) {
		this.delegate = new StandardTypeConverter(conversionService);
	}

	@Override
	public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
		return this.delegate.canConvert(sourceType, targetType);
	}

	@Override
	public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor sourceType,
			TypeDescriptor targetType) {
		if (targetType.getType() == String.class && isNeutral(value)) {
			return String.valueOf(value);
		}
		return this.delegate.convertValue(value, sourceType, targetType);
	}

	// Null if there is no text for such a value, or an empty one.
	@Nullable String toText(Object value) {
		if (isNeutral(value)) {
			return value.toString();
		}
		TypeDescriptor sourceType = TypeDescriptor.forObject(value);
		String text = this.delegate.canConvert(sourceType, STRING)
				? (String) this.delegate.convertValue(value, sourceType, STRING) : null;
		return isInherited(text, value) ? null : text;
	}

	// The fallback of the conversion service is toString(), also where a class has none
	// of
	// its own: such a text is another one for each object and on each node.
	private static boolean isInherited(@Nullable String text, Object value) {
		return (value.getClass().getName() + "@" + Integer.toHexString(value.hashCode())).equals(text);
	}

	private static boolean isNeutral(@Nullable Object value) {
		return value instanceof CharSequence || value instanceof Number || value instanceof Boolean
				|| value instanceof Character || value instanceof UUID || value instanceof TemporalAccessor;
	}

}
