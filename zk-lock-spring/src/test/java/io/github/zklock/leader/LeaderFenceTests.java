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

package io.github.zklock.leader;

import java.util.List;

import io.github.zklock.core.LockLostException;
import io.github.zklock.fencing.DatabaseFences;
import io.github.zklock.fencing.FenceSettings;
import io.github.zklock.leader.LeaderNode.Indexer;
import io.github.zklock.test.memory.InMemoryLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A database refuses what an earlier leader still writes.
 */
class LeaderFenceTests {

	private final InMemoryLockProvider cluster = new InMemoryLockProvider();

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(
			"jdbc:h2:mem:leaders;DB_CLOSE_DELAY=-1", "sa", "");

	private final DatabaseFences fences = new DatabaseFences((name) -> this.dataSource,
			FenceSettings.of((handle) -> "/locks"), List::of);

	@Test
	void fenceOfALaterLeaderRefusesTheEarlierOne() {
		new ResourceDatabasePopulator(new ClassPathResource("io/github/zklock/fencing/schema-h2.sql"))
			.execute(this.dataSource);
		try (LeaderNode first = node("one"); LeaderNode second = node("two")) {
			first.start().awaitStarted("indexer");
			Leadership old = first.current("indexer");
			raise(old);
			second.start();
			first.roles().yield("indexer");
			second.awaitStarted("indexer");
			raise(second.current("indexer"));
			assertThat(old.fencingToken()).isLessThan(second.current("indexer").fencingToken());
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> raise(old))
				.withMessageContaining("later holder");
		}
	}

	private void raise(Leadership led) {
		led.<@Nullable Object, RuntimeException>call((handle) -> {
			this.fences.raise(handle);
			return null;
		});
	}

	private LeaderNode node(String name) {
		return new LeaderNode(this.cluster.another(name), Indexer.class);
	}

}
