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

package io.github.zklock.fencing;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.zklock.autoconfigure.ZkLockAopAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockFencingAutoConfiguration;
import io.github.zklock.autoconfigure.ZkLockTransactionAutoConfiguration;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.core.LockLostException;
import io.github.zklock.core.LockNotAcquiredException;
import io.github.zklock.core.LockRequest;
import io.github.zklock.fencing.FencedMethodBeans.FencedClass;
import io.github.zklock.fencing.FencedMethodBeans.Orders;
import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.test.memory.InMemoryLockProvider;
import io.github.zklock.transaction.LockCommitListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * {@code @Fenced} in an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class FencedMethodTests {

	static final String LATER = "update zk_lock_fence set token = token + 1000000 where lock_key = '/locks/orders'";

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ZkLockAutoConfiguration.class, ZkLockAopAutoConfiguration.class,
				ZkLockFencingAutoConfiguration.class, ZkLockTransactionAutoConfiguration.class))
		.withBean(InMemoryLockProvider.class)
		.withUserConfiguration(Database.class)
		.withPropertyValues("test.url=" + this.url);

	private final ApplicationContextRunner orders = this.runner.withBean(Orders.class);

	@Test
	void commitIsRefusedAfterALaterHolderHasBegun() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.add(() -> {
			});
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> orders.add(() -> apart(LATER)))
				.withMessageContaining("a later holder has raised the row '/locks/orders'");
			assertThat(count(context)).isOne();
		});
	}

	// What the test before is worth.
	@Test
	void commitIsNotRefusedWithoutTheAnnotation() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.add(() -> {
			});
			orders.addUnfenced(() -> apart(LATER));
			assertThat(count(context)).isEqualTo(2);
		});
	}

	@Test
	void methodIsRefusedIfALaterHolderHasBegun(CapturedOutput output) {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.add(() -> {
			});
			apart(LATER);
			assertThatExceptionOfType(LockLostBeforeCommitException.class).isThrownBy(() -> orders.add(() -> {
			}))
				.withMessageContaining("counts as lost")
				.withMessageContaining("Nothing was done under it, and it is safe to try it again")
				.satisfies((ex) -> assertThat(output.toString()).contains("Not begun: " + ex.getMessage()));
			assertThat(count(context)).isOne();
			assertThat(context.getBean(InMemoryLockProvider.class).keysInUse()).isZero();
		});
	}

	@Test
	void methodThatIsRefusedAfterACommitIsNotSafeToTryAgain() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.add(() -> {
			});
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> orders.afterACommit("around", () -> orders.addUnfenced(() -> {
				}), () -> {
					apart(LATER);
					orders.add(() -> {
					});
				}))
				.withMessageContaining("what was committed before under the locks around it stays")
				.isNotInstanceOf(LockLostBeforeCommitException.class);
		});
	}

	@Test
	void secondTransactionThatIsRefusedIsNotSafeToTryAgain() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> orders.afterACommit("orders", () -> orders.add(() -> {
				}), () -> orders.add(() -> apart(LATER))))
				.withMessageContaining("but what was committed before under the lock stays")
				.isNotInstanceOf(LockLostBeforeCommitException.class);
			assertThat(count(context)).isOne();
		});
	}

	// Nothing was done under its lock.
	@Test
	void methodThatIsRefusedDoesNotKeepItsLock() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.add(() -> {
			});
			apart(LATER);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(orders::addAndKeep);
			assertThat(context.getBean(InMemoryLockProvider.class).keysInUse()).isZero();
		});
	}

	// H2 takes it for a hint.
	@Test
	void transactionThatIsSaidToReadOnlyIsChecked() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.count()).isZero();
			assertThat(tokens(context)).hasSize(2);
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> orders.addReadOnly(() -> apart(LATER)));
			assertThat(count(context)).isZero();
		});
	}

	@Test
	void managerWithAListenerOfTheApplicationIsChecked() {
		this.orders.withPropertyValues("test.listening=true").run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(LockLostBeforeCommitException.class)
				.isThrownBy(() -> orders.add(() -> apart(LATER)));
			assertThat(count(context)).isZero();
		});
	}

	@Test
	void callInsideATransactionIsRefused() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatExceptionOfType(IllegalTransactionStateException.class)
				.isThrownBy(() -> orders.inTransaction(orders::count))
				.withMessageContaining("Call the @Fenced method outside the transaction");
		});
	}

	// Otherwise the call would wait for the lock first, and inside a transaction.
	@Test
	void callInsideATransactionIsRefusedBeforeItsLockIsAcquired() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			InMemoryLockProvider locks = context.getBean(InMemoryLockProvider.class);
			CompletableFuture.runAsync(() -> locks.acquire(LockRequest.of("orders"))).join();
			assertThatExceptionOfType(IllegalTransactionStateException.class)
				.isThrownBy(() -> orders.inTransaction(orders::countNow));
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(orders::countNow);
		});
	}

	@Test
	void methodUnderTheSameLockMayBeCalledInsideItsTransaction() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.add(orders::count);
			assertThatExceptionOfType(LockLostBeforeCommitException.class).isThrownBy(() -> orders.add(() -> {
				orders.count();
				apart(LATER);
			}));
			assertThat(count(context)).isOne();
		});
	}

	@Test
	void callThatNeedsNoLockHasNoFence() {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.addIf(false);
			assertThat(tokens(context)).isEmpty();
			orders.inTransaction(() -> {
				orders.addIf(false);
				return null;
			});
			assertThat(tokens(context)).isEmpty();
			orders.addIf(true);
			assertThat(tokens(context)).hasSize(2);
		});
	}

	@Test
	void lockThatIsTurnedOffHasNoFence() {
		this.orders.withPropertyValues("zk-lock.locks.turned-off.unguarded=true").run((context) -> {
			context.getBean(Orders.class).addTurnedOff();
			assertThat(count(context)).isOne();
			assertThat(tokens(context)).isEmpty();
		});
	}

	@Test
	void locksThatAreTurnedOffHaveNoFences() {
		this.orders.withPropertyValues("zk-lock.enabled=false").run((context) -> {
			context.getBean(Orders.class).addTurnedOff();
			assertThat(count(context)).isOne();
			assertThat(context).doesNotHaveBean(DatabaseFences.class);
		});
	}

	@Test
	void eachOfSeveralKeysHasAFence() {
		this.orders.run((context) -> {
			context.getBean(Orders.class).addUnder("b", "a");
			assertThat(context.getBean(JdbcTemplate.class)
				.queryForList("select lock_key from zk_lock_fence order by lock_key", String.class))
				.containsExactly("/locks/a", "/locks/a#r", "/locks/b", "/locks/b#r");
		});
	}

	@Test
	void readersHaveARowOfTheirOwn() {
		this.orders.run((context) -> {
			context.getBean(Orders.class).addAsReader();
			assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("select lock_key from zk_lock_fence where token > 0", String.class))
				.isEqualTo("/locks/orders#r");
		});
	}

	@Test
	void annotationOnAClassCountsForItsMethodsWithALock() {
		this.runner.withBean(FencedClass.class).run((context) -> {
			FencedClass bean = context.getBean(FencedClass.class);
			bean.add();
			assertThat(bean.withoutLock()).isEqualTo("ran");
			assertThat(tokens(context)).hasSize(2);
		});
	}

	@Test
	void methodWithoutATransactionIsReportedOnce(CapturedOutput output) {
		this.orders.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.countWithoutTransaction();
			orders.countWithoutTransaction();
			orders.count();
			assertThat(output.toString()).containsOnlyOnce("ran no transaction of its data source")
				.contains("Orders.countWithoutTransaction()");
		});
	}

	private void apart(String statement) {
		apart(this.url, statement);
	}

	static void apart(String url, String statement) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(url);
			assertThat(new JdbcTemplate(pool).update(statement)).isOne();
		}
	}

	private static long count(AssertableApplicationContext context) {
		return context.getBean(JdbcTemplate.class).queryForObject("select count(*) from orders", Long.class);
	}

	static List<Long> tokens(AssertableApplicationContext context) {
		return context.getBean(JdbcTemplate.class).queryForList("select token from zk_lock_fence", Long.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Database {

		// A fence needs no connection beside the connection of the transaction.
		@Bean(destroyMethod = "close")
		@Primary
		HikariDataSource database(Environment environment) {
			return pool(environment.getRequiredProperty("test.url"));
		}

		static HikariDataSource pool(String url) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(url);
			pool.setMaximumPoolSize(1);
			new JdbcTemplate(pool).execute("create table orders (id bigint generated always as identity primary key)");
			return pool;
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			return new JdbcTemplate(dataSource);
		}

		@Bean
		@Primary
		PlatformTransactionManager manager(DataSource dataSource, Environment environment) {
			JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
			if (environment.getProperty("test.listening", Boolean.class, false)) {
				manager.addListener(new LockCommitListener());
			}
			return manager;
		}

	}

}
