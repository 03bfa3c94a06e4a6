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

package io.github.zklock.core.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Handles exceptions of futures and bodies.
 *
 * @since 0.1.0
 */
public final class Failures {

	static final String NOT_RELEASED = "{} was not released: its provider must not throw, but did";

	private Failures() {
	}

	/**
	 * Return what made a future fail.
	 * @param failure the failure, as the future reports it
	 * @return the failure of the work
	 */
	public static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Run code whose failure must not stop its caller: code of the application, or of a
	 * provider.
	 * @param code the code
	 * @return what it threw, or {@code null}
	 */
	public static @Nullable Throwable thrownBy(Code code) {
		try {
			code.run();
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	/**
	 * Begin work that ends later, and therefore fails later.
	 * @param <T> the type of the result
	 * @param source returns the stage of the work
	 * @return the stage, which has failed if the source throws
	 */
	public static <T extends @Nullable Object> CompletionStage<T> stageOf(Source<? extends CompletionStage<T>> source) {
		try {
			return source.get();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Code that may throw anything.
	 */
	@FunctionalInterface
	public interface Code {

		/**
		 * Run it.
		 * @throws Throwable anything
		 */
		void run() throws Throwable;

	}

	/**
	 * Code that returns a result or throws anything.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	public interface Source<T extends @Nullable Object> {

		/**
		 * Run it.
		 * @return the result
		 * @throws Throwable anything
		 */
		T get() throws Throwable;

	}

}
