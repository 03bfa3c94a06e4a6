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

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import io.github.zklock.autoconfigure.TransactionApplication.Inner;
import io.github.zklock.autoconfigure.TransactionApplication.Outer;
import io.github.zklock.autoconfigure.TransactionApplication.Rows;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.LockClient;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Another client waits for the lock: it gets in when the transaction has ended, and not
 * before.
 */
@Tag("server")
class TransactionReleaseTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static LockClient<ZooKeeperLockProvider> other;

	private static ConfigurableApplicationContext application;

	private CompletableFuture<Integer> seen;

	private int contendersAtCompletion;

	@BeforeAll
	static void start() {
		other = LockClient.connect(server.connectString(), Duration.ofSeconds(20),
				(curator) -> ZooKeeperLockProvider.builder(curator).build());
		application = new SpringApplicationBuilder(TransactionApplication.class).web(WebApplicationType.NONE)
			.properties("zk-lock.connect-string=" + server.connectString(),
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
					"spring.main.banner-mode=off")
			.run();
	}

	@AfterAll
	static void stop() {
		application.close();
		other.close();
	}

	@AfterEach
	void clear() {
		application.getBean(Rows.class).clear();
		Awaitility.await().untilAsserted(() -> assertThat(contenders()).isZero());
	}

	@ParameterizedTest
	@EnumSource
	void rowIsVisibleToWhoeverGetsTheLockNext(Call call) throws Exception {
		call.body.accept(application, this::otherIsKeptOut);
		assertThat(this.seen.get(30, TimeUnit.SECONDS)).isOne();
		assertThat(this.contendersAtCompletion).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	void rollbackIsDoneForWhoeverGetsTheLockNext(Call call) throws Exception {
		assertThatIllegalStateException().isThrownBy(() -> call.body.accept(application, () -> {
			otherIsKeptOut();
			throw new IllegalStateException("wanted");
		})).withMessage("wanted");
		assertThat(this.seen.get(30, TimeUnit.SECONDS)).isZero();
		assertThat(this.contendersAtCompletion).isEqualTo(2);
	}

	@Test
	void releaseMethodLetsOthersInBeforeTheCommit() {
		application.getBean(Outer.class).callReleasing(() -> {
			await();
			assertThat(this.seen).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(0);
		});
		assertThat(application.getBean(Rows.class).count()).isOne();
	}

	private void otherIsKeptOut() {
		await();
		Awaitility.await().untilAsserted(() -> assertThat(contenders()).isEqualTo(2));
		assertThat(this.seen).isNotDone();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				TransactionReleaseTests.this.contendersAtCompletion = contenders();
			}

		});
	}

	private void await() {
		LockRequest request = LockRequest.of(TransactionApplication.KEY).withWait(Duration.ofSeconds(30));
		this.seen = other.locks().acquireAsync(request).thenApplyAsync((LockHandle handle) -> {
			int count = application.getBean(Rows.class).count();
			handle.release();
			return count;
		});
	}

	private static int contenders() {
		return server.children("/locks/" + TransactionApplication.KEY).size();
	}

	enum Call {

		LOCK_OUTSIDE((application, body) -> application.getBean(Inner.class).lockedTransaction(body)),

		TEMPLATE_IN_LOCK((application, body) -> application.getBean(Inner.class).lockedTemplate(body)),

		LOCK_INSIDE((application, body) -> application.getBean(Outer.class).callLocked(body)),

		REQUIRES_NEW_IN_TRANSACTION(
				(application, body) -> application.getBean(Outer.class).callLockedNewTransaction(body));

		private final BiConsumer<ConfigurableApplicationContext, Runnable> body;

		Call(BiConsumer<ConfigurableApplicationContext, Runnable> body) {
			this.body = body;
		}

	}

}
