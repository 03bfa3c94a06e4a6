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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.zklock.core.LockMode;
import io.github.zklock.core.LockUnavailableException;
import io.github.zklock.support.PlainLockHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A raise goes on while the database refuses its statements. PostgreSQL does that until
 * the commit of another serializable transaction is written.
 */
class FenceRaiseTests {

	private static final String SERIALIZATION_FAILURE = "40001";

	private final AtomicInteger refusals = new AtomicInteger();

	private final DriverManagerDataSource database = new DriverManagerDataSource(
			"jdbc:h2:mem:raises;DB_CLOSE_DELAY=-1");

	private final FenceTable table = new FenceTable("default", new DelegatingDataSource(this.database) {

		@Override
		public Connection getConnection() throws SQLException {
			return refusing(super.getConnection());
		}

	}, FenceSettings.of((handle) -> "/locks").withTimeout(Duration.ofSeconds(60)));

	FenceRaiseTests() {
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql"))
			.execute(this.database);
		this.table.raise(lock(7));
	}

	@AfterEach
	void drop() {
		new JdbcTemplate(this.database).execute("shutdown");
	}

	@Test
	void statementsThatAreRefusedForAWhileAreRepeated() {
		this.refusals.set(20);
		this.table.raise(lock(9));
		assertThat(token()).isEqualTo(9);
	}

	@Test
	void interruptEndsARaiseThatIsRefusedAllTheTime() {
		this.refusals.set(Integer.MAX_VALUE);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.table.raise(lock(9)))
			.withMessageContaining("its fence in the data source 'default' was not raised before its thread was "
					+ "interrupted. An earlier holder");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(token()).isEqualTo(7);
	}

	private Long token() {
		return new JdbcTemplate(this.database).queryForObject("select max(token) from zk_lock_fence", Long.class);
	}

	private static PlainLockHandle lock(long token) {
		return new PlainLockHandle("account", LockMode.EXCLUSIVE, token);
	}

	private Connection refusing(Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement") && arguments[0].toString().startsWith("update")
							&& this.refusals.getAndDecrement() > 0) {
						throw new SQLException("could not serialize access", SERIALIZATION_FAILURE);
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
