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
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.zklock.autoconfigure.TransactionApplication.Inner;
import io.github.zklock.autoconfigure.TransactionApplication.Outer;
import io.github.zklock.autoconfigure.TransactionApplication.Rows;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockState;
import io.github.zklock.support.ZooKeeperServerFixture;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The session of a lock ends on a real ZooKeeper, before the commit to a real database:
 * the row is not there, and the caller is told.
 */
@Tag("server")
class TransactionLossTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	private static ConfigurableApplicationContext managedByBoot;

	private static ConfigurableApplicationContext managedByApplication;

	private ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		managedByBoot = application(TransactionApplication.class);
		managedByApplication = application(TransactionApplication.class, OwnManager.class);
		assertThat(managedByBoot.getBeanNamesForType(PlatformTransactionManager.class)).doesNotContain("ownManager");
	}

	@AfterAll
	static void stop() {
		managedByBoot.close();
		managedByApplication.close();
	}

	@AfterEach
	void applicationGoesOn() {
		rows().clear();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
		String result = this.application.getBean(LockOperations.class)
			.execute(LockRequest.of(TransactionApplication.KEY).withWait(Duration.ofSeconds(30)),
					(handle) -> "free again");
		assertThat(result).isEqualTo("free again");
	}

	@ParameterizedTest(name = "{0}, {1}, own transaction manager: {2}")
	@MethodSource
	void rowIsNotThere(Call call, End end, boolean own) {
		this.application = own ? managedByApplication : managedByBoot;
		assertThatExceptionOfType(call.expected()).isThrownBy(() -> call.body.accept(this.application, () -> lose(end)))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(TransactionApplication.KEY));
		assertThat(rows().count()).isZero();
		assertThat(rows().handle().state()).isEqualTo(LockState.LOST);
	}

	static Stream<Arguments> rowIsNotThere() {
		return Stream.of(Call.values())
			.flatMap((call) -> Stream.of(End.values())
				.flatMap((end) -> Stream.of(false, true).map((own) -> Arguments.of(call, end, own))));
	}

	@ParameterizedTest
	@EnumSource
	void rowThatWasCommittedBeforeTheLossStays(End end) {
		this.application = managedByBoot;
		TransactionTemplate requiresNew = new TransactionTemplate(
				this.application.getBean(PlatformTransactionManager.class));
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.application.getBean(Inner.class).lockedTransaction(() -> {
				requiresNew.executeWithoutResult((status) -> rows().insert());
				lose(end);
			}));
		assertThat(rows().count()).isOne();
	}

	// Returns when the client knows.
	private void lose(End end) {
		LockHandle handle = rows().handle();
		assertThat(handle.state()).isEqualTo(LockState.HELD);
		end.happen(this.application.getBean(CuratorFramework.class));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> handle.state() == LockState.LOST);
	}

	private Rows rows() {
		return this.application.getBean(Rows.class);
	}

	private static ConfigurableApplicationContext application(Class<?>... sources) {
		return new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.properties("zk-lock.connect-string=" + server.connectString(),
					"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
					"spring.main.banner-mode=off")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnManager {

		@Bean
		PlatformTransactionManager ownManager(DataSource dataSource) {
			JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
			manager.setTransactionExecutionListeners(List.of());
			return manager;
		}

	}

	enum Call {

		LOCK_OUTSIDE((application, loss) -> application.getBean(Inner.class).lockedTransaction(loss)),

		TEMPLATE_IN_LOCK((application, loss) -> application.getBean(Inner.class).lockedTemplate(loss)),

		LOCK_INSIDE((application, loss) -> application.getBean(Outer.class).callLocked(loss)),

		LOSS_SWALLOWED((application, loss) -> application.getBean(Outer.class).swallowLoss(loss)),

		REQUIRES_NEW((application, loss) -> application.getBean(Inner.class).lockedNewTransaction(loss)),

		REQUIRES_NEW_IN_TRANSACTION(
				(application, loss) -> application.getBean(Outer.class).callLockedNewTransaction(loss));

		private final BiConsumer<ConfigurableApplicationContext, Runnable> body;

		// Where a transaction may be rolled back by the loss at the end of the method.
		Class<? extends LockLostException> expected() {
			return (this == LOSS_SWALLOWED || this == LOCK_OUTSIDE) ? LockLostBeforeCommitException.class
					: LockLostException.class;
		}

		Call(BiConsumer<ConfigurableApplicationContext, Runnable> body) {
			this.body = body;
		}

	}

	enum End {

		BY_SERVER, BY_CLIENT;

		void happen(CuratorFramework client) {
			try {
				if (this == BY_SERVER) {
					server.killSession(client.getZookeeperClient().getZooKeeper().getSessionId());
				}
				else {
					client.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
				}
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
