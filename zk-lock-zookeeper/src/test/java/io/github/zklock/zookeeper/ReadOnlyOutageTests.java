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

package io.github.zklock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import io.github.zklock.support.CapturedOutput;
import io.github.zklock.support.OutputCaptureExtension;
import io.github.zklock.zookeeper.session.Connection;
import io.github.zklock.zookeeper.session.Connection.Change;
import io.github.zklock.zookeeper.tasks.IdleTasks;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link OutageLog} says when only a read-only server answers.
 */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class ReadOnlyOutageTests {

	private static final String END = "locks can be acquired again";

	@Test
	void outageEndsWhenAServerAnswersThatGrantsLocks(CapturedOutput output) {
		Connection connection = new Told();
		List<Runnable> answers = new ArrayList<>();
		OutageLog log = new OutageLog(new ZooKeeperLockProviderBuilder(connection), new IdleTasks(),
				EngineParts.of(connection, new IdleTasks()).held(), List.of("a request"), (answered) -> {
					answers.add(answered);
					return () -> answers.remove(answered);
				});
		log.changed(Change.SUSPENDED);
		log.changed(Change.READ_ONLY);
		assertThat(output.toString()).contains("is interrupted").doesNotContain(END);
		log.changed(Change.CONNECTED);
		assertThat(output.toString()).as("only an answer shows that").doesNotContain(END);
		log.changed(Change.SUSPENDED);
		assertThat(answers).isEmpty();
		log.changed(Change.CONNECTED);
		answers.remove(0).run();
		assertThat(output.toString()).containsOnlyOnce(END);
	}

	/**
	 * A connection whose changes the test reports.
	 */
	private static final class Told implements Connection {

		@Override
		public @Nullable ZooKeeper handle() {
			return null;
		}

		@Override
		public boolean isConnected() {
			return false;
		}

		@Override
		public boolean isStopped() {
			return false;
		}

		@Override
		public String namespace() {
			return "";
		}

		@Override
		public String servers() {
			return "localhost:2181";
		}

		@Override
		public long timeoutMillis() {
			return 0;
		}

		@Override
		public void reset() {
		}

		@Override
		public void listen(Listener listener) {
		}

		@Override
		public void unlisten(Listener listener) {
		}

	}

}
