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

package io.github.zklock.zookeeper.inspect.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.github.zklock.zookeeper.inspect.ZooKeeperInspectionException;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockInspector;
import io.github.zklock.zookeeper.inspect.ZooKeeperLockQueue;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An inspection must not cost a lock: what it may take from the connection and the
 * threads of the locks.
 */
@Tag("server")
class InspectionCostTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	static LockClient<ZooKeeperLockProvider> one;

	static LockClient<ZooKeeperLockProvider> other;

	@BeforeAll
	static void connect() {
		one = client(server.connectString());
		other = client(server.connectString());
	}

	private static LockClient<ZooKeeperLockProvider> client(String connectString) {
		return LockClient.connect(connectString, PATIENCE, (curator) -> ZooKeeperLockProvider.builder(curator).build());
	}

	@AfterAll
	static void close() {
		one.close();
		other.close();
	}

	@Test
	void oneQuestionIsInspectedAtATimeAndOthersWaitWithinTheirBound() {
		QueueInspector inspector = (QueueInspector) one.locks().inspector();
		CompletableFuture<ZooKeeperLockQueue> second;
		try (QueueInspection first = inspector.begin(PATIENCE)) {
			assertThat(first).isNotNull();
			assertThatExceptionOfType(ZooKeeperInspectionException.class)
				.isThrownBy(() -> one.locks().inspector().queue("a", Duration.ofMillis(20)))
				.withMessage("another inspection was under way for all of the 20ms: ask again");
			assertThat(other.locks().inspector().queue("a", PATIENCE).contenders()).isEmpty();
			second = CompletableFuture.supplyAsync(() -> one.locks().inspector().queue("a", PATIENCE));
			assertThat(second).isNotDone();
		}
		assertThat(second.join().contenders()).isEmpty();
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> inspector.queue(" ", PATIENCE));
		assertThat(inspector.queue("a", PATIENCE).contenders()).isEmpty();
	}

	@Test
	void longDataOfAContenderAreNotRead() throws Exception {
		String directory = one.locks().pathOf("long-data");
		CuratorFramework curator = one.curator();
		curator.create().creatingParentsIfNeeded().forPath(directory, new byte[900_000]);
		curator.create().forPath(directory + "/z1-1-lock-0000000001", new byte[4097]);
		byte[] known = "application=known".getBytes(StandardCharsets.UTF_8);
		curator.create().forPath(directory + "/z2-1-lock-0000000002", known);
		try (FaultProxy proxy = new FaultProxy(server);
				LockClient<ZooKeeperLockProvider> client = client(proxy.connectString())) {
			ZooKeeperLockQueue queue = client.locks().inspector().queue("long-data", PATIENCE);
			assertThat(queue.contenders()).extracting((contender) -> contender.owner().application())
				.containsExactly("another client", "known");
			assertThat(proxy.requests().counts("long-data")).containsEntry(ZooKeeperOperation.GET_DATA, 1L);
		}
	}

	// What is attached to an answer of ZooKeeper runs on its event thread.
	@Test
	void nothingIsDoneOnTheEventThread() {
		JavaClasses classes = new ClassFileImporter().importClasses(BoundedReads.class, QueueInspection.class,
				ZooKeeperLockInspector.class);
		ArchRuleDefinition.noClasses()
			.should()
			.callMethodWhere(DescribedPredicate.describe("attach code to an answer",
					(call) -> call.getTargetOwner().isEquivalentTo(CompletableFuture.class)
							&& call.getName().matches("(then|when|handle|run|accept|apply|exceptionally).*")))
			.check(classes);
	}

}
