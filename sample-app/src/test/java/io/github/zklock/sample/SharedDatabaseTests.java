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

package io.github.zklock.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

@Tag("server")
class SharedDatabaseTests {

	@TempDir
	private Path temporary;

	@Test
	void directoryIsItsOwnersAloneAndNoOtherPasswordIsRight() throws Exception {
		Path directory = this.temporary.resolve("database");
		try (SharedDatabase first = new SharedDatabase(directory);
				SharedDatabase second = new SharedDatabase(this.temporary.resolve("other"))) {
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory))).isEqualTo("rwx------");
			assertThat(first.password()).hasSizeGreaterThan(30).isNotEqualTo(second.password());
			DriverManager.getConnection(first.url(), "sa", first.password()).close();
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> DriverManager.getConnection(first.url(), "sa", ""));
		}
		assertThat(directory).doesNotExist();
	}

	@Test
	void directoryThatIsOpenToOthersIsRefused() throws IOException {
		Path directory = Files.createDirectory(this.temporary.resolve("database"));
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatIOException().isThrownBy(() -> new SharedDatabase(directory))
			.withMessageContaining("belongs to another user or is open to others");
	}

	@Test
	void lastProcessDeletesNoOtherFileOfTheDirectory() throws IOException {
		Path directory = Files.createTempDirectory(this.temporary, "own");
		Path other = Files.createFile(directory.resolve("other"));
		new SharedDatabase(directory).close();
		assertThat(directory).isDirectoryContaining((file) -> file.equals(other));
		assertThat(directory.toFile().list()).hasSize(1);
	}

}
