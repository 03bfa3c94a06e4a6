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

package io.github.zklock.dockercompose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockConnectionDetails;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Locks in a service that Spring Boot starts by {@code docker compose}.
 */
@Tag("server")
@EnabledIf(value = "isThereCompose", disabledReason = "docker compose does not run here")
class DockerComposeContainerTests {

	// Another name for the same image, by which it is not known.
	private static final String OTHER_IMAGE = "registry.example/tools/zk:3.9";

	private final String project = "zk-lock-test-" + UUID.randomUUID();

	@TempDir
	private Path directory;

	static boolean isThereCompose() {
		return run("docker", "compose", "ls") == 0;
	}

	@BeforeAll
	static void tagImage() {
		assertThat(run("docker", "tag", "zookeeper:3.9.5", OTHER_IMAGE)).isZero();
	}

	@AfterEach
	void removeContainers() {
		run("docker", "compose", "-p", this.project, "down", "-v", "-t", "1");
	}

	@Test
	void aServiceIsFoundByItsImage() throws IOException {
		takesLocksIn(documented(0));
	}

	@Test
	void aServiceWithAnotherImageIsFoundByItsLabel() throws IOException {
		takesLocksIn(documented(1));
	}

	@Test
	void aServiceWhosePortIsNotPublishedIsRefused() throws IOException {
		Path file = write("""
				services:
				  zookeeper:
				    image: 'zookeeper:3.9.5'
				""");
		assertThatIllegalStateException().isThrownBy(() -> start(file))
			.withMessageContaining("No host port mapping found for container port 2181");
	}

	private void takesLocksIn(String compose) throws IOException {
		try (ConfigurableApplicationContext context = start(write(compose))) {
			assertThat(context.getBean(ZkLockConnectionDetails.class).getConnectString()).doesNotEndWith(":1")
				.doesNotEndWith(":2181");
			assertThat(context.getBean(LockOperations.class)
				.execute(LockRequest.of("a").withWait(Duration.ofMinutes(2)), LockHandle::fencingToken)
				.longValue()).isPositive();
		}
	}

	// What a reader copies, literally.
	private static String documented(int index) throws IOException {
		String page = Files.readString(Path.of("../docs/getting-started.md"));
		return page.substring(page.indexOf("### Docker Compose")).split("```yaml\n")[index + 1].split("```")[0];
	}

	private Path write(String compose) throws IOException {
		return Files.writeString(this.directory.resolve("compose.yaml"), compose);
	}

	private ConfigurableApplicationContext start(Path compose) {
		return new SpringApplication(Application.class).run("--zk-lock.connect-string=localhost:1",
				"--spring.docker.compose.enabled=true", "--spring.docker.compose.skip.in-tests=false",
				"--spring.docker.compose.file=" + compose, "--spring.docker.compose.lifecycle-management=start-only",
				"--spring.docker.compose.arguments=--project-name=" + this.project);
	}

	private static int run(String... command) {
		try {
			return new ProcessBuilder(command).inheritIO().start().waitFor();
		}
		catch (IOException ex) {
			return 1;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(ZkLockAutoConfiguration.class)
	static class Application {

	}

}
