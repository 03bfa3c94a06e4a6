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

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.github.zklock.autoconfigure.observation.ZkLockObservationAutoConfiguration;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockKeyException;
import io.github.zklock.core.LockLimits;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.observation.LockObservationContext;
import io.github.zklock.support.Fault;
import io.github.zklock.support.FaultProxy;
import io.github.zklock.support.Refusal;
import io.github.zklock.support.Secrets;
import io.github.zklock.support.ZooKeeperOperation;
import io.github.zklock.support.ZooKeeperServerFixture;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.FencedTransactions;
import io.github.zklock.zookeeper.ZooKeeperLockProvider;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.spy;

/**
 * What properties do to an application, one test for each that no other test sets, and
 * what beans set that have no property.
 */
@Tag("server")
class PropertyEffectTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = LockRequest.of("key").withWait(PATIENCE);

	private static final LockRequest RIVAL = REQUEST.withOwner("rival");

	private static final String CHECK = "select token from zk_lock_fence where lock_key = ? and token between ? and ?";

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@AutoClose
	private final FaultProxy network = new FaultProxy(server);

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100";

	private final ApplicationContextRunner onServer = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class))
		.withPropertyValues("zk-lock.connect-string=" + this.network.connectString(),
				"zk-lock.lease.server-tick=" + ZooKeeperServerFixture.TICK.toMillis() + "ms", "zk-lock.try-timeout=30s",
				"zk-lock.fail-fast=true", "zk-lock.startup-timeout=30s");

	private final ApplicationContextRunner inMemory = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class,
				ZkLockObservationAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class);

	@Test
	void ownerDataSaysHowMuchANodeShows() {
		run(this.onServer.withPropertyValues("zk-lock.owner-data=minimal"), (locks) -> {
			LockHandle held = locks.acquire(REQUEST);
			assertThat(Refusal.of(() -> locks.acquire(RIVAL.withWait(Duration.ZERO))).getHolder().thread()).isNull();
			held.release();
		});
	}

	@Test
	void strictFairnessGivesEachRequestAPlaceInTheQueue() {
		run(this.onServer.withPropertyValues("zk-lock.fairness=strict"), (locks) -> {
			LockHandle held = locks.acquire(REQUEST);
			List<CompletableFuture<LockHandle>> waiting = List.of(locks.acquireAsync(RIVAL), locks.acquireAsync(RIVAL));
			Awaitility.await().atMost(PATIENCE).until(() -> server.children("/locks/key").size() == 3);
			waiting.forEach((rival) -> rival.cancel(false));
			held.release();
		});
	}

	// With the default, each of these releases takes a second.
	@Test
	void releaseNeedNotAwaitItsConfirmation() {
		run(this.onServer.withPropertyValues("zk-lock.await-release=false"),
				(locks) -> Awaitility.await().atMost(PATIENCE).until(() -> {
					LockHandle held = locks.acquire(REQUEST);
					Fault unanswered = this.network.on(ZooKeeperOperation.DELETE).holdRequest();
					long start = System.nanoTime();
					held.release();
					long took = System.nanoTime() - start;
					unanswered.awaitFired();
					unanswered.release();
					return took < TimeUnit.SECONDS.toNanos(1);
				}));
	}

	@Test
	void outageMayFailRequestsAtOnce() {
		run(this.onServer.withPropertyValues("zk-lock.outage-fail-fast=100ms"), (locks) -> {
			this.network.refuse();
			assertThat(locks.acquireAsync(REQUEST.withWait(LockRequest.FOREVER))).failsWithin(PATIENCE)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(LockUnavailableException.class);
		});
	}

	// A second thread starts when the only one has stood still for a second.
	@Test
	void callbacksShareTheirThreads() {
		run(this.onServer.withBean(ZooKeeperLockProviderBuilderCustomizer.class,
				() -> (builder) -> builder.callbackThreads(1)), (locks) -> {
					List<LockRequest> requests = List.of(REQUEST, LockRequest.of("other").withWait(PATIENCE));
					LockHandle held = locks.acquire(requests);
					CountDownLatch both = new CountDownLatch(2);
					CompletableFuture<?>[] callbacks = requests.stream()
						.map((request) -> locks.acquireAsync(request.withOwner("rival")).thenAccept((handle) -> {
							both.countDown();
							await(both);
							handle.releaseAsync();
						}))
						.toArray(CompletableFuture<?>[]::new);
					long start = System.nanoTime();
					held.release();
					assertThat(CompletableFuture.allOf(callbacks)).succeedsWithin(PATIENCE);
					assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
				});
	}

	@Test
	void limitsRefuseRequests() {
		run(this.onServer.withBean(LockLimits.class, () -> LockLimits.DEFAULT.withKeyLength(3).withWaitersPerKey(1)),
				(locks) -> {
					assertThatExceptionOfType(LockKeyException.class)
						.isThrownBy(() -> locks.acquire(LockRequest.of("long")));
					LockHandle held = locks.acquire(REQUEST);
					CompletableFuture<LockHandle> waiting = locks.acquireAsync(RIVAL);
					assertThatExceptionOfType(LockNotAcquiredException.class)
						.isThrownBy(() -> locks.acquire(REQUEST.withOwner("third")))
						.withMessageContaining("not acquired at once");
					waiting.cancel(false);
					held.release();
				});
	}

	@Test
	void attemptWaitsForTheConnectionAsLongAsItMay() {
		run(this.onServer.withPropertyValues("zk-lock.try-timeout=2s"), (locks) -> {
			locks.acquire(REQUEST).release();
			// A connection that is known to be interrupted is not waited for.
			this.network.blackhole();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.tryAcquire(LockRequest.of("key")))
				.satisfies((ex) -> assertThat(ex.getWaited()).isGreaterThanOrEqualTo(Duration.ofSeconds(2)));
			this.network.heal();
		});
	}

	// A tick of the servers is longer than the session, so no time is certain.
	@Test
	void leaseAllowsForTheTickOfTheServers() {
		this.onServer.withPropertyValues("zk-lock.lease.server-tick=1h").run((context) -> {
			LockHandle held = context.getBean(LockOperations.class).acquire(REQUEST);
			assertThat(context.getBean(ZooKeeperLockProvider.class).status().session().leaseLeft()).isNull();
			held.release();
		});
	}

	@Test
	void secretHidesKeys() {
		run(this.onServer.withPropertyValues("zk-lock.key-digest-secret=" + Secrets.password()), (locks) -> {
			locks.acquire(LockRequest.of("account").withWait(PATIENCE)).release();
			assertThat(server.children("/locks")).isNotEmpty().doesNotContain("account");
		});
	}

	@Test
	void clientRepeatsOperationsAsOftenAsItMay() {
		RetryPolicy policy = new RetryOneTime(11);
		this.onServer.withBean(CuratorFrameworkBuilderCustomizer.class, () -> (builder) -> builder.retryPolicy(policy))
			.run((context) -> assertThat(context.getBean(CuratorFramework.class).getZookeeperClient().getRetryPolicy())
				.isSameAs(policy));
	}

	@Test
	void spansMayShowKeys() {
		Queue<LockObservationContext> contexts = new ConcurrentLinkedQueue<>();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<LockObservationContext>() {

			@Override
			public boolean supportsContext(Observation.Context context) {
				return contexts.add((LockObservationContext) context);
			}

		});
		run(this.inMemory.withBean(ObservationRegistry.class, () -> registry)
			.withBean(Tracer.class, () -> Tracer.NOOP)
			.withPropertyValues("zk-lock.key-in-spans=true"), (locks) -> locks.acquire(REQUEST).release());
		assertThat(contexts.element().getHighCardinalityKeyValue("zk.lock.key").getValue()).isEqualTo("key");
	}

	@Test
	void fencedDataSourceIsNamed() {
		DataSource fenced = new DriverManagerDataSource(this.url);
		this.inMemory.withBean("first", DataSource.class, DriverManagerDataSource::new)
			.withBean("second", DataSource.class, () -> fenced)
			.withPropertyValues("zk-lock.fencing.data-source=second")
			.run((context) -> {
				LockOperations locks = context.getBean(LockOperations.class);
				locks.executeWithoutResult("key", context.getBean(FencedTransactions.class)::raise);
			});
		assertThat(new JdbcTemplate(fenced).queryForList("select token from zk_lock_fence")).hasSize(2);
	}

	@Test
	void fenceIsRaisedWithinItsTimeout() {
		DataSource fenced = new DriverManagerDataSource(this.url);
		ApplicationContextRunner runner = this.inMemory.withBean(DataSource.class, () -> fenced);
		runner.withPropertyValues("zk-lock.fencing.timeout=30s")
			.run((context) -> context.getBean(LockOperations.class)
				.executeWithoutResult("key", context.getBean(FencedTransactions.class)::raise));
		runner.withPropertyValues("zk-lock.fencing.timeout=3s").run((context) -> {
			LockOperations locks = context.getBean(LockOperations.class);
			FencedTransactions fences = context.getBean(FencedTransactions.class);
			// Its first token is the one of the fence.
			locks.acquire(REQUEST).release();
			try (Connection earlier = fenced.getConnection(); Statement commit = earlier.createStatement()) {
				earlier.setAutoCommit(false);
				commit.executeQuery("select token from zk_lock_fence for update");
				assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> locks.executeWithoutResult("key", fences::raise))
					.withMessageContaining("was not raised within 3000 ms");
			}
		});
	}

	// It finds no row, as if a later holder had begun.
	@Test
	void fenceOfAnUnknownDatabaseIsCheckedWithTheStatement() {
		DataSource unknown = new UnknownDatabase(this.url);
		this.inMemory.withBean(DataSource.class, () -> unknown)
			.withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(unknown))
			.withPropertyValues("zk-lock.fencing.initialize-schema=always",
					"zk-lock.fencing.check-sql=" + CHECK + " and 1 = 2", "zk-lock.fencing.timeout=30s")
			.run((context) -> {
				TransactionTemplate transactions = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				FencedTransactions fences = context.getBean(FencedTransactions.class);
				assertThatExceptionOfType(LockLostBeforeCommitException.class)
					.isThrownBy(() -> context.getBean(LockOperations.class).executeWithoutResult("key", (handle) -> {
						fences.raise(handle);
						transactions.executeWithoutResult((status) -> handle.assertHeld());
					}));
			});
	}

	private static void run(ApplicationContextRunner application, Consumer<LockOperations> code) {
		application.run((context) -> code.accept(context.getBean(LockOperations.class)));
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static class UnknownDatabase extends DriverManagerDataSource {

		UnknownDatabase(String url) {
			super(url);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = spy(super.getConnection());
			DatabaseMetaData metaData = spy(connection.getMetaData());
			doReturn("Unknown").when(metaData).getDatabaseProductName();
			doReturn(metaData).when(connection).getMetaData();
			return connection;
		}

	}

}
