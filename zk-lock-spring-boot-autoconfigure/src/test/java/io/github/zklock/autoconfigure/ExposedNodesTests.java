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
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.github.zklock.core.LockAccessException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockTick;
import io.github.zklock.core.spi.LockProvider;
import io.github.zklock.health.LockHealth;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.node.LockPaths;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.KeeperException.NotEmptyException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.awaitility.Awaitility;
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
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Nodes that exist and that others may change are found, although new nodes belong to the
 * user of the application.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class ExposedNodesTests {

	private static final String USER = "app:" + Secrets.password();

	private static final String OTHER = "app:" + Secrets.password();

	private static final LockRequest REQUEST = LockRequest.of("a").withWait(Duration.ofSeconds(30));

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final CuratorFramework user = client(USER);

	@AutoClose
	private final CuratorFramework stranger = client(OTHER);

	private final String root = "/" + UUID.randomUUID();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + server.connectString(), "zk-lock.root=" + this.root,
				"zk-lock.auth.digest.username=app",
				"zk-lock.auth.digest.password=" + USER.substring(USER.indexOf(':') + 1));

	private final ApplicationContextRunner failFast = this.contextRunner.withPropertyValues("zk-lock.fail-fast=true",
			"zk-lock.startup-timeout=30s");

	@BeforeEach
	void start() {
		this.user.start();
		this.stranger.start();
	}

	@Test
	void openRootStopsAnApplicationThatFailsFastUntilItIsMended() throws Exception {
		this.stranger.create().forPath(this.root);
		this.failFast.run((context) -> {
			assertThat(context).hasFailed();
			assertThat(FailureAnalyses.of(context.getStartupFailure())).satisfies((analysis) -> {
				assertThat(analysis.getDescription()).isEqualTo("Other clients may change the locks at " + this.root
						+ ": world:anyone:rwcda, and 'zk-lock.fail-fast' is enabled.");
				assertThat(analysis.getAction()).startsWith(
						"Run 'setAcl -R " + this.root + " auth::rwcda' in zkCli.sh, authenticated as this client");
			});
		});
		this.user.setACL().withACL(List.of(new ACL(Perms.ALL, Ids.AUTH_IDS))).forPath(this.root);
		this.failFast.run((context) -> assertThat(context).hasNotFailed());
		assertThat(server.children(this.root)).isEmpty();
	}

	@Test
	void rootOfAnotherUserOfTheSameNameStopsAnApplicationThatFailsFast() throws Exception {
		this.stranger.create()
			.withACL(List.of(new ACL(Perms.ALL, digest(OTHER)),
					new ACL(Perms.READ | Perms.CREATE | Perms.DELETE, digest(USER))))
			.forPath(this.root);
		this.failFast.run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining("Other clients may change the locks at " + this.root + ": digest:app:rwcda"));
	}

	@Test
	void openRootIsReportedOnceAndShownInTheHealth(CapturedOutput output) throws Exception {
		this.stranger.create().forPath(this.root);
		this.contextRunner.run((context) -> {
			Awaitility.await().until(() -> health(context).contains("exposed"));
			assertThat(health(context)).contains("Other clients may change the locks at " + this.root);
			Awaitility.await().until(() -> output.getAll().contains("setAcl -R " + this.root + " auth::rwcda"));
			context.getBean(LockOperations.class).execute(REQUEST, (handle) -> "locked");
		});
		assertThat(output.getAll().lines().filter((line) -> line.contains("setAcl -R " + this.root + " auth::rwcda")))
			.singleElement()
			.asString()
			.contains("ERROR");
	}

	@Test
	void directoryThatAStrangerCreatedFirstIsReportedWhenItIsFirstUsed(CapturedOutput output) throws Exception {
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		this.user.create().withACL(Ids.OPEN_ACL_UNSAFE).forPath(this.root + "/a");
		this.failFast.run((context) -> {
			assertThat(health(context)).doesNotContain("exposed");
			context.getBean(LockOperations.class).execute(REQUEST, (handle) -> "locked");
			Awaitility.await().until(() -> health(context).contains("exposed"));
			assertThat(health(context)).contains("at " + this.root + "/a: world:anyone:rwcda");
			Awaitility.await().until(() -> output.getAll().contains("setAcl -R " + this.root + "/a auth::rwcda"));
			context.getBean(LockOperations.class).execute(REQUEST, (handle) -> "locked");
		});
		assertThat(output).containsOnlyOnce("setAcl -R " + this.root + "/a auth::rwcda");
	}

	@Test
	void nodeOfAJobThatAStrangerCreatedFirstIsReported(CapturedOutput output) throws Exception {
		LockTick tick = LockTick.at("Jobs.report", Instant.now());
		String job = new LockPaths("", this.root, null).job(tick, REQUEST.key());
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		this.user.create()
			.withACL(Ids.OPEN_ACL_UNSAFE)
			.forPath(job, "job=Jobs.report\n".getBytes(StandardCharsets.UTF_8));
		this.contextRunner.run((context) -> {
			context.getBean(LockOperations.class).execute(REQUEST.withTick(tick), (handle) -> "run");
			Awaitility.await().until(() -> health(context).contains("at " + job + ": world:anyone:rwcda"));
		});
		assertThat(output).containsOnlyOnce("setAcl -R " + job + " auth::rwcda");
	}

	@Test
	void jobWithANodeBelowItIsReported() throws Exception {
		LockTick tick = LockTick.at("Jobs.report", Instant.now());
		String job = new LockPaths("", this.root, null).job(tick, REQUEST.key());
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		this.user.create().withMode(CreateMode.CONTAINER).withACL(Ids.CREATOR_ALL_ACL).forPath(job);
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(job + "/a");
		this.contextRunner.run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			assertThatThrownBy(() -> locks.execute(REQUEST.withTick(tick), (handle) -> "run"))
				.isInstanceOf(LockAccessException.class);
			Awaitility.await().until(() -> health(context).contains("Runs of a job are refused at " + job));
			locks.execute(REQUEST, (handle) -> "locked");
		});
	}

	@Test
	void directoryOfTheHeartbeatsThatAStrangerCreatedFirstIsReported() throws Exception {
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		this.user.create().withMode(CreateMode.EPHEMERAL).forPath(this.root + "/~sessions");
		this.contextRunner.run((context) -> Awaitility.await()
			.until(() -> health(context)
				.contains("Another client has created " + this.root + "/~sessions as a node of its session")));
	}

	@Test
	void clientThatMayReadTheSessionsIsReported() throws Exception {
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		this.user.create()
			.withACL(List.of(new ACL(Perms.ALL, digest(USER)), new ACL(Perms.READ, digest(OTHER))))
			.forPath(this.root + "/~sessions");
		this.contextRunner.run((context) -> Awaitility.await()
			.until(() -> health(context).contains("Other clients may read, and so end, the sessions of the locks at "
					+ this.root + "/~sessions: digest:app:r")));
	}

	@Test
	void textOfAStrangerForgesNoLine(CapturedOutput output) throws Exception {
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		Id forged = new Id("digest", "x\n2026-11-28 ERROR forged\u001b[31m" + "y".repeat(5000) + ":AAAA");
		this.user.create()
			.withACL(List.of(new ACL(Perms.ALL, digest(USER)), new ACL(Perms.ALL, forged)))
			.forPath(this.root + "/a");
		this.contextRunner.run((context) -> {
			context.getBean(LockOperations.class).execute(REQUEST, (handle) -> "locked");
			Awaitility.await().until(() -> health(context).contains("exposed"));
			assertThat(health(context)).contains("digest:x\\u000A2026-11-28 ERROR forged\\u001B[31my")
				.doesNotContain("\n", "\u001b", "y".repeat(200));
		});
		assertThat(output.getAll().lines()).noneMatch((line) -> line.startsWith("2026-11-28 ERROR forged"));
	}

	@Test
	void applicationIsNotAmongTheOtherClients() throws Exception {
		this.user.create()
			.withACL(List.of(new ACL(Perms.ALL, digest(USER)), new ACL(Perms.ALL, Ids.ANYONE_ID_UNSAFE)))
			.forPath(this.root);
		this.failFast.run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining("at " + this.root + ": world:anyone:rwcda")
			.hasMessageNotContaining("digest:app"));
	}

	@Test
	void rootInWhichOtherApplicationsMayCreateNodesIsNoFault(CapturedOutput output) throws Exception {
		this.user.create()
			.withACL(
					List.of(new ACL(Perms.ALL, digest(USER)), new ACL(Perms.READ | Perms.CREATE, Ids.ANYONE_ID_UNSAFE)))
			.forPath(this.root);
		this.failFast.run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(LockOperations.class).execute(REQUEST, (handle) -> "locked");
			assertThat(health(context)).doesNotContain("exposed");
		});
		assertThat(output).doesNotContain("Other clients may");
	}

	@Test
	void nodesBeyondTheFirstHundredAreCounted() throws Exception {
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		for (int i = 0; i < 103; i++) {
			this.user.create().withACL(Ids.OPEN_ACL_UNSAFE).forPath(this.root + "/k" + i);
		}
		this.contextRunner.run((context) -> {
			for (int i = 0; i < 103; i++) {
				LockRequest request = LockRequest.of("k" + i).withWait(Duration.ofSeconds(30));
				context.getBean(LockOperations.class).execute(request, (handle) -> "locked");
			}
			Awaitility.await().until(() -> health(context).contains("and 3 more"));
		});
	}

	@Test
	void ownNodesOfAnEarlierStartAreSilent(CapturedOutput output) {
		for (int i = 0; i < 2; i++) {
			this.failFast.run((context) -> {
				context.getBean(LockOperations.class).execute(REQUEST, (handle) -> "locked");
				assertThat(health(context)).doesNotContain("exposed");
			});
		}
		assertThat(output).doesNotContain("Other clients may change");
	}

	@Test
	void usersThatAnAclProviderNamesAreNoStrangers() throws Exception {
		List<ACL> both = List.of(new ACL(Perms.ALL, digest(USER)), new ACL(Perms.ALL, digest(OTHER)));
		this.stranger.create().withACL(both).forPath(this.root);
		this.failFast.withBean(ACLProvider.class, () -> always(both))
			.run((context) -> assertThat(context).hasNotFailed());
		this.failFast.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void rootBelowANodeOfTheUserIsSafeThoughTheTopIsOpen() throws Exception {
		String root = this.root + "/locks";
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(this.root);
		this.user.create().withACL(Ids.CREATOR_ALL_ACL).forPath(root);
		assertThatThrownBy(() -> this.stranger.delete().forPath(root)).isInstanceOf(NoAuthException.class);
		assertThatThrownBy(() -> this.stranger.delete().forPath(this.root)).isInstanceOf(NotEmptyException.class);
		assertThatThrownBy(() -> this.stranger.setACL().withACL(Ids.OPEN_ACL_UNSAFE).forPath(this.root))
			.isInstanceOf(NoAuthException.class);
		this.failFast.withPropertyValues("zk-lock.root=" + root).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(LockProvider.class).acquire(REQUEST).release();
		});
	}

	@Test
	void openNodesThatAreMeantAreNoFault() throws Exception {
		this.stranger.create().forPath(this.root);
		this.failFast.withBean(ACLProvider.class, DefaultACLProvider::new)
			.run((context) -> assertThat(context).hasNotFailed());
		this.failFast.withBean(ACLProvider.class, () -> always(Ids.OPEN_ACL_UNSAFE))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static String health(ApplicationContext context) {
		return new LockHealth(true, context.getBean(LockProvider.class)).report().toString();
	}

	private static ACLProvider always(List<ACL> acl) {
		return new ACLProvider() {

			@Override
			public List<ACL> getDefaultAcl() {
				return acl;
			}

			@Override
			public List<ACL> getAclForPath(String path) {
				return acl;
			}

		};
	}

	private static Id digest(String user) throws Exception {
		return new Id("digest", DigestAuthenticationProvider.generateDigest(user));
	}

	private static CuratorFramework client(String user) {
		return CuratorFrameworkFactory.builder()
			.connectString(server.connectString())
			.retryPolicy(new RetryOneTime(100))
			.authorization("digest", user.getBytes(StandardCharsets.UTF_8))
			.build();
	}

}
