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

package io.github.zklock.sample.node;

import java.math.BigDecimal;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Checks of what came in by HTTP, answered with status 400.
 */
final class Checked {

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]{1,40}");

	private static final BigDecimal MOST_MONEY = new BigDecimal("1000000");

	private Checked() {
	}

	static String name(String parameter, @Nullable String value) {
		if (value == null || !NAME.matcher(value).matches()) {
			throw refused(parameter + " must have 1 to 40 letters, digits or dashes");
		}
		return value;
	}

	static BigDecimal money(String parameter, @Nullable BigDecimal value) {
		if (value == null || value.signum() <= 0 || value.scale() > 2 || value.compareTo(MOST_MONEY) > 0) {
			throw refused(parameter + " must be a positive amount up to " + MOST_MONEY + " with at most two decimals");
		}
		return value;
	}

	static int between(String parameter, int value, int least, int most) {
		if (value < least || value > most) {
			throw refused(parameter + " must be between " + least + " and " + most);
		}
		return value;
	}

	static ResponseStatusException refused(String detail) {
		return new ResponseStatusException(HttpStatus.BAD_REQUEST, detail);
	}

}
