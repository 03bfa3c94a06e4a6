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

package io.github.zklock.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * A set-up that has found a fault of the engine, as it was drawn or shrunk then. It plays
 * the same when {@link Setup#draw(long)} draws differently.
 *
 * @param fault what the fault was
 * @param setup the set-up
 */
record KeptSetUp(String fault, Setup setup) {

	private static final ObjectMapper JSON = new ObjectMapper().setVisibility(PropertyAccessor.ALL, Visibility.NONE)
		.setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
		.setVisibility(PropertyAccessor.CREATOR, Visibility.ANY);

	/**
	 * Return all of {@code kept-setups.json}.
	 */
	static List<KeptSetUp> all() {
		try (InputStream file = KeptSetUp.class.getResourceAsStream("/kept-setups.json")) {
			return List.of(JSON.readValue(file, KeptSetUp[].class));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return a set-up as that file has it.
	 */
	static String json(Setup setup) {
		try {
			return JSON.writeValueAsString(setup);
		}
		catch (JsonProcessingException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String toString() {
		return this.setup.seed() + ": " + this.fault;
	}

}
