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

import java.util.function.Consumer;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.core.LockHandle;
import io.github.zklock.core.LossPolicy;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Entries that compare the fencing token of who writes: a writer that comes late, when
 * another one has had the lock, is refused.
 *
 * @since 0.1.0
 */
@Component
public class Ledger {

	private final JdbcClient jdbc;

	private final Console console;

	private final ApplicationEventPublisher events;

	Ledger(JdbcClient jdbc, Console console, ApplicationEventPublisher events) {
		this.jdbc = jdbc;
		this.console = console;
		this.events = events;
	}

	/**
	 * Write an entry. What becomes of the lock meanwhile is ignored: the store decides.
	 * @param entry the name of the entry
	 * @param beforeWriting what to do between the check of the lock and the write
	 * @return what became of it
	 */
	@DistributedLock(key = "ledger", waitMs = 60_000, onLost = LossPolicy.IGNORE)
	public Write write(String entry, Consumer<LockHandle> beforeWriting) {
		LockHandle lock = LockHandle.current();
		long token = lock.fencingToken();
		this.jdbc.sql("""
				insert into ledger (entry, node, token) select ?, '', 0
				where not exists (select 1 from ledger where entry = ?)""").params(entry, entry).update();
		lock.assertHeld();
		beforeWriting.accept(lock);
		boolean accepted = this.jdbc.sql("update ledger set node = ?, token = ? where entry = ? and token <= ?")
			.params(this.console.node(), token, entry, token)
			.update() == 1;
		if (!accepted) {
			this.events.publishEvent(new WriteRefused(this.console.node(), lock.key(), token));
		}
		this.console.say(accepted ? "written" : "refused: the token is old");
		return new Write(this.console.node(), token, accepted);
	}

	/**
	 * What became of a write.
	 *
	 * @param node the node that wrote
	 * @param token its fencing token
	 * @param accepted whether the store has taken it
	 */
	public record Write(String node, long token, boolean accepted) {

	}

}
