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

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.Fenced;
import io.github.zklock.core.LockHandle;
import io.github.zklock.transaction.FencedTransactions;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Pages of entries, each of which follows the entry that was the last one before: once
 * with {@code @Fenced} and once without it.
 *
 * @since 0.1.0
 */
@Component
public class Journal implements FencedTransactions.Listener {

	private final JdbcClient jdbc;

	private final Console console;

	private final ApplicationEventPublisher events;

	Journal(JdbcClient jdbc, Console console, ApplicationEventPublisher events) {
		this.jdbc = jdbc;
		this.console = console;
		this.events = events;
	}

	/**
	 * Enter what follows the last entry of a page. No entry is committed late.
	 * @param page the page
	 * @return the fencing token of the entry
	 */
	@Fenced
	@Transactional
	@DistributedLock(key = "journal", waitMs = 60_000)
	public long enter(String page) {
		return write(page);
	}

	/**
	 * The same without a fence.
	 * @param page the page
	 * @return the fencing token of the entry
	 */
	@Transactional
	@DistributedLock(key = "journal", waitMs = 60_000)
	public long enterUnfenced(String page) {
		return write(page);
	}

	private long write(String page) {
		long token = LockHandle.current().fencingToken();
		int last = this.jdbc.sql("select coalesce(max(place), 0) from journal where page = ?")
			.param(page)
			.query(Integer.class)
			.single();
		this.jdbc.sql("insert into journal (page, place, node, token) values (?, ?, ?, ?)")
			.params(page, last + 1, this.console.node(), token)
			.update();
		this.console.say("enters at place " + (last + 1));
		return token;
	}

	/**
	 * Return the places of a page that have an entry, one for each entry.
	 * @param page the page
	 * @return the places
	 */
	public List<Integer> places(String page) {
		return this.jdbc.sql("select place from journal where page = ? order by place")
			.param(page)
			.query(Integer.class)
			.list();
	}

	@Override
	public void commitRefused(LockHandle handle) {
		this.console.say("commit refused: a later holder has begun");
		this.events.publishEvent(new WriteRefused(this.console.node(), handle.key(), handle.fencingToken()));
	}

}
