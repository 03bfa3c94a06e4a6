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

import java.io.PrintWriter;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs one test method with the classes of this JVM, which may be those of a mutant. It
 * prints how many of its tests have failed.
 */
public final class SingleTestMain {

	private SingleTestMain() {
	}

	public static void main(String[] args) {
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
			.selectors(DiscoverySelectors.selectClass(args[0]))
			.filters((PostDiscoveryFilter) (test) -> FilterResult.includedIf(isMethod(test, args[1])))
			.build();
		LauncherFactory.create().execute(request, listener);
		TestExecutionSummary summary = listener.getSummary();
		summary.printFailuresTo(new PrintWriter(System.out));
		System.out.println("tests failed: " + summary.getTestsFailedCount() + " of " + summary.getTestsStartedCount());
		System.exit(0);
	}

	private static boolean isMethod(TestDescriptor descriptor, String name) {
		return descriptor.getSource()
			.filter(MethodSource.class::isInstance)
			.map(MethodSource.class::cast)
			.filter((source) -> source.getMethodName().equals(name))
			.isPresent();
	}

}
