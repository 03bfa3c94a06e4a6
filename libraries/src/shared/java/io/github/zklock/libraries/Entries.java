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

import java.util.List;
import java.util.Objects;

import io.github.zklock.core.LockTick;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What the batch job writes.
 */
class Entries {

	private final JdbcClient jdbc;

	private final String node;

	private volatile Runnable pause = () -> {
	};

	Entries(JdbcClient jdbc, @Value("${app.node:next}") String node) {
		this.jdbc = jdbc;
		this.node = node;
	}

	/**
	 * Set what the writer does in the second chunk, when its rows are written.
	 */
	void setPause(Runnable pause) {
		this.pause = pause;
	}

	void write(List<? extends Integer> items) {
		LockTick tick = Objects.requireNonNull(LockTick.current(), "No tick");
		items.forEach((item) -> this.jdbc.sql("insert into entry (tick, item, node) values (?, ?, ?)")
			.params(tick.time().toString(), item, this.node)
			.update());
		if (items.contains(SettlementTests.ITEMS)) {
			this.pause.run();
		}
	}

	static List<String> of(JdbcClient jdbc, String tick) {
		return jdbc.sql("select item, node from entry where tick = ? order by item, node")
			.param(tick)
			.query((row, number) -> row.getInt("item") + " " + row.getString("node"))
			.list();
	}

}
