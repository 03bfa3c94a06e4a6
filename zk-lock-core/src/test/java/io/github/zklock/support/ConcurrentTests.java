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
import java.util.Collection;
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

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	private final List<DynamicTest> tests = new ArrayList<>();

	/**
	 * Start a test with each of some cases.
	 * @param <C> the type of a case
	 * @param name the name of the test
	 * @param cases the cases
	 * @param test the test
	 * @return this
	 */
	public <C> ConcurrentTests add(String name, Collection<C> cases, Test<C> test) {
		for (C each : cases) {
			FutureTask<Void> run = new FutureTask<>(() -> {
				test.run(each);
				return null;
			});
			this.threads.execute(run);
			this.tests.add(DynamicTest.dynamicTest(name + ": " + each, () -> join(run)));
		}
		return this;
	}

	/**
	 * Return the tests, each of which reports the result of its case.
	 * @return the tests
	 */
	public Stream<DynamicTest> stream() {
		this.threads.shutdown();
		return this.tests.stream();
	}

	private static void join(FutureTask<Void> run) throws Throwable {
		try {
			run.get(3, TimeUnit.MINUTES);
		}
		catch (ExecutionException ex) {
			throw ex.getCause();
		}
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
