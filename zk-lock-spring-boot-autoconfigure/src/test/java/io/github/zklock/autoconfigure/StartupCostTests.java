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

package io.github.zklock.autoconfigure;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the starter costs at the start of a small application, beside the same application
 * with a bare client of Curator, and with that and a bean that another library has
 * advised: each in JVMs of its own, in turn. Only the number of beans is judged;
 * {@code -Druns=10} measures it.
 */
@Tag("server")
class StartupCostTests {

	// What the starter and Spring Boot's own one bring.
	private static final Pattern STARTER = Pattern.compile("(spring-boot|spring-boot-autoconfigure"
			+ "|spring-(core|jcl|beans|context|aop|expression)|commons-logging|micrometer-(commons|observation)"
			+ "|curator-(client|framework|recipes)|zookeeper|zookeeper-jute|netty-[a-z-]+|jspecify|snakeyaml"
			+ "|jakarta.annotation-api|slf4j-api|jul-to-slf4j|log4j-[a-z0-9-]+|logback-[a-z]+)-\\d.*\\.jar");

	// Directories while Maven only tests, jars when it has packaged them.
	private static final Pattern TESTS = Pattern
		.compile(".*/(test-classes|[^/]*-tests\\.jar|test-fixtures[^/]*\\.jar|test-fixtures/target/classes)");

	private static final Pattern LOCKS = Pattern.compile(".*/zk-lock-[^/]*(/target/classes|(?<!-tests)\\.jar)");

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	// The second compiler belongs to the time, not to the classes and beans.
	private static final boolean MEASURED = System.getProperty("runs") != null;

	@Test
	void applicationsStartWithAndWithoutTheStarter() throws Exception {
		List<Class<?>> applications = new ArrayList<>(List.of(StartupApplication.WithCurator.class,
				StartupApplication.WithAdvice.class, StartupApplication.WithZkLock.class));
		Map<Class<?>, List<Cost>> costs = new HashMap<>();
		for (int run = 0; run < Integer.getInteger("runs", 1); run++) {
			for (Class<?> application : applications) {
				costs.computeIfAbsent(application, (key) -> new ArrayList<>()).add(start(application));
			}
			// None comes always after the same.
			Collections.rotate(applications, 1);
		}
		costs.forEach((application, started) -> print(application.getSimpleName(), started));
		List<Cost> bare = costs.get(StartupApplication.WithCurator.class);
		List<Cost> locks = costs.get(StartupApplication.WithZkLock.class);
		List<Cost> advised = costs.get(StartupApplication.WithAdvice.class);
		System.out.printf(Locale.ROOT,
				"the starter adds %.0f beans, %.0f classes, and %.0f classes beyond the advised bean%n",
				median(locks, Cost::beans) - median(bare, Cost::beans),
				median(locks, Cost::classes) - median(bare, Cost::classes),
				median(locks, Cost::classes) - median(advised, Cost::classes));
		// Roles have four of them, since an application may ask who leads without a role
		// of
		// its own.
		assertThat(median(locks, Cost::beans) - median(bare, Cost::beans)).as("added beans").isBetween(1.0, 29.0);
	}

	private static Cost start(Class<?> application) {
		try (JavaProcess process = JavaProcess.of(StartupApplication.class.getName())
			.classPath(classPath(application == StartupApplication.WithZkLock.class))
			.options("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=" + (MEASURED ? 4 : 1))
			.start(application.getName(), "--zk-lock.connect-string=" + server.connectString())) {
			String[] started = process.takeLine("started ").split(" ");
			assertThat(process.awaitEnd()).as(() -> process.output().toString()).isZero();
			return new Cost(Double.parseDouble(started[0]), Double.parseDouble(started[1]),
					Integer.parseInt(started[2]), Integer.parseInt(started[3]));
		}
	}

	static String classPath(boolean locks) {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> STARTER.matcher(Path.of(entry).getFileName().toString()).matches()
					|| TESTS.matcher(entry).matches() || locks && LOCKS.matcher(entry).matches())
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static void print(String what, List<Cost> costs) {
		System.out.printf(Locale.ROOT,
				"%s: %.0f ms (%.0f to %.0f), %.0f ms of the processor by the main thread, %.0f beans, %.0f classes%n",
				what, median(costs, Cost::millis), costs.stream().mapToDouble(Cost::millis).min().orElseThrow(),
				costs.stream().mapToDouble(Cost::millis).max().orElseThrow(), median(costs, Cost::cpuMillis),
				median(costs, Cost::beans), median(costs, Cost::classes));
	}

	private static double median(List<Cost> costs, ToDoubleFunction<Cost> value) {
		double[] sorted = costs.stream().mapToDouble(value).sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

	private record Cost(double millis, double cpuMillis, int beans, int classes) {
	}

}
