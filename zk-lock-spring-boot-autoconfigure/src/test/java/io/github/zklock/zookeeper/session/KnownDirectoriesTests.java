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

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The directories of a process are remembered as long as they are few, and the newest of
 * them always.
 */
class KnownDirectoriesTests {

	private final KnownDirectories directories = new KnownDirectories();

	@Test
	void directoriesOfThousandKeysAreRemembered() {
		List<String> all = IntStream.range(0, 1024).mapToObj((i) -> "/locks/order-" + i).toList();
		all.forEach(this.directories::add);
		assertThat(all.stream().filter((each) -> !this.directories.contains(each)).count()).isLessThan(10);
	}

	@Test
	void directoryThatWasAddedLastIsRemembered() {
		for (int i = 0; i < 100_000; i++) {
			String directory = "/locks/" + UUID.randomUUID();
			this.directories.add(directory);
			assertThat(this.directories.contains(directory)).isTrue();
		}
	}

	@Test
	void directoryThatWasRemovedIsForgottenAndNoOther() {
		this.directories.add("/locks/a");
		this.directories.add("/locks/b");
		this.directories.remove("/locks/a");
		this.directories.remove("/locks/never-added");
		assertThat(this.directories.contains("/locks/a")).isFalse();
		assertThat(this.directories.contains("/locks/b")).isTrue();
	}

}
