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
import java.sql.SQLException;
import java.util.concurrent.Callable;

import javax.sql.DataSource;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;

/**
 * Reactive transactions on a real database, each on a JDBC connection of its own, which
 * is bound to the transaction. The drivers of R2DBC would change what Spring Boot
 * configures in all other tests.
 */
@SuppressWarnings("serial")
class JdbcReactiveTransactionManager extends AbstractReactiveTransactionManager {

	private final transient DataSource dataSource;

	JdbcReactiveTransactionManager(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	static Mono<Connection> connection() {
		return TransactionSynchronizationManager.forCurrentTransaction()
			.map((manager) -> (Connection) manager.getResource(Connection.class));
	}

	@Override
	protected Object doGetTransaction(TransactionSynchronizationManager manager) {
		return (manager.getResource(Connection.class) instanceof Connection connection)
				? new SingleConnectionDataSource(connection, true) : new Object();
	}

	@Override
	protected boolean isExistingTransaction(Object transaction) {
		return transaction instanceof SingleConnectionDataSource;
	}

	@Override
	protected Mono<Void> doBegin(TransactionSynchronizationManager manager, Object transaction,
			TransactionDefinition definition) {
		return blocking(() -> {
			Connection connection = this.dataSource.getConnection();
			connection.setAutoCommit(false);
			return connection;
		}).doOnNext((connection) -> manager.bindResource(Connection.class, connection)).then();
	}

	@Override
	protected Mono<Void> doCommit(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
		return end(manager, Connection::commit);
	}

	@Override
	protected Mono<Void> doRollback(TransactionSynchronizationManager manager, GenericReactiveTransaction status) {
		return end(manager, Connection::rollback);
	}

	@Override
	protected Mono<Void> doCleanupAfterCompletion(TransactionSynchronizationManager manager, Object transaction) {
		Connection connection = (Connection) manager.unbindResource(Connection.class);
		return blocking(() -> {
			connection.close();
			return connection;
		}).then();
	}

	private static Mono<Void> end(TransactionSynchronizationManager manager, End end) {
		Connection connection = (Connection) manager.getResource(Connection.class);
		return blocking(() -> {
			end.of(connection);
			return connection;
		}).then();
	}

	private static Mono<Connection> blocking(Callable<Connection> step) {
		return Mono.fromCallable(step)
			.onErrorMap(SQLException.class, (ex) -> new TransactionSystemException("database", ex))
			.subscribeOn(Schedulers.boundedElastic());
	}

	private interface End {

		void of(Connection connection) throws SQLException;

	}

}
