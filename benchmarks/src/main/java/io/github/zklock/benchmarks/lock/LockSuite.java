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

package io.github.zklock.benchmarks.lock;

import java.util.List;

import io.github.zklock.benchmarks.Suite;
import io.github.zklock.benchmarks.SuiteOptions;
import io.github.zklock.benchmarks.report.Environment;
import io.github.zklock.benchmarks.report.Samples;

/**
 * Our locks and the locks of other libraries, on real servers.
 *
 * @since 0.1.0
 */
public final class LockSuite implements Suite {

	/**
	 * Create the suite.
	 */
	public LockSuite() {
	}

	@Override
	public String name() {
		return "locks";
	}

	@Override
	public void run(SuiteOptions options) throws Exception {
		Environment environment = new Environment();
		Samples samples = new Samples();
		LockPage page = new LockPage(samples, options);
		List<Run> plan = LockRun.plan(options.all());
		new Rounds(plan, options, environment).measure(samples, (rounds) -> page.write(environment, rounds));
	}

}
