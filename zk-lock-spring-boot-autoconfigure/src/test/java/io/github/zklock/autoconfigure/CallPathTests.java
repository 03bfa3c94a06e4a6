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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many classes of the library an uncontended call needs that the start of the
 * application did not: those that are loaded while the first call of a guarded method
 * runs, which also creates the directory of the key and the node of the lease. What the
 * compiler makes, lambdas and tables of switches, does not count. The number is printed
 * and not judged.
 */
@Tag("server")
class CallPathTests {

	private static final Pattern LOADED = Pattern.compile("(io\\.github\\.zklock\\.[\\w.$]+) source: file:");

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TempDir
	private Path directory;

	@Test
	void uncontendedCallPassesTheQueueOfItsKey() throws Exception {
		List<String> loaded = Files.readAllLines(trace())
			.stream()
			.map(LOADED::matcher)
			.filter(Matcher::find)
			.map((line) -> line.group(1))
			.toList();
		List<String> called = loaded.subList(loaded.indexOf(Begin.class.getName()) + 1,
				loaded.indexOf(End.class.getName()));
		List<String> counted = called.stream().filter(CallPathTests::isInTheSource).toList();
		System.out.printf("%d classes on the way of an uncontended call%n", counted.size());
		assertThat(counted).contains("io.github.zklock.zookeeper.queue.Place");
	}

	private Path trace() {
		Path trace = this.directory.resolve("trace.log");
		try (JavaProcess process = JavaProcess.of(Application.class.getName())
			.classPath(StartupCostTests.classPath(true))
			.options("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:off", "-Xlog:class+load:file=" + trace)
			.start("--zk-lock.connect-string=" + server.connectString())) {
			assertThat(process.awaitEnd()).as(() -> process.output().toString()).isZero();
			return trace;
		}
	}

	private static boolean isInTheSource(String name) {
		try {
			return !Class.forName(name, false, CallPathTests.class.getClassLoader()).isSynthetic();
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Guarded.class)
	public static class Application {

		public static void main(String[] args) throws Exception {
			try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, args)) {
				context.getBean(CuratorFramework.class).blockUntilConnected();
				Guarded guarded = context.getBean(Guarded.class);
				new Begin();
				guarded.run();
				new End();
			}
		}

	}

	static class Guarded {

		@DistributedLock("guarded")
		void run() {
		}

	}

	private static final class Begin {

	}

	private static final class End {

	}

}
