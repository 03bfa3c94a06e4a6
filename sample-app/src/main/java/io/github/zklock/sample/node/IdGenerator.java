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

import java.util.List;
import java.util.stream.LongStream;

import io.github.zklock.annotation.DistributedLock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Use 3: ids without gaps and without doubles, in blocks.
 */
@Component
class IdGenerator {

	private final JdbcClient jdbc;

	private final Console console;

	IdGenerator(JdbcClient jdbc, Console console) {
		this.jdbc = jdbc;
		this.console = console;
	}

	@DistributedLock("ids:invoice")
	List<String> next(int count) {
		long last = this.jdbc.sql("select amount from counter where name = 'ids'").query(Long.class).single();
		this.jdbc.sql("update counter set amount = ? where name = 'ids'").param(last + count).update();
		this.console.say("ids " + (last + 1) + " to " + (last + count));
		return LongStream.rangeClosed(last + 1, last + count).mapToObj("INV-%06d"::formatted).toList();
	}

}
