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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that may not lock learns it when it starts, and why.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class ZooKeeperAccessTests {

	private static final byte[] PASSWORD = ("admin:" + Secrets.password()).getBytes(StandardCharsets.UTF_8);

	private static final Duration WAIT = Duration.ofSeconds(30);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final CuratorFramework administrator = CuratorFrameworkFactory.builder()
		.connectString(server.connectString())
		.retryPolicy(new RetryOneTime(100))
		.authorization("digest", PASSWORD)
		.build();

	private final String root = "/" + UUID.randomUUID();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.root=" + this.root);

	private final ApplicationContextRunner failFast = this.contextRunner.withPropertyValues("zk-lock.fail-fast=true",
			"zk-lock.startup-timeout=30s");

	@BeforeEach
	void start() {
		this.administrator.start();
	}

	@Test
	void missingPermissionIsToldOnce(CapturedOutput output) throws Exception {
		createRootForAdministrator();
		this.contextRunner.run((context) -> {
			assertThat(context).hasNotFailed();
			Awaitility.await().until(() -> warnings(output) > 0);
			assertThat(output).contains("ZooKeeper answered NOAUTH: the permission CREATE is missing at " + this.root
					+ " for this client, which is known there as [ip:127.0.0.1]. Until that is changed, locks are refused. Give")
				.contains("set 'zk-lock.root' to a node where it may");
		});
		assertThat(warnings(output)).isOne();
	}

	@Test
	void missingPermissionStopsAnApplicationThatFailsFast() throws Exception {
		createRootForAdministrator();
		this.failFast.run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription())
					.isEqualTo("ZooKeeper answered NOAUTH: the permission CREATE is missing at " + this.root
							+ " for this client, which is known there as [ip:127.0.0.1], and 'zk-lock.fail-fast' is "
							+ "enabled.");
				assertThat(analysis.getAction()).contains("CREATE, READ and DELETE", "zk-lock.auth", "'zk-lock.root'",
						"'zk-lock.fail-fast' to false.");
			});
		});
	}

	@Test
	void clientThatAuthenticatesStartsSilentlyAndLeavesNothing(CapturedOutput output) throws Exception {
		createRootForAdministrator();
		this.failFast
			.withBean(CuratorFrameworkBuilderCustomizer.class,
					() -> (builder) -> builder.authorization("digest", PASSWORD))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(server.children(this.root)).isEmpty();
				String result = context.getBean(LockOperations.class)
					.execute(LockRequest.of("a").withWait(WAIT), (handle) -> "locked");
				assertThat(result).isEqualTo("locked");
			});
		assertThat(warnings(output)).isZero();
	}

	@Test
	void rootThatDoesNotExistYetIsNotCreated() {
		this.failFast.withPropertyValues("zk-lock.root=" + this.root + "/app/locks", "zk-lock.namespace=space")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(server.children("/")).doesNotContain("space");
	}

	@Test
	void missingPermissionToCreateTheRootIsTold() throws Exception {
		createRootForAdministrator();
		this.failFast.withPropertyValues("zk-lock.root=" + this.root + "/app/locks")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("the permission CREATE is missing at " + this.root + " for this client"));
	}

	@ParameterizedTest
	@CsvSource({ "CREATE, " + Perms.CREATE, "READ, " + Perms.READ, "WRITE, " + Perms.WRITE, "DELETE, " + Perms.DELETE })
	void permissionThatTheAclOfNewNodesLacksIsTold(String name, int permission) {
		this.failFast.withBean(ACLProvider.class, () -> allBut(permission))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("the permission " + name + " is missing at new nodes below " + this.root));
		assertThat(server.children("/")).doesNotContain(this.root.substring(1));
	}

	@Test
	void chrootThatDoesNotExistStopsAnApplicationThatFailsFast() {
		String chroot = this.root + "/app";
		this.failFast.withPropertyValues("zk-lock.connect-string=" + server.connectString() + chroot).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription())
					.isEqualTo("ZooKeeper at '" + server.connectString() + "' has no node '" + chroot
							+ "', which is the chroot of the client, and 'zk-lock.fail-fast' " + "is enabled.");
				assertThat(analysis.getAction()).isEqualTo(("Create the node 'CHROOT' (zkCli.sh create CHROOT), or "
						+ "correct the path at the end of 'zk-lock.connect-string', or use 'zk-lock.namespace' instead "
						+ "of it, whose nodes are created as needed. If the application is to start nevertheless, "
						+ "set 'zk-lock.fail-fast' to false.")
					.replace("CHROOT", chroot));
			});
		});
	}

	@Test
	void chrootThatDoesNotExistIsToldOnceUntilItIsCreated(CapturedOutput output) throws Exception {
		this.contextRunner.withPropertyValues("zk-lock.connect-string=" + server.connectString() + this.root)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				String warning = "ZooKeeper at '" + server.connectString() + "' has no node '" + this.root
						+ "', which is the chroot of the client. Until that is changed, locks are refused. Create the "
						+ "node '" + this.root + "'";
				Awaitility.await().until(() -> output.toString().contains(warning));
				this.administrator.create().forPath(this.root);
				String result = context.getBean(LockOperations.class)
					.execute(LockRequest.of("a").withWait(WAIT), (handle) -> "locked");
				assertThat(result).isEqualTo("locked");
				assertThat(output).containsOnlyOnce("which is the chroot of the client");
			});
	}

	@Test
	void chrootThatExistsIsSilent(CapturedOutput output) throws Exception {
		this.administrator.create().forPath(this.root);
		this.failFast.withPropertyValues("zk-lock.connect-string=" + server.connectString() + this.root)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("which is the chroot of the client");
	}

	private void createRootForAdministrator() throws Exception {
		this.administrator.create()
			.withACL(List.of(new ACL(Perms.ALL, Ids.AUTH_IDS), new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)))
			.forPath(this.root);
	}

	private static ACLProvider allBut(int permission) {
		return new ACLProvider() {

			@Override
			public List<ACL> getDefaultAcl() {
				return List.of(new ACL(Perms.ALL & ~permission, Ids.ANYONE_ID_UNSAFE));
			}

			@Override
			public List<ACL> getAclForPath(String path) {
				return path.contains("~") ? getDefaultAcl() : Ids.OPEN_ACL_UNSAFE;
			}

		};
	}

	private static long warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("the permission ")).count();
	}

}
