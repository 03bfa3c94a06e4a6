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

package io.github.zklock.zookeeper.node;

import java.util.ArrayList;
import java.util.List;

import io.github.zklock.zookeeper.tasks.EngineTasks;
import io.github.zklock.zookeeper.tasks.Generation;
import io.github.zklock.zookeeper.tasks.IdleTasks;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ContenderNamesTests {

	private final Generation generation = new EngineTasks(new IdleTasks()).generation();

	// Copies of a process draw the same numbers, but have different sessions.
	private final ContenderNames names = new ContenderNames((session) -> 7 ^ session);

	private final ContenderNames copy = new ContenderNames((session) -> 7 ^ session);

	@Test
	void processHasANumberForEachSession() {
		assertThat(this.names.next(1, "/locks/key", this.generation)).startsWith("z" + this.names.process(1) + "-");
		assertThat(this.names.process(1)).isEqualTo(this.names.process(1)).isNotEqualTo(this.names.process(2));
		assertThat(this.names.next(1, "/locks/key", this.generation))
			.isNotEqualTo(this.copy.next(2, "/locks/key", this.generation));
	}

	@Test
	void namesOfABrokenGenerationAreTakenOnceUnlessTheyAreForgotten() {
		String left = this.names.next(1, "/locks/key", this.generation);
		this.names.forget(this.names.next(1, "/locks/gone", this.generation));
		this.names.remember("stamp", "/locks/stamp", this.generation);
		Generation next = new EngineTasks(new IdleTasks()).generation();
		List<String> taken = new ArrayList<>();
		this.names.takeBroken(next, (name, origin) -> taken.add(name));
		assertThat(taken).isEmpty();
		this.generation.failed(new OutOfMemoryError("injected"));
		this.names.takeBroken(next,
				(name, origin) -> taken.add(name + " " + origin.directory() + " " + origin.session()));
		this.names.takeBroken(next, (name, origin) -> taken.add(name));
		assertThat(taken).containsExactlyInAnyOrder(left + " /locks/key 1", "stamp /locks/stamp 0");
	}

	@Test
	void numbersOfAllItsSessionsAreItsOwn() {
		String before = this.names.process(1);
		String after = this.names.process(2);
		assertThat(this.names.isOwn(before)).isTrue();
		assertThat(this.names.isOwn(after)).isTrue();
		assertThat(this.names.isOwn(this.copy.process(3))).isFalse();
	}

	@Test
	void numbersAreBounded() {
		String first = this.names.process(0);
		for (int session = 1; session <= 1000; session++) {
			this.names.process(session);
		}
		assertThat(this.names.isOwn(this.names.process(1000))).isTrue();
		assertThat(this.names.isOwn(first)).isFalse();
	}

}
