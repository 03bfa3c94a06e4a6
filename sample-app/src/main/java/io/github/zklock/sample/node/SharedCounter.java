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

package io.github.zklock.sample.node;

import io.github.zklock.annotation.DistributedLock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Use 2: a shared counter. To read and to write it are two steps, so without the lock
 * increments would get lost.
 */
@Component
class SharedCounter {

	private final JdbcClient jdbc;

	private final Console console;

	SharedCounter(JdbcClient jdbc, Console console) {
		this.jdbc = jdbc;
		this.console = console;
	}

	@DistributedLock("counter:visits")
	long increment() {
		long next = value() + 1;
		this.jdbc.sql("update counter set amount = ? where name = 'visits'").param(next).update();
		this.console.say("value " + next);
		return next;
	}

	long value() {
		return this.jdbc.sql("select amount from counter where name = 'visits'").query(Long.class).single();
	}

}
