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

import java.util.List;

import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Virtual threads wait for a lock in a JVM that has one single carrier thread for all of
 * them. In this package, since only the tests of the newer lines of Spring Boot run on a
 * JDK that has virtual threads.
 */
@Tag("server")
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@Test
	void noWaiterKeepsTheCarrierThread() {
		try (JavaProcess process = JavaProcess.start(VirtualWaiters.class.getName(),
				List.of("jdk.virtualThreadScheduler.parallelism=1", "jdk.virtualThreadScheduler.maxPoolSize=1"),
				server.connectString())) {
			assertThat(process.awaitLine("WAITING")).isEqualTo("WAITING " + VirtualWaiters.NUMBER);
			assertThat(process.awaitLine("LOCKED")).isEqualTo("LOCKED " + VirtualWaiters.NUMBER);
		}
	}

	// Before Java 24, a virtual thread that meets a taken monitor keeps its carrier
	// thread.
	@Test
	@EnabledForJreRange(min = JRE.JAVA_24)
	void callerThatIsUnmountedStopsNoOtherRequest() {
		try (JavaProcess process = JavaProcess.start(UnmountedCallers.class.getName(),
				List.of("jdk.virtualThreadScheduler.parallelism=1", "jdk.virtualThreadScheduler.maxPoolSize=1"),
				server.connectString())) {
			for (String key : List.of("acquire", "release", "watch")) {
				assertThat(process.awaitLine(key + "-other")).endsWith(" locked");
				assertThat(process.awaitLine(key + "-same"))
					.endsWith(key.equals("acquire") ? " LockNotAcquiredException" : " locked");
			}
		}
	}

}
