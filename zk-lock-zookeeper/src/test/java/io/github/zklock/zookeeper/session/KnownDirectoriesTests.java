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

package io.github.zklock.zookeeper.session;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The directories that a process used last are remembered, and what it has created and
 * forgets is its own to delete.
 */
class KnownDirectoriesTests {

	private long now;

	private final KnownDirectories directories = new KnownDirectories(2, () -> this.now);

	@Test
	void theOneThatWasUsedLongestAgoIsForgotten() {
		this.directories.add("/locks/a", false);
		this.directories.add("/locks/b", false);
		assertThat(this.directories.contains("/locks/a")).isTrue();
		this.directories.add("/locks/c", false);
		assertThat(this.directories.contains("/locks/a")).isTrue();
		assertThat(this.directories.contains("/locks/b")).isFalse();
	}

	@Test
	void whatThisProcessHasCreatedAndForgottenIsDeletedTogetherWithOthers() {
		List<String> due = addNewOnes(KnownDirectories.TOGETHER + 1);
		assertThat(due).isEmpty();
		due = this.directories.add("/locks/last", false);
		assertThat(due).hasSize(KnownDirectories.TOGETHER).startsWith("/locks/new-0");
		assertThat(this.directories.add("/locks/later", false)).isEmpty();
	}

	@Test
	void whatOthersHaveCreatedIsLeftToThem() {
		for (int i = 0; i < 3 * KnownDirectories.TOGETHER; i++) {
			assertThat(this.directories.add("/locks/theirs-" + i, false)).isEmpty();
		}
	}

	@Test
	void whatTheServersHaveHadTimeForIsNotTakenToBeThere() {
		this.directories.add("/locks/a", true);
		this.now += TimeUnit.SECONDS.toNanos(59);
		assertThat(this.directories.contains("/locks/a")).isTrue();
		this.directories.add("/locks/a", false);
		this.now += TimeUnit.SECONDS.toNanos(59);
		assertThat(this.directories.contains("/locks/a")).isTrue();
		this.now += TimeUnit.SECONDS.toNanos(1);
		assertThat(this.directories.contains("/locks/a")).isFalse();
	}

	@Test
	void whatThisProcessHasCreatedIsItsOwnToDeleteHoweverLongAgoThatWas() {
		int due = 0;
		for (int i = 0; i < 3 * KnownDirectories.TOGETHER; i++) {
			this.now += TimeUnit.MINUTES.toNanos(1);
			due += this.directories.add("/locks/new-" + i, true).size();
			due += this.directories.add("/locks/new-" + i, false).size();
		}
		assertThat(due).isEqualTo(2 * KnownDirectories.TOGETHER);
	}

	@Test
	void directoryThatIsGoneIsForgottenAndNoOther() {
		this.directories.add("/locks/a", true);
		this.directories.add("/locks/b", true);
		this.directories.remove("/locks/a");
		this.directories.remove("/locks/never-added");
		assertThat(this.directories.contains("/locks/a")).isFalse();
		assertThat(this.directories.contains("/locks/b")).isTrue();
	}

	private List<String> addNewOnes(int count) {
		List<String> due = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			due.addAll(this.directories.add("/locks/new-" + i, true));
		}
		return due;
	}

}
