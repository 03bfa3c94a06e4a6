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

package io.github.zklock.interceptor;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockLostBeforeCommitException;
import io.github.zklock.fencing.DatabaseFences;
import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.fencing.FencedMethodAdvisor;
import io.github.zklock.fencing.FencedMethodInterceptor;
import io.github.zklock.fencing.FencedMethods;
import io.github.zklock.interceptor.source.LockOperationSource;
import io.github.zklock.transaction.FencedTransactions;
import io.github.zklock.transaction.LockCommitListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Guarded methods with a fence.
 */
final class ProxyContractFences {

	private ProxyContractFences() {
	}

	static Stream<ProxyContractRow<?>> rows() {
		return Stream.of(
				row("with `@Fenced` and `@Transactional`").when(Account::deposit)
					.then("lock account", "fence raised", "tx-begin", "body", "tx-commit", "unlock"),
				row("the same, and a later holder begins before the commit")
					.whenIn((context) -> assertThatExceptionOfType(LockLostBeforeCommitException.class)
						.isThrownBy(() -> context.getBean(Account.class).depositLate()))
					.then("lock account", "fence raised", "tx-begin", "body", "tx-rollback", "unlock"),
				row("the same, and a later holder has begun before the method").whenIn((context) -> {
					raiseLater(context.getBean(DataSource.class));
					assertThatExceptionOfType(LockLostBeforeCommitException.class)
						.isThrownBy(() -> context.getBean(Account.class).deposit());
				}).then("lock account", "unlock"), row("the same, called inside a transaction").whenIn((context) -> {
					TransactionTemplate transactions = new TransactionTemplate(
							context.getBean(PlatformTransactionManager.class));
					assertThatExceptionOfType(IllegalTransactionStateException.class).isThrownBy(() -> transactions
						.executeWithoutResult((status) -> context.getBean(Account.class).deposit()));
				}).then("tx-begin", "tx-rollback"));
	}

	private static ProxyContractRow<Account> row(String name) {
		return ProxyContractRow.row(name, Account.class, Fences.class);
	}

	// On another connection, as another holder does.
	private static void raiseLater(DataSource dataSource) {
		String later = "merge into zk_lock_fence (lock_key, token) key (lock_key) values ('/locks/account', 1000000)";
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			statement.executeUpdate(later);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface Account {

		void deposit();

		void depositLate();

	}

	static class FencedAccount implements Account {

		private final LockEvents events;

		private final DataSource dataSource;

		FencedAccount(LockEvents events, DataSource dataSource) {
			this.events = events;
			this.dataSource = dataSource;
		}

		@Override
		@Fenced
		@Transactional
		@DistributedLock("account")
		public void deposit() {
			this.events.add("body");
		}

		@Override
		@Fenced
		@Transactional
		@DistributedLock("account")
		public void depositLate() {
			this.events.add("body");
			raiseLater(this.dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(FencedAccount.class)
	static class Fences {

		// The database lives as long as it has a connection.
		@Bean
		Connection connection(DataSource dataSource) throws SQLException {
			return dataSource.getConnection();
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static FencedMethodAdvisor fenceAdvisor(LockOperationSource source) {
			FencedMethodAdvisor advisor = new FencedMethodAdvisor(new FencedMethods(source));
			advisor.setAdviceBeanName("fenceInterceptor");
			advisor.setOrder(BeanFactoryLockOperationSourceAdvisor.DEFAULT_ORDER + 1);
			return advisor;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		FencedMethodInterceptor fenceInterceptor(LockOperationSource source,
				ObjectProvider<DatabaseFences> transactions) {
			return new FencedMethodInterceptor(new FencedMethods(source), transactions::getObject);
		}

		@Bean
		DatabaseFences fences(DataSource dataSource, PlatformTransactionManager manager, LockEvents events) {
			FencedTransactions.Listener listener = new FencedTransactions.Listener() {

				@Override
				public void raised(LockHandle handle) {
					events.add("fence raised");
				}

			};
			FenceSettings settings = FenceSettings.of((handle) -> "/locks")
				.withInitializer((target, script) -> new ResourceDatabasePopulator(new ClassPathResource(script))
					.execute(target));
			DatabaseFences fences = new DatabaseFences((name) -> dataSource, settings, () -> List.of(listener));
			((ConfigurableTransactionManager) manager).addListener(new LockCommitListener(() -> List.of(fences)));
			fences.prepare(DatabaseFences.DEFAULT);
			return fences;
		}

	}

}
