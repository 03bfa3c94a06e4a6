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

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Something that two threads do, and what has to be true afterwards, in whatever order
 * their accesses to shared memory come. Lincheck lets each of them stand still between
 * any two of these, and prints the order that breaks what has to be true.
 */
public abstract class Interleaving {

	private static final int ORDERS = 40;

	// Lincheck sees a deadlock by the states of its threads. After 10 s, which a busy
	// machine may need to load classes, it would stop a thread in the middle of that.
	private static final Duration TIMEOUT = Duration.ofMinutes(10);

	/**
	 * Check it in many orders, always the same.
	 * @param quiet classes that have nothing to do with it and would only take time
	 */
	public static void check(Class<? extends Interleaving> interleaving, Class<?>... quiet) throws Exception {
		new ModelCheckingOptions().iterations(0)
			.invocationTimeout$lincheck(TIMEOUT.toMillis())
			.addCustomScenario(new ExecutionScenario(List.of(call(interleaving, "begin")),
					List.of(List.of(call(interleaving, "one")), List.of(call(interleaving, "other"))), List.of(),
					call(interleaving, "validate")))
			.minimizeFailedScenario(false)
			.invocationsPerIteration(interleaving.getConstructor().newInstance().orders())
			.addGuarantee(ManagedStrategyGuaranteeKt
				.forClasses(Arrays.stream(quiet).map(Class::getName).toArray(String[]::new))
				.allMethods()
				.ignore())
			.addGuarantee(ManagedStrategyGuaranteeKt.forClasses(Interleaving::isCollection)
				.methods("add", "remove", "contains", "isEmpty", "size", "get", "put", "poll", "peek", "offer")
				.treatAsAtomic())
			.check(interleaving);
	}

	// Not in the constructor, in which identity hash codes are not those of later.
	public abstract void begin();

	public abstract void one();

	public abstract void other();

	public abstract void end();

	/**
	 * Return in how many orders to check it.
	 */
	public int orders() {
		return ORDERS;
	}

	@Validate
	public final void validate() {
		end();
	}

	// AssertJ would be part of what is explored.
	public static void require(boolean truth, String what) {
		if (!truth) {
			throw new IllegalStateException("Not true: " + what);
		}
	}

	// Others have checked these. What calls back is not one step.
	private static boolean isCollection(String type) {
		return type.startsWith("java.util.concurrent.Concurrent") || type.matches("java[.]util[.][A-Z].*");
	}

	private static Actor call(Class<?> type, String method) throws NoSuchMethodException {
		return new Actor(type.getMethod(method), List.of());
	}

}
