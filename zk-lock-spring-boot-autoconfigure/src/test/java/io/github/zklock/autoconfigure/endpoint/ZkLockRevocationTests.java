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

package io.github.zklock.autoconfigure.endpoint;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.endpoint.ZkLockEndpoint;
import io.github.zklock.endpoint.ZkLockEndpointWebExtension;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who has taken which lock from whom is known afterwards.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class ZkLockRevocationTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockEndpointAutoConfiguration.class))
		.withBean(Auditor.class)
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.try-timeout=30s",
				"spring.application.name=here", "management.endpoints.web.exposure.include=zklocks",
				"management.endpoint.zklocks.access=UNRESTRICTED");

	@Test
	void revocationNeedsTheExactTokenAndIsLoggedAndAudited(CapturedOutput output) {
		this.contextRunner.withPropertyValues("zk-lock.endpoint.revoke=true").run((context) -> {
			LockHandle handle = context.getBean(LockProvider.class).acquire(LockRequest.of("revoked"));
			Queue<AuditEvent> audited = context.getBean(Auditor.class).events;
			long token = handle.fencingToken();
			ZkLockEndpointWebExtension endpoint = context.getBean(ZkLockEndpointWebExtension.class);
			Awaitility.await()
				.until(() -> revoke(endpoint, token + 1),
						(answer) -> "no contender of this key has this token".equals(answer.get("problem")));
			Awaitility.await()
				.until(() -> revoke(endpoint, token), (answer) -> Boolean.TRUE.equals(answer.get("revoked")));
			assertThat(audited).filteredOn((event) -> "REVOKED".equals(event.getData().get("outcome")))
				.singleElement()
				.satisfies((event) -> {
					assertThat(event.getType()).isEqualTo(ZkLockEndpoint.AUDIT_TYPE);
					assertThat(event.getPrincipal()).isEqualTo("alice");
					assertThat(event.getData()).containsEntry("key", "revoked")
						.containsEntry("token", Long.toString(handle.fencingToken()));
					assertThat(event.getData().get("holder")).asString()
						.contains("pid " + ProcessHandle.current().pid());
				});
			assertThat(output).contains("Revocation of the lock 'revoked' with token " + handle.fencingToken()
					+ " by 'alice': REVOKED, holder ");
		});
	}

	@Test
	void textOfARequestForgesNoLine(CapturedOutput output) {
		this.contextRunner.withPropertyValues("zk-lock.endpoint.revoke=true").run((context) -> {
			LockHandle handle = context.getBean(LockProvider.class).acquire(LockRequest.of("forged"));
			ZkLockEndpointWebExtension endpoint = context.getBean(ZkLockEndpointWebExtension.class);
			User user = new User("x\n2026 ERROR forged\u001b" + "y".repeat(5000));
			String token = "0".repeat(5000) + handle.fencingToken();
			Awaitility.await()
				.until(() -> endpoint.revoke(user, "forged", token, null),
						(answer) -> Boolean.TRUE.equals(answer.get("revoked")));
			assertThat(context.getBean(Auditor.class).events).allSatisfy((event) -> {
				assertThat(event.getPrincipal()).startsWith("x\\u000A2026 ERROR forged\\u001By")
					.doesNotContain("\n", "\u001b", "y".repeat(200));
				assertThat(event.getData()).containsEntry("token", Long.toString(handle.fencingToken()));
			});
			for (Runnable refused : List.<Runnable>of(
					() -> endpoint.revoke(user, "forged", "1\n" + "y".repeat(5000), null),
					() -> endpoint.revoke(user, "forged", "1", "other\n" + "y".repeat(5000)))) {
				assertThatExceptionOfType(InvalidEndpointRequestException.class).isThrownBy(refused::run)
					.withMessageContaining("\\u000Ay")
					.withMessageNotContaining("y".repeat(200));
			}
		});
		assertThat(output.getAll()).doesNotContain("y".repeat(200));
		assertThat(output.getAll().lines()).noneMatch((line) -> line.startsWith("2026 ERROR forged"));
	}

	@Test
	void accessToTheEndpointIsNotEnough() {
		this.contextRunner.run((context) -> {
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> revoke(context.getBean(ZkLockEndpointWebExtension.class), 1))
				.withMessageContaining("zk-lock.endpoint.revoke=true");
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> context.getBean(ZkLockEndpoint.class).revoke("revoked", "1", null));
			assertThat(context.getBean(Auditor.class).events).isEmpty();
		});
	}

	private static Map<String, Object> revoke(ZkLockEndpointWebExtension endpoint, long token) {
		return endpoint.revoke(new User("alice"), "revoked", Long.toString(token), null);
	}

	static class Auditor {

		private final Queue<AuditEvent> events = new ConcurrentLinkedQueue<>();

		@EventListener
		void audited(AuditApplicationEvent event) {
			this.events.add(event.getAuditEvent());
		}

	}

	private record User(String name) implements SecurityContext {

		@Override
		public Principal getPrincipal() {
			return () -> this.name;
		}

		@Override
		public boolean isUserInRole(String role) {
			return true;
		}

	}

}
