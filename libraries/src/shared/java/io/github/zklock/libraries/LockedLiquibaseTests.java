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

package io.github.zklock.libraries;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LockOperations;
import io.github.zklock.core.LockRequest;
import io.github.zklock.support.ZooKeeperServerFixture;
import liquibase.exception.LiquibaseException;
import liquibase.integration.spring.SpringLiquibase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Liquibase: its lock outlives a process, ours does not.
 */
@Tag("server")
class LockedLiquibaseTests {

	@RegisterExtension
	static final ZooKeeperServerFixture server = new ZooKeeperServerFixture();

	@BeforeAll
	static void waitForNoLock() {
		System.setProperty("liquibase.changelogLockWaitTimeInMinutes", "0");
		System.setProperty("liquibase.analytics.enabled", "false");
	}

	@Test
	void lockOfADeadProcessStopsThePlainMigrationOnly() throws Exception {
		DataSource database = leftLocked("left");
		SpringLiquibase plain = new SpringLiquibase();
		plain.setDataSource(database);
		plain.setChangeLog("classpath:changelog.sql");
		assertThatExceptionOfType(LiquibaseException.class).isThrownBy(plain::afterPropertiesSet)
			.withMessageContaining("Currently locked by dead");
		try (Node node = start("left")) {
			assertThat(isMigrated(node)).isTrue();
		}
	}

	@Test
	void migrationWaitsForTheOneOfAnotherNode() {
		try (Node other = Node.start(Other.class, server.connectString(), url("waits"))) {
			LockHandle migration = other.bean(LockOperations.class).acquire(LockRequest.of("liquibase:shop"));
			CompletableFuture<Node> node = CompletableFuture.supplyAsync(() -> start("waits"));
			Awaitility.await()
				.atMost(Node.PATIENCE)
				.until(() -> server.children("/locks/liquibase:shop")
					.stream()
					.filter((child) -> child.contains("-lock-"))
					.count() == 2);
			assertThat(node).isNotDone();
			migration.release();
			assertThat(node).succeedsWithin(Node.PATIENCE).satisfies((migrated) -> {
				assertThat(isMigrated(migrated)).isTrue();
				migrated.close();
			});
		}
	}

	// As a process leaves it that is killed in the middle of a migration.
	private static DataSource leftLocked(String name) {
		DataSource database = new DriverManagerDataSource(url(name), "sa", "");
		JdbcClient jdbc = JdbcClient.create(database);
		jdbc.sql("create table databasechangeloglock (id int primary key, locked boolean not null, "
				+ "lockgranted timestamp, lockedby varchar(255))")
			.update();
		jdbc.sql("insert into databasechangeloglock values (1, true, current_timestamp, 'dead')").update();
		return database;
	}

	private static Node start(String name) {
		return Node.start(Application.class, server.connectString(), url(name));
	}

	private static String url(String name) {
		return "jdbc:h2:mem:liquibase-" + name + ";DB_CLOSE_DELAY=-1";
	}

	private static boolean isMigrated(Node node) {
		return node.bean(JdbcClient.class).sql("select count(*) from customer").query(Long.class).single() == 0;
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		SpringLiquibase liquibase(LockOperations locks, DataSource dataSource) {
			LockedLiquibase liquibase = new LockedLiquibase(locks);
			liquibase.setDataSource(dataSource);
			liquibase.setChangeLog("classpath:changelog.sql");
			return liquibase;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Other {

	}

}
