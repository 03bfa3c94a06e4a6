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

import java.security.NoSuchAlgorithmException;
import java.util.List;

import javax.net.ssl.SSLContext;

import io.github.zklock.support.JavaProcess;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ZooKeeperClientPreparation}.
 */
class ZooKeeperClientPreparationTests {

	@Test
	void applicationsPrepareTheClient() {
		assertThat(new SpringApplication().getInitializers())
			.hasAtLeastOneElementOfType(ZooKeeperClientPreparation.class);
	}

	@Test
	void beansCanStillSetThePropertiesOfTheDefaultTlsContext() throws Exception {
		try (JavaProcess application = JavaProcess.start(Application.class.getName(), List.of())) {
			assertThat(application.awaitLine("The default context")).isEqualTo("The default context is new");
		}
	}

	public static final class Application {

		private Application() {
		}

		public static void main(String[] args) throws Exception {
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				new ZooKeeperClientPreparation().initialize(context);
				for (Thread thread : Thread.getAllStackTraces().keySet()) {
					if (thread.getName().equals("zk-lock-preparation")) {
						thread.join();
					}
				}
				// Nobody knows that type, so a context that is made now cannot be made.
				System.setProperty("javax.net.ssl.trustStoreType", "unknown");
				SSLContext.getDefault();
				System.out.println("The default context was there");
			}
			catch (NoSuchAlgorithmException ex) {
				System.out.println("The default context is new");
			}
		}

	}

}
