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

package io.github.zklock.zookeeper.queue;

import java.util.ArrayList;
import java.util.List;

import io.github.zklock.zookeeper.queue.Gate.Obligation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a place passes after it is first.
 */
class GatesTests {

	private final List<String> asked = new ArrayList<>();

	private final NamedGate first = new NamedGate("first");

	private final NamedGate second = new NamedGate("second");

	private final Gates gates = new Gates(null,
			List.of((place) -> this.first, (place) -> null, (place) -> this.second));

	@Test
	void gatesArePassedInTheirOrder() {
		assertThat(this.gates.ensurePassed()).isTrue();
		assertThat(this.asked).containsExactly("first", "second");
	}

	@Test
	void gateBehindAClosedOneIsNotAsked() {
		this.first.open = false;
		assertThat(this.gates.ensurePassed()).isFalse();
		assertThat(this.asked).containsExactly("first");
	}

	@Test
	void gateThatWasPassedIsAskedAgainAfterALaterOneHasOpened() {
		this.second.open = false;
		assertThat(this.gates.ensurePassed()).isFalse();
		this.second.open = true;
		this.first.open = false;
		assertThat(this.gates.ensurePassed()).isFalse();
		assertThat(this.asked).containsExactly("first", "second", "first");
	}

	@Test
	void lockOwesWhatItsGatesSay() {
		assertThat(this.gates.obligations()).isEmpty();
		this.second.obligation = new Obligation() {
		};
		assertThat(this.gates.obligations()).containsExactly(this.second.obligation);
	}

	@Test
	void longestGraceCounts() {
		assertThat(this.gates.grace()).isZero();
		this.first.grace = 2;
		this.second.grace = 1;
		assertThat(this.gates.grace()).isEqualTo(2);
	}

	private final class NamedGate implements Gate {

		private final String name;

		private boolean open = true;

		private long grace;

		private Obligation obligation;

		NamedGate(String name) {
			this.name = name;
		}

		@Override
		public boolean ensurePassed() {
			GatesTests.this.asked.add(this.name);
			return this.open;
		}

		@Override
		public long grace() {
			return this.grace;
		}

		@Override
		public Obligation obligation() {
			return this.obligation;
		}

	}

}
