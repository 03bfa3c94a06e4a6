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
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.springframework.util.FileSystemUtils;

/**
 * The database file that several processes of this machine open. Each of them holds a
 * shared lock on a file beside it, so the last one knows that it is the last, and deletes
 * both.
 */
final class SharedDatabase implements AutoCloseable {

	private final Path directory;

	private final FileChannel users;

	private final FileLock use;

	SharedDatabase(Path directory) throws IOException {
		this.directory = Files.createDirectories(directory);
		this.users = FileChannel.open(directory.resolve("users"), StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
		this.use = this.users.lock(0, Long.MAX_VALUE, true);
	}

	String url() {
		return "jdbc:h2:file:" + this.directory.resolve("shared").toAbsolutePath() + ";AUTO_SERVER=TRUE;WRITE_DELAY=0";
	}

	@Override
	public void close() throws IOException {
		try (this.users) {
			this.use.release();
			if (this.users.tryLock() != null) {
				FileSystemUtils.deleteRecursively(this.directory);
			}
		}
	}

}
