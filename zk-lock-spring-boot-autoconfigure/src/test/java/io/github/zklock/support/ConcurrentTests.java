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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;

/**
 * Runs the cases of a test beside each other and reports each by itself. For cases that
 * mostly wait, like those with a client that takes a second to connect again.
 */
public final class ConcurrentTests {

	private static final int THREADS = 16;

	private ConcurrentTests() {
	}

	/**
	 * Start all cases.
	 * @param <C> the type of a case
	 * @param cases the cases, whose text is the name of the test
	 * @param test the test
	 * @return the tests, each of which reports the result of its case
	 */
	public static <C> Stream<DynamicTest> of(Stream<C> cases, Test<C> test) {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		List<DynamicTest> tests = new ArrayList<>();
		cases.forEach((each) -> {
			FutureTask<Void> run = new FutureTask<>(() -> {
				test.run(each);
				return null;
			});
			threads.execute(run);
			tests.add(DynamicTest.dynamicTest(each.toString(), () -> {
				try {
					run.get(1, TimeUnit.MINUTES);
				}
				catch (ExecutionException ex) {
					throw ex.getCause();
				}
			}));
		});
		threads.shutdown();
		return tests.stream();
	}

	/**
	 * A test of one case.
	 *
	 * @param <C> the type of a case
	 */
	@FunctionalInterface
	public interface Test<C> {

		/**
		 * Run the test.
		 * @param each the case
		 * @throws Exception if it fails
		 */
		void run(C each) throws Exception;

	}

}
