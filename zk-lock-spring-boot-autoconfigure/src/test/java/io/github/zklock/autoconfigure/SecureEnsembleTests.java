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

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.support.Certificates;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperEnsemble;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockStatus.Connection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Three servers that take TLS, and locks that belong to a user.
 */
@Tag("server")
class SecureEnsembleTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String PASSWORD = Secrets.password();

	@TempDir
	static Path directory;

	private static final ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();

	private static Path trusted;

	@BeforeAll
	static void start() throws Exception {
		Certificates certificates = new Certificates(directory);
		trusted = certificates.authority("ca");
		ensemble.start(certificates.signed("ca", "server", "dns:localhost", "-1d"), trusted);
	}

	@AfterAll
	static void close() {
		ensemble.close();
	}

	@Test
	void lockOfAUserOutlivesTheServerItWasTakenAt() {
		runner("app", PASSWORD).run((context) -> {
			assertThat(context).hasNotFailed();
			ZooKeeperLockProvider provider = context.getBean(ZooKeeperLockProvider.class);
			LockHandle lock = provider.acquire(LockRequest.of("orders").withWait(LONG));
			ZooKeeperLockStatus before = provider.status();
			ensemble.tlsServer(Objects.requireNonNull(before.server())).kill();
			Awaitility.await().atMost(LONG).untilAsserted(() -> {
				ZooKeeperLockStatus after = provider.status();
				assertThat(after.connection()).isEqualTo(Connection.CONNECTED);
				assertThat(after.server()).isNotNull().isNotEqualTo(before.server());
				assertThat(after.session()).isNotNull()
					.satisfies((session) -> assertThat(session.mark()).isEqualTo(before.session().mark()));
				assertThat(lock.state()).isEqualTo(LockState.HELD);
			});
			othersAreKeptOut();
			lock.release();
			provider.acquire(LockRequest.of("orders").withWait(LONG)).release();
		});
	}

	private static void othersAreKeptOut() {
		for (String[] other : new String[][] { { "other", PASSWORD }, { "app", Secrets.password() } }) {
			runner(other[0], other[1]).run((context) -> assertThatExceptionOfType(LockAccessException.class)
				.isThrownBy(() -> context.getBean(LockProvider.class).acquire(LockRequest.of("orders").withWait(LONG)))
				.withMessageContaining("NOAUTH at /locks/orders"));
		}
	}

	private static ApplicationContextRunner runner(String user, String password) {
		String store = "spring.ssl.bundle.jks.zk.truststore.";
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, SslAutoConfiguration.class))
			.withPropertyValues(store + "location=" + trusted.toUri(), store + "password=" + Certificates.PASSWORD,
					store + "type=PKCS12", "zk-lock.ssl.bundle=zk",
					"zk-lock.connect-string=" + ensemble.tlsConnectString(), "zk-lock.connection-timeout=60s",
					"zk-lock.session-timeout=20s", "zk-lock.auth.digest.username=" + user,
					"zk-lock.auth.digest.password=" + password);
	}

}
