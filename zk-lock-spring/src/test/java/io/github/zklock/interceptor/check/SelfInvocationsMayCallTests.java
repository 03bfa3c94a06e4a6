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

package io.github.zklock.interceptor.check;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SelfInvocations#mayCall}. That it lets no call pass is what the other
 * tests show.
 */
class SelfInvocationsMayCallTests {

	private static final Set<String> NAMES = Set.of("locked", "wide");

	@ParameterizedTest
	@ValueSource(classes = { Guarded.class, Plain.class, Implementation.class, String.class })
	void aClassThatNamesNoneOfTheMethodsCallsNone(Class<?> type) {
		assertThat(SelfInvocations.mayCall(type, NAMES)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(classes = { SelfInvocationBeans.Unqualified.class, SelfInvocationBeans.Lambda.class,
			SelfInvocationBeans.Reference.class, SelfInvocationBeans.Anonymous.class, BelowCaller.class,
			OfCallingInterface.class })
	void aClassThatNamesOneMayCallIt(Class<?> type) {
		assertThat(SelfInvocations.mayCall(type, NAMES)).isTrue();
	}

	@Test
	void aClassWithAnotherInsideMayCallByWayOfThat() {
		assertThat(SelfInvocations.mayCall(SelfInvocationsMayCallTests.class, NAMES)).isTrue();
	}

	@Test
	void aClassWithoutAFileIsThatOfNoCall() {
		Object hidden = (Supplier<String>) this::toString;
		assertThat(SelfInvocations.mayCall(hidden.getClass(), NAMES)).isFalse();
	}

	static class Guarded {

		void locked() {
		}

		long wide(long value) {
			return value;
		}

		void other() {
			List.of("locked").forEach((text) -> text.concat("wide"));
			run();
		}

		void run() {
		}

	}

	static class Plain {

	}

	interface Contract {

		void locked();

	}

	static class Implementation implements Contract {

		@Override
		public void locked() {
		}

	}

	static class BelowCaller extends SelfInvocationBeans.Unqualified {

	}

	interface CallingContract extends Contract {

		default void run() {
			locked();
		}

	}

	static class OfCallingInterface extends Implementation implements CallingContract {

	}

}
