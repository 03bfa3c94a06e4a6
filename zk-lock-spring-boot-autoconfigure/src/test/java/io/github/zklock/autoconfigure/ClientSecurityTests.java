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

import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.DefaultSslBundleRegistry;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ClientSecurityTests {

	@ParameterizedTest
	@ValueSource(strings = { "3.9.4", "3.8.6", "2.10.10", "3.9.4-SNAPSHOT", "3.9.4.7-vendor" })
	void olderClientOfZooKeeperIsRefused(String version) {
		try (ClientSecurity security = plain()) {
			assertThatIllegalStateException().isThrownBy(() -> security.requireSafeTls(version))
				.withMessageStartingWith(
						"zk-lock.ssl.bundle needs org.apache.zookeeper:zookeeper 3.9.5 or later, but " + version);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "3.9.5", "3.9.10", "3.10.0", "4.0.0-SNAPSHOT", "unknown" })
	void newerClientOfZooKeeperIsNotRefused(String version) {
		try (ClientSecurity security = plain()) {
			assertThatCode(() -> security.requireSafeTls(version)).doesNotThrowAnyException();
		}
	}

	private static ClientSecurity plain() {
		return new ClientSecurity(TestProperties.of(Map.of()), DefaultSslBundleRegistry::new);
	}

}
