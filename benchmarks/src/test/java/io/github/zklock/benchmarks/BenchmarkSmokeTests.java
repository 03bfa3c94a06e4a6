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

package io.github.zklock.benchmarks;

import java.nio.file.Path;

import io.github.zklock.benchmarks.interceptor.InterceptorBenchmark;
import io.github.zklock.benchmarks.jmh.ServerProfiler;
import io.github.zklock.benchmarks.lock.LockBenchmark;
import io.github.zklock.benchmarks.server.Backend;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Every benchmark still runs. How fast is no matter here, but what a lock asks of the
 * server does not depend on the machine.
 */
@Timeout(180)
class BenchmarkSmokeTests {

	private static Backend.Running running;

	@BeforeAll
	static void startServer() throws Exception {
		running = Backend.NOSYNC.start();
	}

	@AfterAll
	static void stopServer() throws Exception {
		running.close();
	}

	@Test
	void interceptorBenchmarksRun() throws Exception {
		assertThat(new Runner(once(InterceptorBenchmark.class, "").param("proxy", "jdk").build()).run()).hasSize(5);
	}

	@Test
	void lockBenchmarksRun() throws Exception {
		assertThat(new Runner(locks("").threads(4).build()).run()).hasSize(9);
	}

	@Test
	void anUncontendedLockIsTwoWritesAndOneRead() throws Exception {
		// The first iteration holds the set-up as well, with the session's own requests.
		RunResult result = new Runner(locks(".uncontended").warmupIterations(1)
			.warmupTime(TimeValue.milliseconds(100))
			.measurementTime(TimeValue.milliseconds(500))
			.addProfiler(ServerProfiler.class)
			.build()).runSingle();
		// A heartbeat is a write as well, and a busy machine gets few locks in half a
		// second.
		assertThat(score(result, "reads")).isBetween(0.9, 1.5);
		assertThat(score(result, "writes")).isBetween(1.9, 2.4);
		assertThat(score(result, "events")).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { ".uncontended", ".coldLatency" })
	void aFreeLockIsOneRoundTripToAcquireAndOneToRelease(String method) throws Exception {
		try (Backend.Running distant = Backend.DISTANT.start()) {
			RunResult result = new Runner(locks(method, "ZK_LOCK", distant).warmupIterations(1)
				.warmupTime(TimeValue.milliseconds(100))
				.measurementTime(TimeValue.milliseconds(500))
				.addProfiler(ServerProfiler.class)
				.build()).runSingle();
			// A heartbeat is one as well.
			assertThat(score(result, "round trips")).isBetween(1.9, 2.4);
		}
	}

	@Test
	void unknownOptionsAreRefused() {
		assertThat(SuiteOptions.parse(new String[] { "--rounds=2" }))
			.isEqualTo(new SuiteOptions(2, Path.of("benchmarks/target/pages"), "", false));
		assertThatIllegalArgumentException().isThrownBy(() -> SuiteOptions.parse(new String[] { "--round=2" }))
			.withMessageContaining("--round");
	}

	private static double score(RunResult result, String name) {
		Result<?> secondary = result.getSecondaryResults().get(name);
		assertThat(secondary).as(name).isNotNull();
		return secondary.getScore();
	}

	private static ChainedOptionsBuilder locks(String method) {
		return locks(method, "ZK_LOCK", running);
	}

	private static ChainedOptionsBuilder locks(String method, String peer, Backend.Running backend) {
		return once(LockBenchmark.class, method).param("peer", peer)
			.param("client", backend.client())
			.param("servers", backend.servers());
	}

	private static ChainedOptionsBuilder once(Class<?> benchmark, String method) {
		return new OptionsBuilder().include("^" + benchmark.getName().replace(".", "\\.") + method)
			.forks(0)
			.warmupIterations(0)
			.measurementIterations(1)
			.measurementTime(TimeValue.milliseconds(50))
			.shouldFailOnError(true)
			.verbosity(VerboseMode.SILENT);
	}

}
