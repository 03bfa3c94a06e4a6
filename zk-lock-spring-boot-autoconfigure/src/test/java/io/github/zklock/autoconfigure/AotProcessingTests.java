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
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.github.zklock.support.JavaProcess;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processing ahead of time, as {@code process-aot} does at build time: ZooKeeper is not
 * there then.
 */
@Tag("server")
class AotProcessingTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@TempDir
	Path directory;

	@Test
	void nothingConnectsAtBuildTimeAndTheGeneratedApplicationLocks() throws IOException {
		try (CountingServer counting = new CountingServer()) {
			AnnotationConfigApplicationContext context = process("zk-lock.connect-string=" + counting.connectString(),
					"orders.zookeeper=" + counting.connectString());
			assertThat(context.getBeanFactory().getSingletonNames()).contains("zkLockAdvisor")
				.doesNotContain("zkLockCuratorFramework", "ordersZooKeeper", "ordersLocks", "zkLockProvider",
						"zkLockTemplate");
			assertThat(counting.connections).hasValue(0);
		}
		compile();
		List<String> properties = List.of("spring.aot.enabled=true", "zk-lock.connect-string=" + server.connectString(),
				"orders.zookeeper=" + server.connectString());
		try (JavaProcess process = JavaProcess.of(AotApplication.class.getName())
			.classes(this.directory)
			.properties(properties)
			.start()) {
			assertThat(process.awaitLine("Held: ")).isEqualTo("Held: seat:a1");
			assertThat(process.awaitLine("Held by orders: "))
				.isEqualTo("Held by orders: 1 of orders, 0 of the default provider");
		}
	}

	@Test
	void noEmbeddedServerIsStartedAtBuildTime() {
		AnnotationConfigApplicationContext context = process("zk-lock.embedded.enabled=true");
		assertThat(context.getBeanFactory().containsBeanDefinition("zkLockEmbeddedZooKeeper")).isTrue();
		assertThat(context.getBeanFactory().getSingletonNames()).doesNotContain("zkLockEmbeddedZooKeeper");
	}

	private AnnotationConfigApplicationContext process(String... properties) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(properties).applyTo(context);
		context.register(AotApplication.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(AotApplication.class)),
				new FileSystemGeneratedFiles(this.directory));
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		return context;
	}

	private void compile() throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", this.directory.toString(),
				"-cp", this.directory + File.pathSeparator + System.getProperty("java.class.path")));
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	/**
	 * Counts those who connect, and answers nobody.
	 */
	private static final class CountingServer implements AutoCloseable {

		private final AtomicInteger connections = new AtomicInteger();

		private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

		CountingServer() throws IOException {
			Thread thread = new Thread(this::count, "counting-server");
			thread.setDaemon(true);
			thread.start();
		}

		String connectString() {
			return "127.0.0.1:" + this.socket.getLocalPort();
		}

		private void count() {
			try {
				while (true) {
					try (Socket client = this.socket.accept()) {
						this.connections.incrementAndGet();
					}
				}
			}
			catch (IOException ex) {
				// It is closed.
			}
		}

		@Override
		public void close() throws IOException {
			this.socket.close();
		}

	}

}
