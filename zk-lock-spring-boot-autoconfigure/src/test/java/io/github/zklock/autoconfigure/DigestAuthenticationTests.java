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
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * User and password by property, and whose the nodes of the locks are.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class DigestAuthenticationTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final String RIGHT = Secrets.password();

	private static final String WRONG = Secrets.password();

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final CuratorFramework user = client(server.connectString(), RIGHT);

	private final String root = "/" + UUID.randomUUID();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.root=" + this.root);

	private final ApplicationContextRunner authenticated = this.contextRunner
		.withPropertyValues("zk-lock.auth.digest.username=app", "zk-lock.auth.digest.password=" + RIGHT);

	@BeforeEach
	void start() {
		this.user.start();
	}

	@AfterEach
	void passwordsAreNowhereInTheOutput(CapturedOutput output) {
		assertThat(output.getAll()).doesNotContain(RIGHT, WRONG);
	}

	@Test
	void everyNodeBelongsToTheUserOfTheProperties() {
		List<ACL> onlyTheUser = List.of(new ACL(Perms.ALL, digest(RIGHT)));
		this.authenticated.withPropertyValues("zk-lock.namespace=space" + this.root.hashCode()).run((context) -> {
			CuratorFramework client = context.getBean(CuratorFramework.class);
			lock(context.getBean(LockOperations.class), () -> {
				String key = this.root + "/a";
				String node = key + "/" + client.getChildren().forPath(key).get(0);
				for (String path : List.of("/", this.root, key, node)) {
					assertThat(client.getACL().forPath(path)).as(path).isEqualTo(onlyTheUser);
				}
			});
		});
	}

	@Test
	void wrongPasswordIsToldByOneLineAndOverWhenTheUserMayLock(CapturedOutput output) throws Exception {
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		this.contextRunner
			.withPropertyValues("zk-lock.auth.digest.username=app", "zk-lock.auth.digest.password=" + WRONG)
			.run((context) -> {
				LockOperations locks = context.getBean(LockOperations.class);
				assertThatExceptionOfType(LockAccessException.class).isThrownBy(() -> lock(locks, () -> {
				})).withMessageContaining("ZooKeeper answered NOAUTH at " + this.root);
				Awaitility.await().until(() -> denials(output).size() == 1);
				assertThat(denials(output)).singleElement()
					.asString()
					.contains(
							"the permission CREATE is missing at " + this.root
									+ " for this client, which is known there as [",
							"digest:app", "with a wrong password it is another user of the same name");
				this.user.setACL().withACL(List.of(new ACL(Perms.ALL, digest(WRONG)))).forPath(this.root);
				lock(locks, () -> {
				});
				assertThat(denials(output)).hasSize(1);
			});
	}

	@Test
	void aclProviderOfTheApplicationWins() {
		this.authenticated.withBean(ACLProvider.class, DefaultACLProvider::new).run((context) -> {
			lock(context.getBean(LockOperations.class), () -> {
			});
			assertThat(this.user.getACL().forPath(this.root)).isEqualTo(Ids.OPEN_ACL_UNSAFE);
		});
	}

	@Test
	void passwordThatIsSentInTheClearIsWarnedOf(CapturedOutput output) {
		this.authenticated.withPropertyValues("zk-lock.connect-string=" + anyAddress()).run((context) -> {
		});
		assertThat(output).containsOnlyOnce("The password of zk-lock.auth.digest is sent to ZooKeeper at '"
				+ anyAddress() + "' without encryption");
		assertThat(output).doesNotContain(RIGHT);
	}

	@Test
	void passwordThatStaysOnThisMachineIsNotWarnedOf(CapturedOutput output) {
		this.authenticated.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("without encryption");
	}

	@Test
	void nodesThatAreOpenToEverybodyAreToldOnce(CapturedOutput output) {
		// Like 127.0.0.1, but nobody would say that of it.
		this.contextRunner.withPropertyValues("zk-lock.connect-string=" + anyAddress()).run((context) -> {
			lock(context.getBean(LockOperations.class),
					() -> assertThat(context.getBean(CuratorFramework.class).getACL().forPath(this.root))
						.isEqualTo(Ids.OPEN_ACL_UNSAFE));
			Awaitility.await().until(() -> output.getAll().contains("Any client that reaches"));
		});
		assertThat(output).containsOnlyOnce("Any client that reaches ZooKeeper at '" + anyAddress()
				+ "' may change or delete the nodes of the locks: set zk-lock.auth.digest.*");
	}

	@Test
	void nobodyIsWarnedOfServersOfThisMachineOrOfAChoice(CapturedOutput output) {
		String reached = "is reached: locks are available";
		this.contextRunner.run((context) -> Awaitility.await().until(() -> output.getAll().contains(reached)));
		this.authenticated.withPropertyValues("zk-lock.connect-string=" + anyAddress(), "zk-lock.fail-fast=true")
			.run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withBean(ACLProvider.class, DefaultACLProvider::new)
			.withPropertyValues("zk-lock.connect-string=" + anyAddress(), "zk-lock.fail-fast=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("Any client that reaches");
	}

	@Test
	void propertiesThatDoNotReachTheClientOfTheApplicationAreTold(CapturedOutput output) {
		this.authenticated.withPropertyValues("zk-lock.namespace=unused", "zk-lock.session-timeout=9s")
			.withBean("ownClient", CuratorFramework.class, () -> this.user,
					(definition) -> definition.setDestroyMethodName(""))
			.run((context) -> lock(context.getBean(LockOperations.class), () -> {
			}));
		assertThat(output).containsOnlyOnce("have no effect on the CuratorFramework bean of the application")
			.contains("The properties [zk-lock.connect-string, zk-lock.namespace, "
					+ "zk-lock.session-timeout, zk-lock.auth] have no effect");
	}

	private static void lock(LockOperations locks, Body body) throws Exception {
		locks.execute(LockRequest.of("a").withWait(WAIT), (handle) -> {
			body.run();
			return "locked";
		});
	}

	private static List<String> denials(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains("the permission ")).toList();
	}

	private static String anyAddress() {
		return "0.0.0.0:" + server.port();
	}

	private static Id digest(String password) {
		try {
			return new Id("digest", DigestAuthenticationProvider.generateDigest("app:" + password));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static CuratorFramework client(String connectString, String password) {
		return CuratorFrameworkFactory.builder()
			.connectString(connectString)
			.retryPolicy(new RetryOneTime(100))
			.authorization("digest", ("app:" + password).getBytes(StandardCharsets.UTF_8))
			.build();
	}

	private interface Body {

		void run() throws Exception;

	}

}
